// What a person notices of the page's speed: how soon it can be used, frames while cards are dealt on
// a processor made four times slower, as the browser's own trace has them, and frames on a phone while bots think.
// node bench/web.mjs build/oyster
import { random } from "../tests/api/client.mjs";
import { House } from "../tests/web/browser.mjs";
import { players, playUntil } from "../tests/web/players.mjs";

const rounds = 5,
  playSeconds = 10,
  second = 1_000_000; // a trace counts microseconds
const house = await House.open(process.argv[2] ?? "build/oyster");
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const spread = (values, digits) =>
  `${median(values).toFixed(digits)} (median of ${values.length}, ${Math.min(...values).toFixed(digits)} ` +
  `to ${Math.max(...values).toFixed(digits)})`;

// From the first byte asked for until the buttons are there and no long task holds them up; nothing kept from before.
async function usable(size) {
  const ann = await house.guest("Ann", { size });
  await ann.page.addInitScript(() => {
    window.busy = 0;
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) window.busy = startTime + duration;
    }).observe({ type: "longtask", buffered: true });
    new MutationObserver((_, observer) => {
      if (!document.querySelector("article button")) return;
      window.there = performance.now();
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  });
  await ann.arrive();
  await ann.page.waitForLoadState("networkidle");
  const time = await ann.page.evaluate(() => Math.max(window.there, window.busy));
  await ann.context.close();
  return time;
}

// One deal: frames drawn in its first second, and the longest time between two.
async function deal(ann) {
  const { page } = ann;
  await ann.create("Who's Deal?");
  await house.browser.startTracing(page, {
    categories: ["disabled-by-default-devtools.timeline.frame", "devtools.timeline.frame", "blink.user_timing"],
  });
  await page.evaluate(() =>
    new MutationObserver((_, observer) => {
      if (!document.querySelector(".wd-hand [data-card]")) return;
      performance.mark("dealt");
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true }),
  );
  await ann.button("Start the game").click();
  await page.locator(".wd-hand [data-card]").first().waitFor();
  await page.waitForTimeout(1200);
  const { traceEvents } = JSON.parse(await house.browser.stopTracing());
  const from = traceEvents.find(({ name }) => name === "dealt");
  const drawn = traceEvents
    .filter(({ name, pid, ts }) => name === "DrawFrame" && pid === from.pid && ts >= from.ts && ts <= from.ts + second)
    .map(({ ts }) => ts)
    .sort((a, b) => a - b);
  return {
    fps: ((drawn.length - 1) * second) / (drawn.at(-1) - drawn[0]),
    longest: Math.max(...drawn.slice(1).map((ts, i) => ts - drawn[i])) / 1000,
  };
}

// A table of the device against three bots of that level, played for some seconds: how many frames came so late that
// another one was dropped (at 60 a second), and the longest time between two. Who plays costs frames, too: the bots'
// share is what experts have more than easy ones.
async function thinking(level) {
  const ann = await house.guest("Ann", { size: "phone" });
  const { page } = ann;
  await ann.arrive();
  await ann.button("Set up Who's Deal? against bots").click();
  await ann.houseRules({ Speed: "instant" });
  for (const seat of [2, 3, 4]) await ann.invite(seat, level);
  await ann.start();
  await page.locator(".wd-hand [data-card]").first().waitFor();
  await page.evaluate(() => {
    window.gaps = [];
    let last = performance.now();
    const frame = (now) => {
      window.gaps.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  const end = Date.now() + playSeconds * 1000;
  await playUntil([ann], players["whos-deal"], random(18), async () => Date.now() > end);
  const gaps = (await page.evaluate(() => window.gaps)).slice(1);
  await ann.context.close();
  return { frames: gaps.length, late: gaps.filter((gap) => gap > 25).length, longest: Math.max(...gaps) };
}

for (const level of ["easy", "expert", "easy", "expert"]) {
  const { frames, late, longest } = await thinking(level);
  console.log(
    `phone: while ${level} bots think ${late} of ${frames} frames are late, longest ${longest.toFixed(0)} ms`,
  );
}

for (const size of ["phone", "desk"]) {
  const times = [];
  for (let i = 0; i < rounds; i++) times.push(await usable(size));
  console.log(`${size}: can be used after ${spread(times, 0)} ms`);
  const ann = await house.guest("Ann", { size });
  await ann.arrive();
  const session = await ann.context.newCDPSession(ann.page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  const deals = [];
  for (let i = 0; i < rounds; i++) deals.push(await deal(ann));
  // HF-132
  console.log(
    `${size}: ${spread(
      deals.map(({ fps }) => fps),
      1,
    )} frames a second while cards are dealt, longest frame ${spread(
      deals.map(({ longest }) => longest),
      0,
    )} ms`,
  );
  await ann.context.close();
}
await house.close();
