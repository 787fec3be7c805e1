// What is around the games: statistics, tricks looked at again, house rules as a line, team names,
// tables as files, what is celebrated, and what a page says when there is nothing or nobody.
// node tests/web/finish.mjs PROGRAM
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { finish, random, test } from "../api/client.mjs";
import { House, recordedMoves } from "./browser.mjs";
import { players, playUntil, resultShown } from "./players.mjs";

const house = await House.open(process.argv[2] ?? "build/oyster", [
  "--actions-per-second",
  "1000",
  "--actions-burst",
  "1000",
]);
const clean = async (guest, where) => assert.deepEqual(await guest.violations(), [], where);

/* ---- Nothing yet ---- */

const emptyPages = () =>
  test("UD-68 pages with nothing to list say so; the page has an icon and a picture for links", async () => {
    const zoe = await house.guest("Zoë");
    await zoe.page.goto(house.url);
    const named = await zoe.page.evaluate(() => ({
      icon: document.querySelector("link[rel=icon]").href,
      preview: document.querySelector("meta[property='og:image']").content,
    }));
    assert.match((await zoe.page.request.get(named.icon)).headers()["content-type"], /^image\/svg/);
    const size = await zoe.page.evaluate(async (src) => {
      const picture = new Image();
      picture.src = src;
      await picture.decode();
      return [picture.naturalWidth, picture.naturalHeight];
    }, named.preview);
    assert.deepEqual(size, [1200, 630]);
    await zoe.page.getByText("Nobody is waiting just now.").waitFor();
    assert.equal(await zoe.page.getByRole("heading", { name: "Continue" }).count(), 0);
    await zoe.page.getByRole("link", { name: "Statistics" }).click();
    await zoe.page.getByRole("heading", { name: "Nothing to count yet" }).waitFor();
    await clean(zoe, "no statistics");
    await zoe.picture("statistics-none-desk");
    assert.deepEqual(zoe.errors, []);
    await zoe.context.close();
  });

/* ---- Statistics ---- */

const ann = await house.guest("Ann", { motion: "less" });
const dice = random(3);
const ownDiscs = () =>
  ann.page.evaluate(async () => {
    const world = await (await fetch(`/api/worlds/${location.pathname.slice(-6)}`)).json();
    return {
      discs: world.view.board.flat().filter((seat) => seat === world.you.seatIndex).length,
      won: world.view.winner === world.you.seatIndex,
    };
  });
const figure = (game, label) =>
  ann.page
    .locator(`.record[data-game="${game}"] dl div`)
    .filter({ has: ann.page.getByText(label, { exact: true }) })
    .locator("dd")
    .first()
    .textContent();

const statistics = () =>
  test("UD-69 statistics count what one did in finished games, and plot them", async () => {
    await ann.create("4 Kate");
    await ann.houseRules({ Speed: "instant" });
    await ann.button("Start the game").click();
    const games = [];
    for (const last of [false, true]) {
      await playUntil([ann], players["4-kate"], dice, resultShown);
      games.push(await ownDiscs());
      if (last) break;
      await ann.button("Play again").click();
      await ann.page.locator("dialog.result[open]").waitFor({ state: "hidden" });
    }
    await ann.create("Who's Deal?");
    await ann.houseRules({ Speed: "instant", "Points to win": 5, "Scores at the start": "4,4" });
    await ann.button("Start the game").click();
    await playUntil([ann], players["whos-deal"], dice, resultShown);
    const hands = /^(\d+) hands?$/.exec(
      await ann.page.locator("dialog.result[open] .wd-plot svg > text").last().textContent(),
    )[1];

    await ann.page.goto(`${house.url}/statistics`);
    const kate = ann.page.locator('.record[data-game="4-kate"]'),
      won = games.filter((game) => game.won).length;
    await kate.getByText(`${won} of 2 won`).waitFor();
    assert.equal(await figure("4-kate", "Discs"), String(games[0].discs + games[1].discs));
    assert.match(
      await kate.getByRole("img", { name: /^Scores/ }).getAttribute("aria-label"),
      new RegExp(
        `^Scores of the last 2 games of 4 Kate: ${games.map((game) => (game.won ? "1 won" : "0")).join(", ")}$`,
      ),
    );
    await kate
      .getByRole("img", { name: `In the last games: ${games[0].discs}, ${games[1].discs}`, exact: true })
      .waitFor();
    assert.equal(await kate.locator("circle").count(), 2);
    assert.equal(await kate.locator("circle.won").count(), won);
    assert.equal(await figure("whos-deal", "Hands"), hands);
    for (const label of ["Calls", "Lone sweeps", "Marches", "Euchres", "Times euchred"])
      assert.match(await figure("whos-deal", label), /^\d+$/, label);
    assert.match(await ann.page.locator("main").textContent(), /With .*bot \d of 1 won.*Against .*bot \d of [12] won/);
    await clean(ann, "statistics");
    await ann.pictures("statistics");
    const [saved] = await Promise.all([ann.page.waitForEvent("download"), ann.button("Save as a file").click()]);
    const { last } = JSON.parse(readFileSync(await saved.path(), "utf8"));
    assert.deepEqual(
      last.map(({ gameId, others }) => [gameId, others.length]),
      [
        ["whos-deal", 3],
        ["4-kate", 1],
        ["4-kate", 1],
      ],
    );
    await ann.button("Delete", true).click();
    await ann.button("Delete all that this server counted for you").click();
    await ann.page.getByRole("heading", { name: "Nothing to count yet" }).waitFor();
  });

/* ---- House rules ---- */

const code = ({ page }) => page.getByLabel("House rules as one line");
const houseRules = () =>
  test("house rules are found, compared with their rule book, and carried over as one line", async () => {
    const bob = await house.guest("Bob", { motion: "less", permissions: ["clipboard-read", "clipboard-write"] });
    await bob.create("Hand & Foot");
    const search = bob.page.getByRole("searchbox", { name: "Find a rule" });
    await search.fill("draw two nothing");
    await bob.page.getByText("No rule has these words.").waitFor();
    await search.fill("cards to draw");
    await bob.page
      .getByRole("group", { name: "Changes" })
      .getByText(/^Exactly /)
      .waitFor();
    assert.equal(await bob.page.getByLabel("Jokers per deck").count(), 0, "other rules are out of the way");
    await bob.houseRules({ "Cards to draw": 3 });
    await bob.page.getByText(/^1 change from /).waitFor();
    await bob.page.getByText("Cards to draw: 3 instead of 2").waitFor();
    await search.fill("");
    await bob.houseRules({ Rounds: 4 });
    await bob.page.getByText(/^2 changes from /).waitFor();
    await clean(bob, "changed house rules");
    await bob.picture("rules-desk");
    const line = await code(bob).inputValue();
    assert.match(line, /^preset=classic .*draw.*=3/i);
    await bob.button("Copy", true).click();
    await bob.page.getByText("House rules copied").waitFor();

    await bob.create("Hand & Foot");
    await bob.page.getByText(/^Exactly /).waitFor();
    await code(bob).fill("");
    await code(bob).press("ControlOrMeta+V");
    await bob.button("Apply").click();
    await bob.page.getByText(/^2 changes from /).waitFor();
    assert.equal(await code(bob).inputValue(), line);
    await code(bob).fill(`${line} decks=banana`);
    await bob.button("Apply").click();
    await bob.page
      .getByRole("alert")
      .getByText(/decks|banana|number/i)
      .waitFor();
    await bob.button("Cancel").click();
    assert.equal(await code(bob).inputValue(), line, "nothing changed");
    await bob.button("Undo all").click();
    await bob.page.getByText(/^Exactly /).waitFor();
    assert.deepEqual(bob.errors, []);
    await bob.context.close();
  });

const teamNames = () =>
  test("WD-146 a team's name is seen by everybody, in the lobby and at the table", async () => {
    const [cy, di] = [
      await house.guest("Cy", { motion: "less" }),
      await house.guest("Di", { motion: "less", size: "phone" }),
    ];
    const room = await cy.create("Who's Deal?");
    await di.join(room);
    await cy.page.getByLabel("Name of Team A").fill("The Sharks");
    await cy.page.keyboard.press("Tab");
    await di.page.getByRole("heading", { name: "The Sharks" }).waitFor();
    await cy.button("Start the game").click();
    for (const guest of [cy, di]) await guest.page.locator(".stage").getByText("The Sharks").first().waitFor();
    assert.deepEqual([cy.errors, di.errors], [[], []]);
    await Promise.all([cy.context.close(), di.context.close()]);
  });

/* ---- Tables as files ---- */

const eve = await house.guest("Eve", { motion: "less" });
const saved = async () => {
  const [file] = await Promise.all([eve.page.waitForEvent("download"), eve.menu("Save to a file")]);
  return { name: file.suggestedFilename(), path: await file.path() };
};
const openFile = async (file) => {
  await eve.page.goto(house.url);
  await eve.page.getByLabel("A saved table").setInputFiles(file);
};

const serverFile = () =>
  test("HF-160 a table against bots is saved to a file and goes on from it", async () => {
    await eve.create("Hand & Foot");
    await eve.houseRules({ Speed: "instant" });
    await eve.button("Start the game").click();
    await eve.page.locator(".turn.mine").waitFor();
    const hand = () =>
      eve.page.evaluate(() =>
        [...document.querySelectorAll(".hf-hand [data-card]")].map((one) => one.dataset.card).sort(),
      );
    const before = await hand(),
      address = eve.page.url();
    const file = await saved();
    assert.match(file.name, /^hand-and-foot-[A-Z0-9]{6}\.json$/);
    await openFile({ name: file.name, mimeType: "application/json", buffer: readFileSync(file.path) });
    await eve.page.locator("dialog[open]").getByRole("button", { name: "With friends" }).click();
    await eve.button("Start the game").click();
    await eve.page.locator(".turn.mine").waitFor();
    assert.notEqual(eve.page.url(), address);
    assert.deepEqual(await hand(), before);
    await openFile({ name: "diary.json", mimeType: "application/json", buffer: Buffer.from('{"dear": "diary"}') });
    await eve.page.locator("dialog[open]").getByRole("button", { name: "With friends" }).click();
    await eve.page
      .getByRole("alert")
      .getByText(/version|missing|save/i)
      .waitFor();
    await openFile({ name: "diary.txt", mimeType: "text/plain", buffer: Buffer.from("Dear diary") });
    await eve.page.getByText("This file is no saved table").waitFor();
  });

const deviceSave = () =>
  test("HF-98 a table of Hand & Foot on this device is the same JSON, and goes on with its log", async () => {
    await eve.page.goto(house.url);
    await eve.button("Play now: Hand & Foot against bots").click();
    await eve.page.locator(".turn.mine").waitFor();
    await eve.page.locator(".hf-actions").getByRole("button", { name: "Draw from Deck" }).click();
    await eve.page.locator(".turn").getByText("Your turn: meld").waitFor();
    const hand = () =>
      eve.page.evaluate(() =>
        [...document.querySelectorAll(".hf-hand [data-card]")].map((one) => one.dataset.card).sort(),
      );
    const log = () => eve.page.locator(".hf-log li").allTextContents();
    const before = await hand(),
      lines = await log(),
      file = await saved();
    assert.match(file.name, /^hand-and-foot-[A-Z0-9]{6}\.json$/);
    const save = JSON.parse(readFileSync(file.path));
    assert.deepEqual(
      [save.version, save.players.length, save.gameState.turnPhase, save.players[0].hand.length],
      ["1.0", 4, "meld", 13],
    );
    assert.deepEqual(save.recentActions.map(({ message }) => message).at(-1), "drew 2 cards");
    assert.ok(lines.some((line) => line.includes("drew 2 cards")));
    for (const offline of [false, true]) {
      await eve.page.goto(house.url);
      if (offline) {
        await eve.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
        await eve.context.setOffline(true);
        await eve.page.reload();
        await eve.page
          .getByRole("button", { name: /^With friends/ })
          .and(eve.page.locator("[aria-disabled=true]"))
          .first()
          .waitFor();
      }
      await eve.page
        .getByLabel("A saved table")
        .setInputFiles({ name: file.name, mimeType: "application/json", buffer: readFileSync(file.path) });
      if (!offline) await eve.page.locator("dialog[open]").getByRole("button", { name: "On this device" }).click();
      await eve.page.locator(".turn").getByText("Your turn: meld").waitFor();
      assert.match(new URL(eve.page.url()).pathname, /^\/t\//);
      assert.deepEqual(await hand(), before);
      assert.deepEqual(await log(), lines, "HF-95 the action log is back");
    }
    await eve.context.setOffline(false);
  });

const deviceFile = () =>
  test("so is a table of this device", async () => {
    await eve.page.goto(house.url);
    await eve.button("Play now: 4 Kate against bots").click();
    await eve.page.locator(".turn.mine").waitFor();
    await eve.button(/^Column 4/).click();
    await eve.page.locator(".turn.mine").waitFor({ state: "detached" });
    await eve.page.locator(".turn.mine").waitFor();
    const discs = () => eve.page.locator(".kate .discs .disc").count();
    const before = await discs(),
      file = await saved();
    assert.match(file.name, /^4-kate-[A-Z0-9]{6}\.oyster-table$/);
    await openFile({ name: file.name, mimeType: "text/plain", buffer: readFileSync(file.path) });
    await eve.page.locator(".turn.mine").waitFor();
    assert.equal(await discs(), before);
    assert.deepEqual(eve.errors, []);
  });

/* ---- Moments, from recorded games ---- */

// The person has seat 0.
const keep = async (guest, room, game, setup, moves) => {
  await guest.keep(room, game, ["set speed=instant", ...setup, "start"], moves);
  await guest.page.goto(`${house.url}/t/${room}`);
};

const two = ["bot 3 closed", "bot 2 closed"];
const suggest = async ({ page }) => {
  await page.locator('.hf-actions button:text-is("Suggest")').click();
  await page.locator(".hf-actions [data-control='meld'].main").click();
};
const playCard =
  (card) =>
  async ({ page }) => {
    await page.locator(`.wd-hand [data-card="${card}"]`).click();
    await page.locator("[data-control='confirm']").click();
  };
const before = (moves, words) => moves.slice(0, moves.lastIndexOf(words));
const moments = [
  {
    room: "MARCHA",
    game: "whos-deal",
    moves: before(recordedMoves("whos_deal", "march"), "0 play QS"),
    act: playCard("QS"),
    words: "March!",
  },
  {
    room: "EUCHRE",
    game: "whos-deal",
    moves: before(recordedMoves("whos_deal", "euchre"), "0 play QS"),
    act: playCard("QS"),
    words: "Euchre!",
  },
  {
    room: "BACKTN",
    game: "up-n-down",
    setup: ["bot 1 easy", "set maxCardValue=22 handSize=4 allowUndo=yes"],
    moves: recordedMoves("up_n_down", "undo_with_refill").slice(0, 2),
    act: async ({ page }) => {
      await page.locator(".hand .slip.special").click();
      await page.locator(".pile.lit .target").first().click();
    },
    words: "10 back!",
  },
  {
    room: "CKEANX",
    game: "hand-and-foot",
    setup: two,
    moves: recordedMoves("hand_and_foot", "classic_round").slice(0, 2),
    act: suggest,
    words: "Clean",
  },
  {
    room: "GANGUT",
    game: "hand-and-foot",
    setup: two,
    moves: before(recordedMoves("hand_and_foot", "classic_round"), "0 meld 5S 5D 5C"),
    act: suggest,
    words: "You are out!",
  },
];
// A cheer passes: the page notes down each one as it comes, and how many of its parts move for longer
// than an eye needs to see it.
const watchCheers = () => {
  window.cheers = [];
  new MutationObserver((changes) => {
    for (const added of changes.flatMap((change) => [...change.addedNodes])) {
      if (!(added instanceof Element) || !added.matches(".cheer, .hf-cheer")) continue;
      const moving = document
        .getAnimations()
        .filter(({ effect }) => added.contains(effect.target) && effect.getComputedTiming().duration > 1);
      window.cheers.push({ text: added.textContent, moving: moving.length });
    }
  }).observe(document, { childList: true, subtree: true });
};

async function celebrations(how, looks, flies, wanted = moments) {
  const fay = await house.guest("Fay", { size: "phone", ...looks });
  await fay.page.addInitScript(watchCheers);
  await fay.arrive();
  await fay.page.getByRole("heading", { name: "Pull up a chair" }).waitFor();
  for (const { room, game, setup = [], moves, act, words } of wanted) {
    await test(`WD-141, UD-74 ${words} is celebrated, ${how}`, async () => {
      await keep(fay, room, game, setup, moves);
      await fay.page.locator(".turn.mine").waitFor();
      await act(fay);
      const seen = await fay.page.waitForFunction(
        (wanted) => window.cheers.find(({ text }) => text.includes(wanted)),
        words,
      );
      assert.equal((await seen.jsonValue()).moving > 0, flies);
      await fay.picture(`cheer-${game}-${words.replace(/\W/g, "")}-${flies ? "moving" : "still"}`);
    });
  }
  if (flies) await pilesThatFit(fay);
  if (flies) await tricksAgain(fay);
  if (flies) await calls(fay);
  await test(`nothing went wrong at these tables, ${how}`, () => assert.deepEqual(fay.errors, []));
  await fay.context.close();
}

// On a phone: every control is large enough for a finger, and nothing is wider than the screen.
const forFingers = async ({ page }, selector) => {
  for (const box of await page
    .locator(selector)
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON())))
    assert.ok(box.width >= 44 && box.height >= 44, `${selector}: ${box.width} × ${box.height}`);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no sideways scrolling");
};
const passes = (count) => [...recordedMoves("whos_deal", "stuck_dealer").slice(0, 1 + count)];

const calls = async (fay) => {
  const { page } = fay,
    call = page.locator(".wd-call");
  await test("WD-91, WD-98, WD-100 the first round of calls on a phone, and the score", async () => {
    await keep(fay, "CARDSA", "whos-deal", [], passes(3));
    await page.getByRole("img", { name: "queen of spades, turned up" }).waitFor();
    for (const name of ["Pick it up", "Pass"]) await call.getByRole("button", { name, exact: true }).waitFor();
    // Whoever has just used the switch asks for the keys like everybody else.
    await call.getByRole("switch", { name: "Go Alone" }).focus();
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator("dialog[open]").waitFor({ state: "detached" });
    await fay.refused(page.locator(".wd-hand .card").first(), "First trump is called");
    await forFingers(fay, ".wd-call button, .wd-call label, .wd-hand .card");
    const score = page.getByRole("region", { name: "Score" });
    assert.equal(await score.locator(".wd-score.own").count(), 1);
    assert.match(await score.innerText(), /0[\s\S]*to\s*10[\s\S]*0/);
    assert.equal(await score.getByRole("img", { name: "0 tricks" }).count(), 2);
  });
  await test("WD-92, WD-129 the second round: not the turned-down suit, and no pass for a stuck dealer", async () => {
    await keep(fay, "CARDSB", "whos-deal", [], passes(7));
    await call.getByText("You must call").waitFor();
    assert.deepEqual(
      await call
        .getByRole("button")
        .evaluateAll((all) => all.map((one) => `${one.ariaLabel}${one.ariaDisabled === "true" ? ": no" : ""}`)),
      ["Spades, turned down: no", "Hearts", "Diamonds", "Clubs"],
    );
    await fay.refused(call.getByRole("button", { name: "Spades, turned down" }), "Cannot call that suit");
    await page.keyboard.press("p");
    await page.getByRole("alert").getByText("Dealer must call").waitFor();
    await forFingers(fay, ".wd-call button");
    await keep(fay, "CARDSC", "whos-deal", ["set stickTheDealer=no"], passes(7));
    await call.getByRole("button", { name: "Pass", exact: true }).waitFor();
  });
  await test("who may call only alone is told so by the switch, which stays on", async () => {
    const [deal] = passes(0),
      round = (...seats) => [deal, ...[...seats, ...seats].map((seat) => `${seat} pass`)];
    await keep(
      fay,
      "CARDSD",
      "whos-deal",
      ["set stickTheDealer=no canadianLoner=yes"],
      [...round(1, 2, 3, 0), ...round(2, 3, 0, 1), deal, "3 pass"],
    );
    const alone = call.getByRole("switch", { name: "Go Alone" });
    await alone.waitFor();
    assert.deepEqual([await alone.isDisabled(), await alone.isChecked()], [true, true]);
    await alone.click({ force: true });
    await page.getByRole("alert").getByText("The dealer's partner may order up only alone").waitFor();
    assert.ok(await alone.isChecked());
  });
  await test("WD-93, WD-95 who called what; a trick stays for two seconds, its winner marked", async () => {
    await keep(fay, "TRCKSA", "whos-deal", ["set speed=normal"], recordedMoves("whos_deal", "plain_make").slice(0, 7));
    const trump = page.getByRole("group", { name: "Trump" });
    await trump.getByText("Spades").waitFor();
    await trump.getByText(/bot called/).waitFor();
    await page.locator(".turn.mine").waitFor();
    await page.evaluate(() => {
      let begin = 0;
      new MutationObserver(() => {
        const trick = document.querySelector(".wd-trick.complete");
        if (trick && !begin)
          [begin, window.taken] = [
            performance.now(),
            {
              words: [...trick.querySelectorAll("li.won .hidden-text")].map((one) => one.textContent),
              cards: trick.children.length,
            },
          ];
        if (!trick && begin) window.taken.ms ??= performance.now() - begin;
      }).observe(document.querySelector(".stage"), { subtree: true, childList: true, attributeFilter: ["class"] });
    });
    await playCard("9S")(fay);
    const taken = await (await page.waitForFunction(() => window.taken?.ms && window.taken)).jsonValue();
    assert.deepEqual([taken.words, taken.cards], [["You: 9 of spades, takes the trick"], 4]);
    assert.ok(taken.ms > 1900, `${taken.ms} ms`);
    await trump.getByText("Spades").waitFor();
  });
  await test("WD-90, WD-94, WD-97 the dealer discards one of six cards, then sits out", async () => {
    const moves = recordedMoves("whos_deal", "dealers_partner_alone").slice(0, 3);
    await keep(fay, "DEARRA", "whos-deal", ["set speed=normal"], moves);
    const own = page.locator(".wd-own-place");
    await own.locator(".wd-plate.active").waitFor();
    assert.equal(await own.locator(".wd-chip .hidden-text").innerText(), "dealer");
    assert.equal(await page.locator(".wd-chip").count(), 1);
    assert.equal(await page.locator(".wd-hand .card").count(), 6);
    assert.equal(
      await page.locator('.wd-hand .card:has(.wd-tag:text-is("picked up"))').getAttribute("data-card"),
      "KS",
    );
    await page.locator('.wd-hand [data-card="9H"]').click();
    await fay.button(/^Discard/).click();
    await page.getByText("Partner is going alone").waitFor();
    assert.equal(await page.locator(".wd-hand").count(), 0);
  });
  await test("WD-89, WD-90, WD-99 who sits where, who is alone and who sits out", async () => {
    const moves = recordedMoves("whos_deal", "lone_make").slice(0, 4);
    await keep(fay, "SEATSA", "whos-deal", ["set speed=normal"], moves);
    await page.locator(".turn.mine").waitFor();
    for (const [side, name] of [
      ["left", "\\w+bot, on the left"],
      ["top", "\\w+bot, opposite"],
      ["right", "\\w+bot, on the right"],
    ])
      assert.match(await page.locator(`.wd-seat.${side}`).getAttribute("aria-label"), new RegExp(`^${name}`));
    const middle = async (part) => {
      const { x, y, width, height } = await page.locator(part).boundingBox();
      return { x: x + width / 2, y: y + height / 2 };
    };
    const [left, top, right, trick, hand] = await Promise.all(
      [".wd-seat.left", ".wd-seat.top", ".wd-seat.right", ".wd-trick", ".wd-hand"].map(middle),
    );
    assert.ok(left.x < trick.x && trick.x < right.x && top.y < trick.y && trick.y < hand.y);
    assert.match(await page.getByRole("group", { name: "Trump" }).innerText(), /Spades\s+\w+bot called, alone/);
    assert.equal(await page.locator(".wd-seat.out").count(), 1);
    await page.locator(".wd-seat.right.out").getByText("Sits out").waitFor();
    const grey = (one) => getComputedStyle(one).filter;
    assert.equal(await page.locator(".wd-seat.out .wd-plate").evaluate(grey), "grayscale(1)");
  });
  await test("WD-96 cards that may be played are bright, the others dim; the second tap plays", async () => {
    const moves = [...recordedMoves("whos_deal", "wrong_follow_suit").slice(0, 7), "2 play 10D", "3 play QS"];
    await keep(fay, "BRGHTA", "whos-deal", ["set speed=normal"], moves);
    await page.locator(".turn.mine").waitFor();
    const ids = (cards) => cards.map((card) => card.dataset.card).sort();
    assert.deepEqual(await page.locator(".wd-hand .card.lit").evaluateAll(ids), ["AD", "KD", "QD"]);
    assert.deepEqual(await page.locator(".wd-hand .card.dimmed").evaluateAll(ids), ["10S", "9S"]);
    const queen = page.locator('.wd-hand [data-card="QD"]');
    await queen.click();
    assert.equal(await queen.getAttribute("aria-pressed"), "true");
    await queen.click();
    await queen.waitFor({ state: "detached" });
  });
  await test("WD-142 cards are dealt from the dealer's place", async () => {
    await page.addInitScript(() => {
      const { animate } = Element.prototype;
      window.flown = new Set();
      Element.prototype.animate = function (...how) {
        if (this.matches(".wd-hand [data-flip]")) window.flown.add(this.dataset.flip);
        return animate.apply(this, how);
      };
    });
    await keep(fay, "DEAXTA", "whos-deal", [], []);
    await page.waitForFunction(() => window.flown.size === 5);
  });
};

const pilesThatFit = (fay) =>
  test("UD-57 a chosen card is marked, and so are the piles that take it", async () => {
    const deal = "- deal 2 3 21 22 / 4 5 6 7 / 8 9 10 14 11 12 13 15 16 17 18 19 20";
    const setup = ["bot 1 easy", "set maxCardValue=22 handSize=4"];
    await keep(fay, "PYRESA", "up-n-down", setup, [deal, "0 play 21 1"]);
    const three = fay.page.locator('.hand [data-card="3"]');
    await three.click();
    await fay.page.locator('.hand .chosen[data-card="3"]').waitFor();
    assert.equal(await three.getAttribute("aria-pressed"), "true");
    const numbers = (piles) => piles.map((pile) => pile.dataset.pile);
    assert.deepEqual(await fay.page.locator(".pile.lit").evaluateAll(numbers), ["2", "3", "4"]);
    assert.deepEqual(await fay.page.locator(".pile.dim").evaluateAll(numbers), ["1"]);
  });

const tricksAgain = (fay) =>
  test("WD-143 the tricks of a hand are looked at again, also by who comes late", async () => {
    await keep(fay, "TRCKS2", "whos-deal", [], before(recordedMoves("whos_deal", "march"), "0 play QS"));
    await fay.button("Look at the last trick: 4 tricks taken").click();
    const tricks = fay.page.getByRole("dialog", { name: "Tricks of this hand" }).locator(".wd-taken > li");
    const taken = await tricks.getByRole("heading").allTextContents();
    const partner = await fay.page.locator(".wd-seat.top .wd-name").evaluate((name) => name.firstChild.data.trim());
    assert.deepEqual(taken, [`4. ${partner} took it`, `3. ${partner} took it`, "2. You took it", "1. You took it"]);
    assert.deepEqual(
      await tricks
        .first()
        .getByRole("img")
        .evaluateAll((cards) => cards.map((card) => card.getAttribute("aria-label"))),
      ["ace of clubs", "king of clubs", "10 of clubs", "9 of clubs"],
    );
    await clean(fay, "tricks of this hand");
    await fay.picture("tricks-phone");
  });

// Two things at a time: while one waits, the other goes on.
const lanes = [
  [
    emptyPages,
    statistics,
    () => celebrations("still where the device wants less motion", { reducedMotion: "reduce" }, false),
  ],
  [
    houseRules,
    teamNames,
    serverFile,
    deviceSave,
    deviceFile,
    () => celebrations("with signs that fly", {}, true),
    () => celebrations("still by one's own setting", { motion: "less" }, false, moments.slice(2, 4)),
  ],
];
await Promise.all(
  lanes.map(async (jobs) => {
    for (const job of jobs) await job();
  }),
);

/* ---- Nobody answers ---- */

await test("when the server is gone, pages say so and offer another try", async () => {
  await ann.page.goto(`${house.url}/statistics`);
  await ann.page.getByRole("heading", { name: "Nothing to count yet" }).waitFor();
  await ann.page.evaluate(() => navigator.serviceWorker.ready);
  await house.server.stop();
  await ann.page.reload();
  await ann.page.getByRole("alert").getByText("The server does not answer").waitFor();
  await ann.button("Try again").click();
  await ann.page.getByRole("alert").getByText("The server does not answer").waitFor();
  await clean(ann, "statistics without a server");
  await ann.picture("statistics-no-server-desk");
});

await house.browser.close();
finish();
