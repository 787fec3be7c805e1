// Every table at every size, in forced colours and with text twice as large: nothing that a person needs is
// outside the screen. With PICTURES=yes all of it goes to build/screens/looks-*.png, to be looked at.
// node tests/web/looks.mjs PROGRAM [GAME, "home", "odd", SIZE or the code of a LANGUAGE ...]
// In another language than English only moments that nobody has to play up to can be looked at: those who play look
// for English words.
import assert from "node:assert/strict";
import { finish, random, test } from "../api/client.mjs";
import { House, sizes } from "./browser.mjs";
import { players, playUntil } from "./players.mjs";
import { dealt, laid, position, saved } from "./positions.mjs";

const [program = "build/oyster", ...wanted] = process.argv.slice(2);
const house = await House.open(program, ["--worlds-per-player", "1000"]);
house.locale = wanted.find((word) => /^[a-z]{2}$/.test(word)) ?? house.locale;

// Words that choose some of a kind; without any, all are chosen.
const games = ["home", "odd", "whos-deal", "up-n-down", "4-kate", "terrible-people", "hand-and-foot"];
const among = (all) => (word) => !all.some((one) => wanted.includes(one)) || wanted.includes(word);
const chosen = among(games),
  looked = Object.keys(sizes).filter(among(Object.keys(sizes)));

// Each moment has dice of its own, so that it is the same whatever else is looked at.
const until = (guest, game, selector) =>
  playUntil([guest], players[game], random(5), ({ page }) => page.locator(selector).first().isVisible(), {
    limit: 60_000,
  });

// Moments of each table: how it is laid, and what is done until there is something to look at.
const click =
  (selector) =>
  ({ page }) =>
    page.locator(selector).first().click();
const handFull = "4S 4H 5S 5H 6C 6D 7S 7H 8C 8D 9C 9H 10S 10D JC JH QC QD KC KD AC AD 2S 2H JK";
const books = ["KS*3 KH*4", "QS*4 QH 2S JK", "AH*4 AS*3", "10S*4 10H 2C*2", "9S*3", "8S*4", "7C*3"];

const tables = [
  { game: "whos-deal", moment: "order", set: laid("whos-deal", [], dealt, click("[data-control='alone'] input")) },
  {
    game: "whos-deal",
    moment: "name",
    main: true,
    set: laid("whos-deal", [], [...dealt, "0 pass", "1 pass", "2 pass", "3 pass"]),
  },
  {
    game: "whos-deal",
    moment: "discard",
    main: true,
    set: laid("whos-deal", [], [...dealt, "0 order"], click(".wd-hand [data-card]")),
  },
  {
    game: "whos-deal",
    moment: "play",
    main: true,
    set: laid("whos-deal", [], [...dealt, "0 order", "0 discard 9C"], (ann) =>
      until(ann, "whos-deal", "[data-control='confirm']:enabled"),
    ),
  },
  {
    game: "up-n-down",
    moment: "three",
    main: true,
    set: laid("up-n-down", ["bot 1 hard", "bot 2 hard"], [], async (ann) => {
      await until(ann, "up-n-down", ".button.end.main");
      await click(".hand .slip")(ann);
    }),
  },
  {
    game: "up-n-down",
    moment: "eight",
    set: laid(
      "up-n-down",
      Array.from({ length: 7 }, (_, i) => `bot ${i + 1} easy`),
      [],
    ),
  },
  {
    game: "4-kate",
    moment: "drop",
    main: true,
    set: laid("4-kate", [], [], (ann) =>
      until(ann, "4-kate", ".kate:has(.disc:nth-child(2)) button[aria-label$='Drop here']"),
    ),
  },
  {
    game: "terrible-people",
    moment: "answer",
    main: true,
    set: laid("terrible-people", [], [], async (ann) => {
      await until(ann, "terrible-people", ".tp-hand:not(.idle)");
      await click(".tp-hand button")(ann);
    }),
  },
  {
    game: "terrible-people",
    moment: "judge",
    set: laid("terrible-people", [], [], (ann) => until(ann, "terrible-people", ".tp-reveal button")),
  },
  {
    game: "hand-and-foot",
    moment: "draw",
    set: saved(
      position({
        turn: "draw",
        seats: { 0: { hand: "KS KH KD 4C 4D 9S 2S 5H 6H 7H 3S", melds: ["9H*3"] } },
        pile: "4S KC",
      }),
    ),
  },
  {
    game: "hand-and-foot",
    moment: "meld",
    main: true,
    set: saved(
      position({
        players: 4,
        seats: { 0: { hand: handFull, foot: "", melds: books }, 1: { melds: ["6S*3", "5C*4 5D*3"] } },
        pile: "4S KC",
      }),
      async ({ page }) => {
        for (const id of ["9C", "9H"])
          await page.locator(`.hf-hand [data-card^="${id}"]`).click({ position: { x: 8, y: 12 } });
      },
    ),
  },
  {
    game: "hand-and-foot",
    moment: "partners",
    set: saved(
      position({ preset: "partners", seats: { 0: { hand: "KS KH KD 4C 4D 4H 9S 2S 5H 6H 7H 3S" } }, pile: "4S KC" }),
      async ({ page }) => {
        for (const id of ["KS", "KH", "KD"])
          await page.locator(`.hf-hand [data-card^="${id}"]`).click({ position: { x: 8, y: 12 } });
      },
    ),
  },
].filter(({ game }) => chosen(game));

// What a person needs, as far as it is outside the screen, cut off by what it stands in, or covered. Of a card that
// lies under its neighbour some part must be free. A row may be scrolled, but on a phone held sideways only beside
// the drawer.
const outside = ({ page }, size, drawer = false) =>
  page.evaluate(
    (rows) => {
      const needed = document.querySelectorAll(
        ".page :is(button, a[href], input, select), .wd-hand .card, .hand .slip, .tp-card, .tp-place, " +
          ".hf-hand .card, .hf .goal, .hf-info dd",
      );
      const wrong = [];
      for (const one of needed) {
        if (!one.checkVisibility() || one.closest(".hidden-text, .skip")) continue;
        if (
          rows.some(
            (row) =>
              one.closest(row) &&
              (one.closest(row).scrollWidth > one.closest(row).clientWidth ||
                one.closest(row).scrollHeight > one.closest(row).clientHeight),
          )
        )
          continue;
        const box = one.getBoundingClientRect();
        const room = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
        for (let above = one.parentElement; above; above = above.parentElement) {
          if (getComputedStyle(above).overflow === "visible") continue;
          const { left, top, right, bottom } = above.getBoundingClientRect();
          Object.assign(room, {
            left: Math.max(room.left, left),
            top: Math.max(room.top, top),
            right: Math.min(room.right, right),
            bottom: Math.min(room.bottom, bottom),
          });
        }
        const name = (one.ariaLabel ?? one.textContent).trim().slice(0, 40) || one.className;
        const over = Math.max(
          room.left - box.left,
          room.top - box.top,
          box.right - room.right,
          box.bottom - room.bottom,
        );
        const free = [0.5, 0.15, 0.85].some((x) =>
          [0.5, 0.2, 0.8].some((y) => {
            const found = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
            return (
              found !== null &&
              (one.contains(found) || (found.contains(one) === false && found.closest("label")?.contains(one)))
            );
          }),
        );
        if (over > 1.5) wrong.push(`${name} is ${Math.round(over)} px outside`);
        else if (!free) wrong.push(`${name} is covered`);
      }
      for (const side of document.querySelectorAll(".hf-side")) {
        const [held, laid] = [".holders", ".hf-books .quiet"].map(
          (part) => side.querySelector(part)?.lastElementChild ?? side.querySelector(part),
        );
        if (!laid?.checkVisibility()) continue;
        const [one, other] = [held, laid].map((part) => part.getBoundingClientRect());
        if (one.right > other.left && one.left < other.right && one.bottom > other.top && one.top < other.bottom)
          wrong.push(`what ${side.ariaLabel} holds is written over`);
      }
      const hand = [...document.querySelectorAll(".wd-hand .card")].map((card) => card.getBoundingClientRect());
      for (const { left, top, right, bottom } of [...document.querySelectorAll(".wd-points")].map((one) =>
        one.getBoundingClientRect(),
      ))
        if (hand.some((card) => card.left < right && card.right > left && card.top < bottom && card.bottom > top))
          wrong.push("a score is under the hand");
      const end = document.querySelector(".stage").getBoundingClientRect().bottom;
      for (const score of document.querySelectorAll(".wd-score"))
        if (document.documentElement.dataset.text !== "large" && score.getBoundingClientRect().bottom > end)
          wrong.push("a score is cut off");
      return wrong;
    },
    [...(size === "side" && !drawer ? [] : [".hf-ranks", ".hf-actions", ".hf-others"]), ...(drawer ? [".emotes"] : [])],
  );

// Words that are broken in two.
const broken = ({ page }) =>
  page.evaluate(() =>
    [...document.querySelectorAll(".page :is(.tp-card, .wd-score, .button, .hf-side)")]
      .filter((one) => one.checkVisibility())
      .flatMap((one) => {
        const found = [];
        const nodes = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
        for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
          if (!node.parentElement.checkVisibility() || node.parentElement.closest(".hidden-text")) continue;
          for (const { 0: word, index } of node.data.matchAll(/[\p{L}']+/gu)) {
            const range = new Range();
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1)
              found.push(`"${word}" is broken in two`);
          }
        }
        return found;
      }),
  );

// Bots whose level is not in sight, or whose name is cut.
const nameless = ({ page }) =>
  page.evaluate(() =>
    [...document.querySelectorAll(".stage .bot-level")].flatMap((level) => {
      const name = level.parentElement.querySelector("b, .player-name") ?? level.parentElement;
      const seen = level.getBoundingClientRect().width > 5;
      const whole = name.scrollWidth <= name.clientWidth + 1;
      return [...(seen ? [] : [`${name.textContent} has no level`]), ...(whole ? [] : [`${name.textContent} is cut`])];
    }),
  );

// With text twice as large on a phone: what one plays with that is not in sight, as long as nothing is scrolled.
const belowTheScreen = ({ page }) =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll(
        ".wd-hand .card, .wd-score, .hand .slip, .end, .tp-foot .button, .hf-hand .card, " +
          ".hf-actions .button, .columns button",
      ),
    ]
      .filter((one) => one.checkVisibility() && one.getBoundingClientRect().bottom > innerHeight + 1.5)
      .map((one) => `${(one.ariaLabel ?? one.textContent).trim()} is below the screen`),
  );

// Cards of Up-N-Down that cover a mark or the words of their pile, or are too small to be read from afar.
const SMALLEST_CARD = 36;
const crowded = ({ page }) =>
  page.evaluate(
    (least) =>
      [...document.querySelectorAll(".updown .pile")].flatMap((pile) => {
        const card = pile.querySelector(".slip:last-child").getBoundingClientRect();
        if (card.width < least) return [`a card of ${Math.round(card.width)} px`];
        return [...pile.querySelectorAll(".slot, .jump > *")]
          .filter((one) => {
            const { left, right, top, bottom, width } = one.getBoundingClientRect();
            return (
              width > 0 && left < card.right && right > card.left && top < card.bottom - 1 && bottom > card.top + 1
            );
          })
          .map((one) => `the card of ${pile.ariaLabel ?? "a pile"} touches "${one.textContent}"`);
      }),
    SMALLEST_CARD,
  );

// In forced colours: cards without an edge, a selection that looks like the rest, suits of one colour, buttons that
// look as if they could be used, numbers that cannot be read.
const withoutEdges = ({ page }) =>
  page.evaluate(() => {
    const edge = (one) => {
      const { outlineStyle, outlineWidth, outlineColor, borderTopStyle, borderTopWidth } = getComputedStyle(one);
      const outline = outlineStyle === "none" ? "" : `${outlineStyle} ${outlineWidth} ${outlineColor}`;
      return outline || borderTopStyle === "none" || borderTopWidth === "0px"
        ? outline
        : `${borderTopStyle} ${borderTopWidth}`;
    };
    const edgeOf = (card) => [card, ...card.querySelectorAll(".face, .back, .number")].map(edge).join("");
    const cards = [
      ...document.querySelectorAll(
        ".wd-hand .card, .hand .slip, .stack-of-cards .slip, .tp-card, .hf .card, .hf .tile",
      ),
    ];
    const wrong = cards
      .filter((card) => edgeOf(card) === "")
      .map((card) => `${card.ariaLabel ?? card.className} has no edge`);
    const own = cards.filter((card) => card.matches("button"));
    const [chosen, rest] = [true, false].map((pressed) =>
      own.filter((card) => (card.ariaPressed === "true") === pressed),
    );
    if (chosen.some((card) => rest.some((other) => edgeOf(card) === edgeOf(other))))
      wrong.push("what is chosen looks like the rest");
    const inks = ["s", "h"]
      .map((suit) => document.querySelector(`.face.suit-${suit}`))
      .filter(Boolean)
      .map((face) => getComputedStyle(face).color);
    if (inks.length === 2 && inks[0] === inks[1]) wrong.push("hearts have the colour of spades");
    const colour = (one) => getComputedStyle(one).color;
    const buttons = [...document.querySelectorAll(".page .button")].filter((one) => one.checkVisibility());
    const [shut, usable] = [true, false].map((is) => buttons.filter((one) => (one.ariaDisabled === "true") === is));
    if (shut.some((one) => usable.some((other) => colour(one) === colour(other))))
      wrong.push("what cannot be used looks like the rest");
    for (const number of document.querySelectorAll(".kate .columns kbd"))
      if (number.checkVisibility() && colour(number) !== colour(document.body)) wrong.push("a number is pale");
    return wrong;
  });

// With large text: what is cut off, covered or outside even when it is scrolled to. A name may be shortened with dots.
const cut = ({ page }) =>
  page.evaluate(() => {
    const wrong = [];
    const roomOf = (one) => {
      const room = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
      for (let above = one; above; above = above.parentElement) {
        if (getComputedStyle(above).overflow === "visible") continue;
        const { left, top, right, bottom } = above.getBoundingClientRect();
        Object.assign(room, {
          left: Math.max(room.left, left),
          top: Math.max(room.top, top),
          right: Math.min(room.right, right),
          bottom: Math.min(room.bottom, bottom),
        });
      }
      return room;
    };
    const over = (box, room) =>
      Math.max(room.left - box.left, room.top - box.top, box.right - room.right, box.bottom - room.bottom);
    const visible = (one) =>
      one.checkVisibility() &&
      !one.closest(".hidden-text, .skip, .face, .token") &&
      getComputedStyle(one).clipPath === "none"; // else it is only read aloud
    for (const one of document.querySelectorAll(".page *")) {
      const control = one.matches("button, a[href], input, select, .card");
      const words = [...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
      if ((!control && words.length === 0) || !visible(one)) continue;
      one.scrollIntoView({ block: "center", inline: "center" });
      const name = (one.ariaLabel ?? one.textContent).trim().slice(0, 30) || one.className;
      if (control && over(one.getBoundingClientRect(), roomOf(one.parentElement)) > 2)
        wrong.push(`${name} is ${Math.round(over(one.getBoundingClientRect(), roomOf(one.parentElement)))} px outside`);
      if (getComputedStyle(one).textOverflow === "ellipsis") continue;
      for (const node of words) {
        const range = new Range();
        range.selectNodeContents(node);
        const found = Math.max(...[...range.getClientRects()].map((box) => over(box, roomOf(one))));
        if (found > 2) wrong.push(`"${name}" is cut by ${Math.round(found)} px`);
      }
    }
    document.querySelector(".stage").scrollTo(0, 0);
    return wrong;
  });

const resize = async ({ page }, size) => {
  const [width, height] = sizes[size];
  await page.setViewportSize({ width, height });
  await page.waitForFunction(
    ([wide, high]) => innerWidth === wide && innerHeight === high && document.body.clientWidth <= wide,
    [width, height],
  );
  await page.waitForTimeout(350);
  // Waits until nothing moves, which takes longer on a busy machine.
  await page.evaluate(async () => {
    const places = () =>
      JSON.stringify([...document.querySelectorAll(".card, .button")].map((one) => one.getBoundingClientRect()));
    for (let before = "", now = places(), i = 0; now !== before && i < 20; i++) {
      await new Promise((done) => setTimeout(done, 150));
      [before, now] = [now, places()];
    }
  });
};

for (const { game, moment, set, main = false } of tables) {
  await test(`${game}, ${moment}: everything needed is on the screen, at every size`, async () => {
    const ann = await house.guest("Ann", { motion: "less" });
    await set(ann);
    const wrong = {};
    for (const size of looked) {
      await resize(ann, size);
      const found = [
        ...(await outside(ann, size)),
        ...(await crowded(ann)),
        ...(await broken(ann)),
        ...(await nameless(ann)),
      ];
      if (found.length > 0) wrong[size] = found;
      await ann.picture(`looks-${game}-${moment}-${size}`);
    }
    if (main) {
      await ann.button("Log and talk", true).click();
      for (const size of looked) {
        await resize(ann, size);
        const [table, drawer] = await Promise.all(
          [".stage", ".side"].map((one) => ann.page.locator(one).boundingBox()),
        );
        const apart = table.x + table.width <= drawer.x + 1 || table.y + table.height <= drawer.y + 1;
        const found = [
          ...(apart ? [] : ["the drawer covers the table"]),
          ...(await outside(ann, size, true)),
          ...(await crowded(ann)),
          ...(await broken(ann)),
        ];
        if (found.length > 0) wrong[`${size}, with the drawer`] = found;
        await ann.picture(`looks-${game}-${moment}-${size}-drawer`);
      }
      await ann.page.keyboard.press("Escape");
      await ann.page.locator(".side").waitFor({ state: "detached" });
      assert.equal(
        await ann.page.evaluate(() => document.activeElement.ariaLabel),
        "Log and talk",
        "the focus is where it came from",
      );
      await ann.page.emulateMedia({ forcedColors: "active" });
      for (const size of looked) {
        await resize(ann, size);
        await ann.picture(`looks-${game}-${moment}-${size}-forced`);
        const found = await withoutEdges(ann);
        if (found.length > 0) wrong[`${size}, forced colours`] = found;
      }
      await ann.page.emulateMedia({ forcedColors: "none" });
      await ann.page.evaluate(() => {
        document.documentElement.style.setProperty("--text", "2");
        document.documentElement.dataset.text = "large";
      });
      for (const size of looked) {
        await resize(ann, size);
        await ann.picture(`looks-${game}-${moment}-${size}-large`);
        const found = [
          ...(await (size === "phone" ? belowTheScreen(ann) : [])),
          ...(await (size === "phone" ? cut(ann) : outside(ann, size))),
          ...(await crowded(ann)),
          ...(await broken(ann)),
        ];
        if (found.length > 0) wrong[`${size}, text twice as large`] = found;
      }
    }
    assert.deepEqual(wrong, {});
    assert.deepEqual(ann.errors, []);
    await ann.context.close();
  });
}

const LESSON_STEPS = 4;

// Rare moments, each looked at in a place where it once went wrong.
const oddities = {
  async "a lost connection leaves the table where it is"() {
    const ann = await house.guest("Ann", { size: "phone", motion: "less" }),
      { page } = ann;
    await ann.create("Who's Deal?");
    await ann.start();
    const before = await page.locator(".stage").boundingBox();
    await ann.context.setOffline(true);
    await page.getByText("reconnecting").waitFor();
    assert.deepEqual(await page.locator(".stage").boundingBox(), before);
    await ann.picture("looks-reconnecting-phone");
    return ann;
  },
  async "what is said at a side seat stays on the screen"() {
    const ann = await house.guest("Ann", { size: "phone", motion: "less" }),
      { page } = ann;
    for (const [seat, moves] of [
      [1, ["1 call D alone", "2 pass"]],
      [3, ["1 pass", "2 pass", "3 call D alone"]],
    ]) {
      // Asked whether she defends alone, Ann has all the time there is.
      await ann.arrive();
      await ann.keep(
        `SEAT${seat}A`.replace("1", "B"),
        "whos-deal",
        ["set speed=relaxed", "set defendAlone=yes", "start"],
        [...dealt, "0 pass", ...moves],
      );
      await page.goto(`${house.url}/t/${`SEAT${seat}A`.replace("1", "B")}`);
      const words = page.locator(".wd-said").filter({ hasText: "Diamonds, alone!" });
      await words.waitFor();
      const { x, width } = await words.boundingBox();
      assert.ok(x >= 0 && x + width <= 390, `seat ${seat}: from ${x} to ${x + width}`);
      await ann.picture(`looks-said-${seat}-phone`);
    }
    return ann;
  },
  async "the longest name of a bot is whole, also while it thinks"() {
    const ann = await house.guest("Ann", { motion: "less" }),
      { page } = ann;
    const laidTables = {
      NAMEA: ["whos-deal", ["set speed=watch-along", "start"], [...dealt, "0 pass"], ".left .wd-dots"],
      NAMEB: ["up-n-down", ["bot 1 hard", "start"], [], ".turn-order .bot-level"],
      NAMEC: ["up-n-down", ["bot 1 hard", "bot 2 expert", "bot 3 medium", "start"], [], ".turn-order .bot-level"],
    };
    await ann.arrive();
    for (const [name, [game, lobby, moves, sign]] of Object.entries(laidTables))
      for (const [i, size] of Object.keys(sizes).entries()) {
        const code = `${name}${i + 2}`;
        await resize(ann, size);
        await ann.keep(code, game, lobby, moves);
        await page.goto(`${house.url}/t/${code}`);
        await page.locator(sign).first().waitFor();
        await page.evaluate(() => {
          for (const level of document.querySelectorAll(".stage .bot-level")) {
            const texts = document.createTreeWalker(level.parentElement, NodeFilter.SHOW_TEXT);
            while (!/bot\b/.test(texts.nextNode().data));
            texts.currentNode.data = "Piranhabot ";
          }
        });
        await ann.picture(`looks-names-${code}`);
        assert.deepEqual(await nameless(ann), [], `${game}, ${size}`);
      }
    return ann;
  },
  async "the hand of Hand & Foot is in sight on phones that are not tall"() {
    const ann = await house.guest("Ann", { motion: "less" }),
      { page } = ann;
    const hand = "4S 5H 6C 7D 8S 9H 10C JD QS KH AC 2D JK";
    await ann.open(position({ seats: { 0: { hand, melds: books.slice(0, 5) } }, pile: "4S" }));
    await page.locator(".hf-hand .card").first().click();
    for (const [width, height] of [
      [360, 640],
      [375, 667],
      [390, 664],
    ]) {
      await page.setViewportSize({ width, height });
      await page.waitForTimeout(300);
      await ann.picture(`looks-low-${width}`);
      assert.deepEqual(await belowTheScreen(ann), [], `${width} × ${height}`);
    }
    return ann;
  },
  async "the table of rounds shows four players on a phone"() {
    const ann = await house.guest("Ann", { size: "phone", motion: "less" }),
      { page } = ann;
    await ann.open(
      position({
        round: 3,
        history: [
          { scores: [1250, -2365, 940, 1875], out: 0 },
          { scores: [1420, 1385, -1090, 2240], out: 3 },
        ],
        seats: { 0: { hand: "KC", foot: "", melds: books.slice(0, 2) } },
        pile: "4S",
      }),
    );
    await click(".hf-hand .card")(ann);
    await page.locator("[data-control='discard']").click();
    const table = page.locator("dialog[open] .history");
    await table.scrollIntoViewIfNeeded();
    const { over, cells } = await table.evaluate((one) => ({
      over: one.parentElement.scrollWidth - one.parentElement.clientWidth,
      cells: [...one.querySelectorAll("th, td")]
        .filter((cell) => cell.scrollWidth > cell.clientWidth || cell.getBoundingClientRect().right > innerWidth)
        .map((cell) => cell.textContent),
    }));
    assert.deepEqual([over, cells], [0, []]);
    assert.equal(await table.locator("thead th").count(), 5);
    await ann.picture("looks-summary-phone");
    return ann;
  },
  async "a refusal covers no card and no meld"() {
    const ann = await house.guest("Ann", { motion: "less" }),
      { page } = ann;
    await ann.open(
      position({
        seats: { 0: { hand: "KS KH 9C 4C 4D 9S 2S 5H 6H 7H 3S", melds: ["QH*3"] }, 1: { melds: ["6S*3"] } },
        pile: "4S KC",
      }),
    );
    for (const id of ["KS", "4C", "9S"])
      await page.locator(`.hf-hand [data-card^="${id}"]`).click({ position: { x: 8, y: 12 } });
    for (const size of looked) {
      await resize(ann, size);
      await page.locator("[data-control='meld']").click({ force: true }); // it says why it cannot be used
      await page.locator(".toast").first().waitFor();
      await page.waitForTimeout(300);
      const covered = await page.evaluate(() => {
        const notes = [...document.querySelectorAll(".toast")]
          .filter((one) => one.checkVisibility())
          .map((one) => one.getBoundingClientRect());
        return [...document.querySelectorAll(".hf :is(.card, .tile, .button)")]
          .filter((one) =>
            notes.some((note) => {
              const { left, top, right, bottom } = one.getBoundingClientRect();
              return left < note.right && right > note.left && top < note.bottom && bottom > note.top;
            }),
          )
          .map((one) => one.ariaLabel ?? one.className);
      });
      await ann.picture(`looks-toast-${size}`);
      assert.deepEqual(covered, [], size);
      await page.locator(".toast").first().waitFor({ state: "detached" });
    }
    return ann;
  },
  async "lessons keep the own cards in sight"() {
    const ann = await house.guest("Ann", { motion: "less" }),
      { page } = ann;
    await ann.arrive();
    for (const game of ["hand-and-foot", "whos-deal", "up-n-down"]) {
      await page.goto(`${house.url}/learn/${game}`);
      await page.locator(".coach").waitFor();
      for (let step = 1; ; step++) {
        for (const size of looked) {
          await resize(ann, size);
          await ann.picture(`looks-lesson-${game}-${step}-${size}`);
          assert.deepEqual(await outside(ann, size, true), [], `${game}, step ${step}, ${size}`);
          const cut = await page.locator(".coach").evaluate((coach) => coach.scrollHeight - coach.clientHeight);
          assert.ok(size === "side" || cut <= 0, `${game}, step ${step}, ${size}: ${cut} px of the coach are cut`);
        }
        if (step >= LESSON_STEPS) break;
        // "Next", or what the coach lights up.
        const todo = page.locator("[data-coach-next], [data-lit]:is(button, .card)").first();
        await todo.waitFor();
        const { width, height } = await todo.boundingBox();
        await todo.click({ position: { x: width * 0.3, y: height * 0.3 } });
        await page.waitForTimeout(300);
      }
    }
    return ann;
  },
};
for (const [title, look] of Object.entries(oddities))
  if (chosen("odd"))
    await test(title, async () => {
      const guest = await look();
      await guest.context.close();
    });

if (chosen("home"))
  await test("home and lobby: the first screen has the way to play, and nothing is wider than it", async () => {
    const ann = await house.guest("Ann", { size: "side" }),
      { page } = ann;
    const fits = async (size, inSight) => {
      await resize(ann, size);
      await page.evaluate(() => scrollTo(0, 0));
      assert.ok(
        await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
        `${size}: no sideways scrolling`,
      );
      const beside = await page.locator(".page :is(button, a, input, select):visible").evaluateAll((all) =>
        all
          .map((one) => [one.ariaLabel ?? one.textContent, one.getBoundingClientRect()])
          .filter(([, { left, right }]) => left < 0 || right > innerWidth)
          .map(([name]) => name),
      );
      assert.deepEqual(beside, [], size);
      for (const wanted of inSight) {
        const { y, height } = await wanted.boundingBox();
        assert.ok(y + height <= sizes[size][1], `${size}: ${wanted} ends at ${y + height}`);
      }
    };
    await ann.arrive();
    for (const size of looked) {
      await fits(
        size,
        size === "side"
          ? [ann.button(/^Play now/).first(), page.getByRole("textbox", { name: "Code of a world" })]
          : [],
      );
      await ann.picture(`looks-home-${size}`);
    }
    await resize(ann, "desk");
    await ann.create("Who's Deal?");
    for (const size of looked) {
      await fits(size, [ann.button("Start the game")]);
      await ann.picture(`looks-lobby-${size}`);
    }
    await ann.context.close();
  });

await house.close();
finish();
