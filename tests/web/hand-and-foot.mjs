// Hand & Foot by its three rule books and for 2, 4, 6 and 8: through the lobby, a whole round by clicks,
// and its summary, number by number. A hand of 25 cards on a phone. Every house rule in the lobby.
// node tests/web/hand-and-foot.mjs PROGRAM [Classic|Partners|Closers|big|rules ...]
import assert from "node:assert/strict";
import { finish, test } from "../api/client.mjs";
import { House } from "./browser.mjs";
import { meldEverything, playUntil } from "./players.mjs";
import { position } from "./positions.mjs";

const [program = "build/oyster", ...wanted] = process.argv.slice(2);
const house = await House.open(program, ["--actions-per-second", "1000", "--actions-burst", "1000"]);

const tables = [
  { book: "Classic", places: 6, goals: ["Clean 0/1", "Dirty 0/1"] },
  { book: "Closers", places: 8, goals: ["Natural 0/2", "Unnatural 0/2"] },
  { book: "Partners", places: 4, goals: ["Clean 0/2", "Dirty 0/2"] },
  { book: "Classic", places: 2, goals: ["Clean 0/1", "Dirty 0/1"], quiet: true },
].filter(({ book }) => wanted.length === 0 || wanted.includes(book));

const summary = ({ page }) => page.locator("dialog.summary[open]");
const sees = (guest) => summary(guest).isVisible();

// The first of these events that a person was told of.
function told(guest, name) {
  for (const text of guest.heard) {
    const frame = text.startsWith("{") ? JSON.parse(text) : {};
    if (frame.event === name) return JSON.parse(frame.data);
  }
  assert.fail(`no ${name} was heard`);
}

const number = (text) => Number(text.replace("−", "-").replace("+", ""));

// A breakdown as it is read: [words of the row, its numbers].
const rowsOf = (breakdown) =>
  breakdown
    .locator("tbody tr")
    .evaluateAll((rows) =>
      rows.map((row) => [row.cells[0].innerText.split(/\s*\n\s*/), row.cells[1].innerText.split(/\s*\n\s*/)]),
    );

async function asScored(breakdown, score, settings) {
  const rows = await rowsOf(breakdown);
  const melds = score.melds.length === 0 ? [["No melds"]] : rows.slice(0, score.melds.length);
  for (const [i, meld] of score.melds.entries()) {
    const [[name, sum], points] = melds[i];
    assert.ok(name.endsWith(meld.isBook ? meld.status : "Meld"), `${name} is ${meld.status}`);
    const [counts, value] = sum.split(" = ");
    const parts = counts.split(" + ").map((part) => part.split(" × ").map(Number));
    assert.equal(
      parts.reduce((all, [count]) => all + count, 0),
      meld.cards.length,
      sum,
    );
    assert.equal(
      parts.reduce((all, [count, each]) => all + count * each, 0),
      Number(value),
      sum,
    );
    assert.deepEqual(points.map(number), meld.bonus > 0 ? [meld.points, meld.bonus] : [meld.points], name);
    if (meld.isBook) assert.equal(meld.bonus, settings[meld.isClean ? "cleanBonus" : "dirtyBonus"]);
  }
  const total = score.meldPoints + score.bookBonuses;
  const rest = rows.slice(melds.length).map(([words, points]) => [words.join(" "), number(points[0])]);
  const cards = (count) => `${count} ${count === 1 ? "card" : "cards"}`;
  assert.deepEqual(rest, [
    ["Total of melds", total],
    [`Hand ${cards(score.handCards)}`, 0 - score.handPenalty],
    [`Foot ${cards(score.footCards)}`, 0 - score.footPenalty],
    ["Bonus for going out", score.goingOutBonus],
    ["Round score", total - score.handPenalty - score.footPenalty + score.goingOutBonus],
    ["Total score", score.totalScore],
  ]);
  assert.equal(score.roundScore, total - score.handPenalty - score.footPenalty + score.goingOutBonus);
}

function wholeRound({ book, places, goals, quiet = false }) {
  return async () => {
    const title = `${book}, ${places} seats`,
      name = `hand-and-foot-${book.toLowerCase()}-${places}`;
    const ann = await house.guest("Ann", { motion: "less" }),
      { page } = ann;
    let begun = false;
    await test(`${title}: through the lobby to the table`, async () => {
      await ann.create("Hand & Foot");
      await ann.ruleBook(book);
      await ann.places(places, "hard");
      await ann.houseRules({ Speed: "instant" });
      await page.getByText(`Exactly ${book}`).waitFor();
      await ann.start();
      for (const goal of goals) await page.locator(".hf-goals").getByText(goal, { exact: true }).waitFor();
      assert.equal(await page.locator(".hf-others .hf-side").count(), book === "Classic" ? places - 1 : 1);
      begun = true;
    });
    if (!begun) return;
    await test(`${title}: HF-117, HF-121, HF-159, PL-C7 a whole round by clicks`, async () => {
      let things = 0;
      const playOn = (enough) => playUntil([ann], meldEverything, null, enough, { then: async () => void things++ });
      await playOn(
        async (guest) =>
          (things >= 12 &&
            (await page.locator(".turn.mine").isVisible()) &&
            (await page.locator("dialog[open]").count()) === 0) ||
          sees(guest),
      );
      const lines = await page.locator(".hf-log li").allTextContents();
      assert.ok(
        lines.length <= 10 && lines.every((line) => /^\[.+\] \S/.test(line) || line === "Round 1 begins"),
        `HF-122: ${lines}`,
      );
      const look = await page.locator(".hf").evaluate((one) => {
        const style = getComputedStyle(one);
        return ["--deep", "--cyan", "--magenta", "--yellow"].map((name) => style.getPropertyValue(name).trim());
      });
      assert.deepEqual(look, ["#0b0420", "#38e8ff", "#ff4fdc", "#ffe14d"], "HF-117: neon on a deep purple ground");
      const tops = [];
      for (const part of [".hf-others", ".hf-middle", ".hf-mine", ".hf-hand"])
        tops.push((await page.locator(part).boundingBox()).y);
      const sorted = [...tops].sort((a, b) => a - b);
      assert.deepEqual(tops, sorted, "HF-121: the others, deck and pile, the own melds, the own hand");
      if (!quiet) await ann.pictures(name);
      await playOn(sees);
      if (!quiet) await ann.pictures(`${name}-summary`);
    });
    await test(`${title}: HF-73 the summary has the numbers of the round`, async () => {
      const { scores, wentOut } = told(ann, "round-over");
      const { settings } = await page.evaluate(
        async (code) => (await fetch(`/api/worlds/${code}`)).json(),
        page.url().slice(-6),
      );
      const breakdowns = summary(ann).locator(".breakdown");
      assert.equal(await breakdowns.count(), scores.length);
      const [mine, ...others] = [
        scores.find(({ side }) => side === 0),
        ...scores.filter(({ side }) => side !== 0).sort((a, b) => b.roundScore - a.roundScore),
      ];
      for (const [i, score] of [mine, ...others].entries()) await asScored(breakdowns.nth(i), score, settings);
      await summary(ann)
        .getByText(
          wentOut === null ? /^Nobody went out/ : new RegExp(`${wentOut === 0 ? "You" : "\\w+bot"} went out\\.`),
        )
        .waitFor();
      await summary(ann)
        .getByRole("region", { name: "Round by round" })
        .getByRole("row", { name: /^Total/ })
        .waitFor();
      assert.deepEqual(ann.errors, []);
    });
    await ann.context.close();
  };
}

async function bigHand() {
  const ann = await house.guest("Ann", { size: "phone", motion: "less", hasTouch: true, isMobile: true }),
    { page } = ann;
  const hand = "3S 4S 4H 5S 5H 6C 6D 7S 7H 8S 8D 9C 9H 10S 10D JS JH QC QD KS KH AC AD 2S JK";
  // The corner of every card with its index, as large as a fingertip; false if something lies over it.
  const corners = () =>
    page.locator(".hf-hand [data-card]").evaluateAll((cards) =>
      cards.map((card) => {
        const { left, top, right, bottom } = card.getBoundingClientRect();
        const free = [1, 16, 31].every((x) =>
          [2, 15, 28].every((y) => document.elementFromPoint(left + x, top + y)?.closest("[data-card]") === card),
        );
        return {
          id: card.dataset.card,
          x: left + 16,
          y: top + 15,
          free: free && left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight,
        };
      }),
    );
  // Once no card has moved from one look to the next.
  const atRest = async () => {
    for (let before = "", now = await corners(); ; before = JSON.stringify(now), now = await corners()) {
      if (before === JSON.stringify(now) && now.length > 0) return now;
      await page.waitForTimeout(100);
    }
  };
  const chosen = () =>
    page.locator(".hf-hand [aria-pressed='true']").evaluateAll((cards) => cards.map((card) => card.dataset.card));
  await test("HF-123 25 cards at 390×844: a fingertip finds each, and selects it alone", async () => {
    await ann.open(
      position({
        seats: {
          0: { hand, melds: ["KS*3 KH*4", "QS*4 2S*2 JK", "AS*2 AH JK", "9S*3"] },
          1: { melds: ["5S*4 5C*3", "8H*3 2D*3"] },
          2: { melds: ["JC*5"] },
        },
        pile: "7C 8C 4D QH",
      }),
    );
    const cards = await atRest();
    assert.equal(cards.length, 25);
    assert.deepEqual(
      cards.filter(({ free }) => !free),
      [],
      "covered",
    );
    await ann.picture("hand-and-foot-25-cards-phone");
    for (const { id, x, y } of cards) {
      await page.touchscreen.tap(x, y);
      assert.deepEqual(await chosen(), [id]);
      await page.touchscreen.tap(x, y);
      assert.deepEqual(await chosen(), []);
    }
  });
  await test("HF-120 all 25 selected one after the other, 20 px higher each", async () => {
    const before = await atRest();
    for (const { id } of before) {
      const { x, y } = (await corners()).find((card) => card.id === id);
      await page.touchscreen.tap(x, y);
      assert.ok((await chosen()).includes(id), id);
    }
    assert.equal((await chosen()).length, 25);
    await page.waitForFunction(
      (tops) =>
        [...document.querySelectorAll(".hf-hand [data-card]")].every(
          (card, i) => Math.round(tops[i] - card.getBoundingClientRect().top) === 20,
        ),
      before.map(({ y }) => y - 15),
    );
    await ann.picture("hand-and-foot-25-cards-chosen-phone");
    assert.deepEqual(ann.errors, []);
  });
  await ann.context.close();
}

// Another value for a rule, with whatever control it has.
async function change(option, page) {
  for (const control of [option.getByRole("switch"), option.locator("[role=radio][aria-checked=false]")])
    if ((await control.count()) > 0) return control.first().click();
  const field = option.locator("input.input");
  const [now, most] = [await field.inputValue(), await field.getAttribute("max")];
  await field.fill(String(now === most ? Number(now) - 1 : Number(now) + 1));
  return page.keyboard.press("Tab");
}

async function everyRule() {
  const ann = await house.guest("Ann", { motion: "less" }),
    { page } = ann;
  await test("every house rule is changed in the lobby, shown as a change and taken back", async () => {
    await ann.create("Hand & Foot");
    await page.locator("details.rule-group").first().waitFor();
    for (const heading of await page.locator("details.rule-group summary").all()) await heading.click();
    const options = page.locator(".rule-group .option"),
      status = page.getByRole("group", { name: "Changes" }).getByRole("status");
    const count = await options.count();
    assert.ok(count > 45, `${count} rules`);
    for (let i = 0; i < count; i++) {
      await change(options.nth(i), page);
      await status.getByText(/^\d+ changes? from Classic/).waitFor();
      assert.ok((await page.getByLabel("House rules as one line").inputValue()).length > 0);
      await ann.button("Undo all").click();
      await status.getByText("Exactly Classic").waitFor();
    }
    assert.deepEqual(ann.errors, []);
  });
  await ann.context.close();
}

const also = { big: bigHand, rules: everyRule };
const jobs = [
  ...tables.map(wholeRound),
  ...Object.entries(also).flatMap(([name, job]) => (wanted.length === 0 || wanted.includes(name) ? [job] : [])),
];
const lane = async () => {
  for (let job = jobs.shift(); job; job = jobs.shift()) await job();
};
await Promise.all([lane(), lane(), lane()]);
await house.close();
finish();
