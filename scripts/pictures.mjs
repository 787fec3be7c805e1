// The pictures of the README, taken from the real page: two tables on a desk, all five on a phone, and a hand of
// Who's Deal? as a short animation. `make pictures` builds what it needs and calls this with the program.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { random } from "../tests/api/client.mjs";
import { folder, House } from "../tests/web/browser.mjs";
import { players, playUntil } from "../tests/web/players.mjs";
import { dealt, laid, position, saved } from "../tests/web/positions.mjs";

const [program = "build/oyster"] = process.argv.slice(2);
const into = new URL("../docs/pictures/", import.meta.url).pathname;
const scratch = folder();
mkdirSync(into, { recursive: true });
const house = await House.open(program);
const dice = random(7);

const until = (guest, game, selector) =>
  playUntil([guest], players[game], dice, ({ page }) => page.locator(selector).first().isVisible());
const choose =
  (...cards) =>
  async ({ page }) => {
    for (const card of cards)
      await page.locator(`.hf-hand [data-card^="${card}"]`).click({ position: { x: 8, y: 12 } });
  };

// How each table is laid, and what is done at it before the picture.
const tables = {
  "whos-deal": laid("whos-deal", [], dealt, (ann) => until(ann, "whos-deal", "[data-control='confirm']:enabled")),
  "hand-and-foot": saved(
    position({
      players: 4,
      seats: {
        0: {
          hand: "4S 4H 6C 7S 8D 9C 9H JC QD KD AC 2S JK",
          melds: ["KS*3 KH*4", "QS*4 QH 2S JK", "AH*4", "10S*3", "9S*3"],
        },
        1: { melds: ["6S*3", "5C*4 5D*3"] },
      },
      pile: "4S KC",
    }),
    choose("9C", "9H"),
  ),
  "up-n-down": laid("up-n-down", ["bot 1 hard", "bot 2 hard"], [], (ann) =>
    until(ann, "up-n-down", ".button.end.main"),
  ),
  "4-kate": laid("4-kate", [], [], (ann) =>
    until(ann, "4-kate", ".kate:has(.disc:nth-child(3)) button[aria-label$='Drop here']"),
  ),
  "terrible-people": laid("terrible-people", [], [], (ann) => until(ann, "terrible-people", ".tp-hand:not(.idle)")),
};

async function shot(table, size, deviceScaleFactor) {
  const guest = await house.guest("Ann", { size, deviceScaleFactor });
  await tables[table](guest);
  await guest.page.waitForTimeout(1500); // cards lie still
  const file = path.join(scratch, `${table}-${size}.png`);
  await guest.page.screenshot({ path: file });
  await guest.context.close();
  return file;
}

const webp = (file, name) => execFileSync("cwebp", ["-quiet", "-q", "82", file, "-o", path.join(into, name)]);

// Pictures side by side, on nothing.
async function row(files, height, name) {
  const guest = await house.guest("Ann", { size: "wall" });
  const pictures = files.map((file) => `<img src="data:image/png;base64,${readFileSync(file, "base64")}">`);
  await guest.page.setContent(`<style>body { margin: 0 } main { display: inline-flex; gap: 16px }
    img { height: ${height}px; border-radius: 18px }</style><main>${pictures.join("")}</main>`);
  const file = path.join(scratch, `${name}.png`);
  await guest.page.locator("main").screenshot({ path: file, omitBackground: true });
  await guest.context.close();
  webp(file, `${name}.webp`);
}

// The euchre hand that is recorded, as it goes on at a phone.
async function animation(name) {
  const guest = await house.guest("Ann", { size: "phone" });
  const frames = [];
  const frame = async (milliseconds) => {
    const file = path.join(scratch, `frame-${frames.length}.png`);
    await guest.page.screenshot({ path: file });
    frames.push("-d", String(milliseconds), file);
  };
  await laid("whos-deal", [], dealt)(guest);
  await guest.page.waitForTimeout(1500);
  await frame(1500);
  let shots = 0;
  await playUntil([guest], players["whos-deal"], dice, ({ page }) => page.locator("dialog.result[open]").isVisible(), {
    then: async () => {
      await guest.page.waitForTimeout(700);
      if (shots++ < 16) await frame(900);
    },
  });
  await guest.page.waitForTimeout(1000);
  await frame(3000);
  execFileSync("img2webp", ["-loop", "0", "-lossy", "-q", "60", "-mixed", ...frames, "-o", path.join(into, name)]);
  await guest.context.close();
}

webp(await shot("whos-deal", "desk", 1), "whos-deal.webp");
webp(await shot("hand-and-foot", "desk", 1), "hand-and-foot.webp");
const phones = [];
for (const table of Object.keys(tables)) phones.push(await shot(table, "phone", 1));
await row(phones, 560, "phones");
await animation("first-hand.webp");
await house.close();
rmSync(scratch, { recursive: true });
