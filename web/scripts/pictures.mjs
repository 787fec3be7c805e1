// Draws the pictures that must be PNG, from what is drawn already: the icons of an installed page and
// the picture that goes with a shared link. Run after a build, `node scripts/pictures.mjs`; the results
// are kept in public/.
import { readFile } from "node:fs/promises";
import { chromium } from "playwright-core";

const here = (path) => new URL(path, import.meta.url);
const dataUri = async (path) => `data:image/svg+xml;base64,${(await readFile(here(path))).toString("base64")}`;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});

async function draw(name, width, height, html) {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(
    `<style>*{margin:0;box-sizing:border-box}body{width:${width}px;height:${height}px;overflow:hidden}</style>${html}`,
    { waitUntil: "load" },
  );
  await page.screenshot({ path: here(`../public/${name}`).pathname });
  await page.close();
}

// Systems cut their own shape out of an icon, so it has no corners of its own.
const icon = (await readFile(here("../public/icon.svg"), "utf8")).replace(' rx="7"', "");
for (const size of [192, 512])
  await draw(`icon-${size}.png`, size, size, icon.replace("<svg", `<svg width="${size}" height="${size}"`));

const fan = await Promise.all(
  ["10S", "JD", "QS", "KH", "AH"].map((card) => dataUri(`../../build/web/cards/${card}.svg`)),
);
const mark = await dataUri("../public/icon.svg");
await draw(
  "preview.png",
  1200,
  630,
  `<style>
    body {
      background: radial-gradient(90% 120% at 70% 20%, #1f6a4d, #0c2a20 75%);
      color: #fbf3ea;
      font-family: "Palatino Linotype", Palatino, "URW Palladio L", Georgia, "DejaVu Serif", serif;
    }
    img.card {
      position: absolute;
      left: 760px;
      top: 120px;
      width: 250px;
      background: #fffdf8;
      border-radius: 22px;
      box-shadow: 0 10px 40px rgb(0 0 0 / .5);
      transform-origin: 50% 150%;
    }
    .text { position: absolute; left: 80px; top: 150px; width: 600px; }
    .text img { width: 120px; }
    h1 { font-size: 120px; line-height: 1.1; font-weight: 600; }
    p { font: 36px/1.35 system-ui, sans-serif; color: #cfe3d8; margin-top: 14px; width: 520px; }
  </style>
  ${fan.map((card, i) => `<img class="card" src="${card}" style="transform: rotate(${(i - 2) * 11}deg)">`).join("")}
  <div class="text"><img src="${mark}"><h1>Oyster</h1><p>A card table for you, your friends and a few bots.</p></div>`,
);
await browser.close();
