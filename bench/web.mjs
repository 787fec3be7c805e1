// Frames while cards are dealt, on a processor made four times slower: node bench/web.mjs build/oyster
import { House } from "../tests/web/browser.mjs";

const house = await House.open(process.argv[2] ?? "build/oyster");
for (const size of ["phone", "desk"]) {
  const ann = await house.guest("Ann", { size }), { page } = ann;
  await ann.arrive();
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  const rates = [];
  for (let i = 0; i < 5; i++) {
    await ann.create("Who's Deal?");
    await ann.button("Start the game").click();
    await page.locator(".wd-hand [data-card]").first().waitFor();
    rates.push(await page.evaluate(() => new Promise((resolve) => {
      const times = [];
      const frame = (now) => {
        times.push(now);
        if (now - times[0] < 1000) requestAnimationFrame(frame);
        else resolve({ fps: ((times.length - 1) * 1000) / (now - times[0]), longest: Math.max(...times.slice(1).map((time, j) => time - times[j])) });
      };
      requestAnimationFrame(frame);
    })));
  }
  const fps = rates.map((one) => one.fps).sort((a, b) => a - b);
  console.log(`${size}: ${fps[2].toFixed(1)} frames a second (median of 5 deals, ${fps[0].toFixed(1)} to ${fps[4].toFixed(1)}), longest frame ${Math.max(...rates.map((one) => one.longest)).toFixed(0)} ms`);
}
await house.close();
