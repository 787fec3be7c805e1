// Home, lobby, settings and the odd places: used as people do, looked at by axe.
import assert from "node:assert/strict";
import { test } from "../api/client.mjs";
import { accepted, until } from "../api/tools.mjs";
import { renderSVG } from "../../web/node_modules/uqr/dist/index.mjs";
import { House, recordedMoves } from "./browser.mjs";

const house = await House.open(process.argv[2]);
const ann = await house.guest("Ann");
const bob = await house.guest("Bob", { size: "phone" });
const clean = async (guest) => assert.deepEqual(await guest.violations(), []);

await test("PL-51, PL-52 a stranger finds all games on a dark page and says a name", async () => {
  const stranger = await house.guest("Zoë", { size: "phone" });
  await stranger.page.goto(house.url);
  const { games } = await (await fetch(`${house.url}/api/games`)).json();
  assert.equal(await stranger.page.getByRole("article").count(), games.length);
  assert.equal(await stranger.page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "dark");
  await clean(stranger);
  await stranger.pictures("home");
  await stranger.button("With friends: Who's Deal?").click();
  await stranger.page.getByRole("textbox", { name: "Your name" }).fill("Zoë");
  await clean(stranger);
  await stranger.button("That's me").click();
  await stranger.page.getByRole("heading", { name: "At the table", level: 2 }).waitFor();
  assert.deepEqual(stranger.errors, []);
  await stranger.context.close();
});

await test("home's bar is one line on a phone, and says all it can", async () => {
  for (const name of ["", "Ann", "Maximiliane von Hohenfels"]) {
    const someone = await house.guest(name, { size: "phone" });
    if (name) await someone.arrive();
    else await someone.page.goto(house.url);
    await someone.button(name ? `You are ${name}. Change your name` : "Your name").waitFor();
    const bar = await someone.page.evaluate(() => {
      const own = document.querySelector(".own-name"),
        all = document.querySelector(".home > .bar");
      return {
        height: all.getBoundingClientRect().height,
        over: all.scrollWidth - all.clientWidth,
        cut: own.scrollWidth > own.clientWidth,
      };
    });
    assert.ok(bar.height < 80 && bar.over <= 0, JSON.stringify(bar));
    assert.equal(bar.cut, name.length > 20, "only a long name is cut short");
    await someone.context.close();
  }
});

await test("home: three games on a phone's screen, the last played first, open tables above them", async () => {
  const kim = await house.guest("Kim", { size: "phone" }),
    { page } = kim;
  await kim.arrive();
  const third = page.locator(".game").nth(2).locator(".button.main");
  await third.waitFor();
  const { y, height } = await third.boundingBox();
  assert.ok(y + height <= 844, `the third game's button ends at ${y + height}`);
  const host = await house.server.person("Hanna");
  const { roomCode } = await host.create("whos-deal", { public: true, settings: { targetScore: 7 } });
  await page.reload();
  await page.getByRole("heading", { name: "Open tables" }).waitFor();
  const top = async (selector) => (await page.locator(selector).first().boundingBox()).y;
  assert.ok((await top("#public")) < (await top(".game")));
  await page.getByRole("link", { name: /Who's Deal\? with Hanna, 1 of 4 are here, .* Points to win: 7$/ }).waitFor();
  await clean(kim);
  await kim.picture("home-open-phone");
  const { roomCode: other } = await host.create("4-kate", { public: true });
  const company = await Promise.all(["Ida", "Jan", "Kai"].map((name) => house.server.person(name)));
  for (const person of company) accepted(await person.join(roomCode));
  await page.reload();
  await page.getByRole("link", { name: /4 Kate with Hanna, 1 of 2 are here/ }).waitFor();
  assert.equal(await page.getByRole("link", { name: /Who's Deal\? with Hanna/ }).count(), 0, "a full table is listed");
  for (const person of [host, ...company]) await person.post(`/api/worlds/${roomCode}/leave`);
  await host.post(`/api/worlds/${other}/leave`);
  await kim.button("Play now: Who's Deal? against bots").click();
  await page.locator(".stage").waitFor();
  await page.goto(house.url);
  await page.locator(".game").first().waitFor();
  assert.equal(await page.locator(".game h2").first().textContent(), "Who's Deal?");
  await page
    .getByRole("link", { name: /Who's Deal\? with bots, (your turn|\w+bot's turn|being played), .*\w+bot, \w+bot/ })
    .waitFor();
  const moves = recordedMoves("whos_deal", "march");
  await kim.keep("BACKAA", "whos-deal", ["set speed=instant", "start"], moves.slice(0, moves.lastIndexOf("0 play QS")));
  await page.goto(`${house.url}/t/BACKAA`);
  await page.locator('.wd-hand [data-card="QS"]').click();
  await page.locator("[data-control='confirm']").click();
  await page.getByRole("region", { name: "The hand is over" }).waitFor();
  await page.goto(house.url);
  await page.getByRole("link", { name: /Who's Deal\? with bots, .*\w+bot, \w+bot\. You 2, they 0$/ }).waitFor();
  assert.ok((await top("#running")) < (await top(".join")) && (await top(".join")) < (await top(".game")));
  await clean(kim);
  await kim.pictures("home-known");
  // Of many tables the first three are shown, those first where people wait for one's turn.
  for (const room of ["BACKBB", "BACKCC"]) await kim.keep(room, "up-n-down", ["set speed=instant", "start"]);
  const mine = await kim.create("4 Kate");
  await kim.start();
  await page.locator(".turn.mine").waitFor();
  await page.goto(house.url);
  const tables = page.getByRole("region", { name: "Continue" }).getByRole("link");
  await tables
    .first()
    .getByText(new RegExp(`${mine}, your turn`))
    .waitFor();
  assert.equal(await tables.count(), 3);
  await kim.picture("home-many-phone");
  await clean(kim);
  await kim.button("All 5 tables").click();
  assert.equal(await tables.count(), 5);
  assert.ok(await tables.nth(3).evaluate((link) => document.activeElement === link));
  await kim.context.close();
});

let code;
await test("a world is made, and its lobby shows how to invite", async () => {
  code = await ann.create("Who's Deal?");
  await ann.page.getByRole("img", { name: /QR code/ }).waitFor();
  assert.match(code, /^[A-Z0-9]{6}$/);
  await ann.page.getByText(code, { exact: true }).waitFor();
  for (const width of [320, 390, 844, 1440]) {
    await ann.page.setViewportSize({ width, height: 800 });
    const lines = await ann.page
      .locator(".invite p")
      .filter({ hasText: "http" })
      .evaluate((link, room) => {
        const text = document.createTreeWalker(link, NodeFilter.SHOW_TEXT),
          found = new Range();
        let whole = "";
        while (text.nextNode()) {
          const at = text.currentNode.data.indexOf(room);
          whole += text.currentNode.data;
          if (at < 0) continue;
          found.setStart(text.currentNode, at);
          found.setEnd(text.currentNode, at + room.length);
        }
        return { whole: whole.trim(), count: new Set([...found.getClientRects()].map(({ top }) => top)).size };
      }, code);
    assert.deepEqual(
      lines,
      { whole: `${house.url}/w/${code}`, count: 1 },
      `the code in the link stays whole at ${width}`,
    );
  }
  await ann.page.setViewportSize({ width: 1440, height: 900 });
  // Whoever scans the QR code comes with the world's secret, as by the link.
  const shown = await ann.page.getByRole("img", { name: /QR code/ }).getAttribute("src");
  const { invitation } = await ann.page.evaluate(async (room) => (await fetch(`/api/worlds/${room}`)).json(), code);
  assert.match(invitation, /^[0-9a-z]{20,}$/i);
  const wanted = renderSVG(`${house.url}/w/${code}#${invitation}`, { border: 2 });
  assert.ok(decodeURIComponent(shown.split(",")[1]) === wanted, "the QR code is that of the link with the secret");
  await clean(ann);
  await ann.pictures("lobby-owner");
  await ann.button("Show the QR code large").click();
  const large = ann.page.getByRole("dialog").getByRole("img", { name: /QR code/ });
  await until(async () => ((await large.boundingBox())?.width ?? 0) > 400, "it is large");
  await clean(ann);
  await ann.page.keyboard.press("Escape");
});

await test("a guest who follows the link says a name and sits down", async () => {
  const { invitation } = await ann.page.evaluate(async (room) => (await fetch(`/api/worlds/${room}`)).json(), code);
  await bob.page.goto(`${house.url}/w/${code.toLowerCase()}#${invitation}`);
  await bob.page.getByRole("heading", { name: "Ann invites you to Who's Deal?" }).waitFor();
  await bob.page.getByText("1 of 4 is here.").waitFor();
  await clean(bob);
  await bob.page.getByLabel("Your name").fill("Bob");
  await bob.button("Sit down").click();
  await bob.page.getByText("Waiting for Ann to start…").waitFor();
  await ann.page.getByText("Bob", { exact: true }).waitFor();
  await clean(bob);
  await bob.pictures("lobby-guest");
});

await test("PL-15, WD-126, UD-70 house rules change live, and only the owner has controls", async () => {
  await ann.page.getByRole("radio", { name: "7", exact: true }).click();
  await bob.page.getByText("Points to win: 7.").waitFor();
  assert.equal(await bob.page.getByRole("radio").count(), 0);
  assert.equal(await bob.page.getByRole("switch").count(), 0);
  assert.equal(await bob.page.getByRole("combobox").count(), 0);
  await ann.page.getByRole("switch", { name: /Stick the dealer/ }).click();
  await bob.page.getByText("Stick the dealer: no.").waitFor();
});

await test("a game that starts while the page still comes to the table is shown", async () => {
  const di = await house.guest("Di", { motion: "less" });
  let release;
  const held = new Promise((resolve) => {
    release = resolve;
  });
  await di.page.route("**/api/pusher/auth", async (route) => {
    if (decodeURIComponent(route.request().postData() ?? "").includes("presence-")) await held;
    await route.continue();
  });
  await di.create("4 Kate");
  const started = di.page.waitForResponse((answer) => answer.url().endsWith("/api/game/action"));
  await di.button("Start the game").click();
  await started;
  release();
  await di.page.locator(".stage").waitFor();
  await di.context.close();
});

const team = (guest, letter) => guest.page.getByRole("group", { name: `Team ${letter}` });
const bobIsIn = (letter) =>
  Promise.all([
    team(ann, letter).getByText("Bob").waitFor(),
    team(bob, letter).getByText("You", { exact: true }).waitFor(),
  ]);
await test("WD-126 teams are swapped with taps, with the keyboard and by dragging", async () => {
  const bots = (letter) => team(ann, letter).getByRole("button", { name: /^\w+bot/ });
  await bobIsIn("B");
  await ann.button(/^Bob/).click();
  await bots("A").click();
  await bobIsIn("A");
  await ann.button(/^Bob/).focus();
  await ann.page.keyboard.press("Enter");
  await bots("B").first().focus();
  await ann.page.keyboard.press("Space");
  await bobIsIn("B");
  await ann.button(/^Bob/).dragTo(bots("A"));
  await bobIsIn("A");
});

await test("a bot's level is chosen", async () => {
  await ann.page.getByRole("combobox", { name: "Who plays place 4" }).selectOption("hard");
  await bob.page.getByText("hard", { exact: true }).waitFor();
  const faces = (guest, name) => guest.page.locator(".seat").filter({ hasText: name }).locator(".bot-face");
  await until(async () => (await faces(bob, /bot/).count()) === 2, "a face for each bot");
  assert.deepEqual(await faces(bob, /bot/).evaluateAll((all) => all.map((one) => one.dataset.level).sort()), [
    "hard",
    "medium",
  ]);
  assert.equal(await faces(bob, /^.?(Ann|You)/).count(), 0, "people have none");
});

await test("who is removed is told so", async () => {
  await ann.button("Remove Bob").click();
  await bob.page.getByRole("heading", { name: "This world is gone" }).waitFor();
  await clean(bob);
});

await test("a public world is listed at home and can be joined there", async () => {
  await ann.page.getByRole("switch", { name: /^Public/ }).click();
  const cy = await house.guest("Cy");
  await cy.arrive();
  await cy.page.getByRole("link", { name: /Who's Deal\? with Ann, 1 of 4 are here/ }).click();
  await cy.page.getByText("Waiting for Ann to start…").waitFor();
  await cy.context.close();
});

await test("PL-C14 the lobby has as many places as can play; a late guest waits for another", async () => {
  const host = await house.guest("Hal"),
    cy = await house.guest("Cy", { size: "phone" }),
    eve = await house.guest("Eve", { size: "phone" });
  const world = await host.create("Up-N-Down");
  const status = host.page.getByRole("group", { name: "Places" }).getByRole("status");
  const shows = async (guest, count) => {
    await guest.page.waitForFunction((wanted) => document.querySelectorAll(".seat").length === wanted, count);
    if (guest === host) assert.equal(await status.textContent(), `${count} places`);
  };
  await shows(host, 8);
  await host.houseRules({ "Most players": 2 });
  await shows(host, 2);
  assert.ok(await host.button("One place more").isDisabled());
  await cy.join(world);
  await eve.join(world);
  await eve.page.getByText("You are watching").waitFor();
  await host.page.getByText("Watching: Eve").waitFor();
  for (const guest of [host, cy, eve]) await shows(guest, 2);
  await host.pictures("lobby-full-owner");
  await host.houseRules({ "Most players": 3 });
  await eve.button("Sit down").waitFor();
  await clean(eve);
  await eve.pictures("lobby-full");
  await eve.button("Sit down").click();
  await eve.page.getByText("Watching: Eve").waitFor({ state: "detached" });
  for (const guest of [host, cy, eve]) await shows(guest, 3);
  await host.button("Start the game").click();
  for (const guest of [host, cy, eve]) await guest.page.locator(".stage").waitFor();
  for (const guest of [host, cy, eve]) await guest.context.close();
});

await test("PL-C14 a rule book has its own number of places, and free ones are shown beside the teams", async () => {
  const host = await house.guest("Hal");
  await host.create("Hand & Foot");
  await host.ruleBook("Closers");
  await host.places(8, "easy");
  await host.ruleBook("Partners");
  const status = host.page.getByRole("group", { name: "Places" }).getByRole("status");
  await status.getByText("6 places").waitFor();
  assert.equal(await host.page.locator(".seat").count(), 6);
  assert.ok(await host.button("One place more").isDisabled());
  for (const seat of [5, 6]) await host.invite(seat, "open");
  await host.page.getByRole("group", { name: "Free places" }).waitFor();
  assert.equal(await host.page.locator(".seat").count(), 6);
  assert.equal(await host.page.locator(".team-a .seat, .team-b .seat").count(), 4);
  await clean(host);
  await host.pictures("lobby-free-places");
  await host.context.close();
});

await test("tables one left are listed at home", async () => {
  await ann.page.getByRole("link", { name: "Oyster, home" }).click();
  await ann.page.getByRole("link", { name: new RegExp(code) }).click();
  await ann.button("Start the game").waitFor();
});

await test("UD-68 unknown codes and addresses get a page", async () => {
  await ann.page.goto(`${house.url}/w/ZZZZZZ`);
  await ann.page.getByRole("heading", { name: "This world is gone" }).waitFor();
  await clean(ann);
  await ann.pictures("gone");
  await ann.page.goto(`${house.url}/nowhere`);
  await ann.page.getByRole("heading", { name: "There is nothing here" }).waitFor();
  await clean(ann);
});

await test("HF-160 settings are kept on the device", async () => {
  await ann.page.goto(`${house.url}/settings`);
  await ann.page.getByRole("radio", { name: "Four colours" }).click();
  await ann.page.getByRole("radio", { name: "200 %" }).click();
  await clean(ann);
  await ann.pictures("settings");
  await ann.page.reload();
  assert.equal(await ann.page.getByRole("radio", { name: "Four colours" }).getAttribute("aria-checked"), "true");
  assert.equal(await ann.page.evaluate(() => getComputedStyle(document.documentElement).fontSize), "32px");
  await ann.page.goto(house.url);
  assert.ok(await ann.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no sideways scrolling");
});

await test("with the deck for red-green blindness all suits can be told apart", async () => {
  const inks = () =>
    ann.page.locator(".sample .face[class*='suit-']").evaluateAll((faces) =>
      faces.map((face) => {
        const sign = face.querySelector(".big-sign, .small-sign");
        const { fill, color } = getComputedStyle(sign ?? face);
        return sign ? fill : color;
      }),
    );
  await ann.page.goto(`${house.url}/settings`);
  await ann.page.getByRole("radio", { name: "Two colours" }).click();
  const usual = await inks();
  assert.deepEqual([usual.length, new Set(usual.slice(0, 4)).size], [5, 2]);
  await ann.page.getByRole("radio", { name: "Red, yellow, blue, black" }).click();
  await ann.page.reload();
  await ann.page.locator(".sample .face").first().waitFor();
  const [spades, hearts, diamonds, clubs] = await inks();
  assert.equal(new Set([spades, hearts, diamonds, clubs]).size, 4);
  const parts = (ink) => ink.match(/\d+/g).map(Number); // red, green, blue
  assert.ok(parts(diamonds)[0] > 200 && parts(diamonds)[1] > 150, `diamonds are yellow: ${diamonds}`);
  assert.ok(parts(clubs)[2] > 2 * parts(clubs)[0], `clubs are blue: ${clubs}`);
});

const ground = ({ page }) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
await test("light as the device is: home, settings, a lobby and tables with all cloths can be read", async () => {
  const lea = await house.guest("Lea", { motion: "less", colorScheme: "dark" });
  await lea.arrive("/settings");
  const night = await ground(lea);
  await lea.page.getByRole("radio", { name: "As the device" }).click();
  assert.equal(await ground(lea), night);
  await lea.page.emulateMedia({ colorScheme: "light" });
  await until(async () => (await ground(lea)) !== night, "it is day");
  await clean(lea);
  await lea.page.goto(house.url);
  await clean(lea);
  await lea.create("Who's Deal?");
  await lea.page.getByRole("heading", { name: "At the table" }).waitFor();
  await clean(lea);
  const cloths = ["Moss", "Lagoon", "Wine", "Slate", "Each game's own"];
  for (const game of ["Who's Deal?", "Hand & Foot", "Up-N-Down", "4 Kate", "Terrible People"]) {
    await lea.page.goto(`${house.url}/settings`);
    await lea.page.getByRole("radio", { name: cloths.shift() }).click();
    await lea.page.getByRole("radio", { name: cloths.length % 2 ? "Waves" : "Reef" }).click();
    await lea.page.goto(house.url);
    await lea.button(`Play now: ${game} against bots`).click();
    await lea.page.locator(".stage > *").first().waitFor();
    await clean(lea);
    const levels = lea.page.locator("[data-seat] .bot-level");
    await levels.first().waitFor();
    assert.ok((await levels.allTextContents()).every((level) => level === (game === "Up-N-Down" ? "hard" : "medium")));
    assert.equal(await levels.count(), await lea.page.locator("[data-seat] .seat-face").count(), "a word for each bot");
    assert.ok(await levels.evaluateAll((all) => all.every((one) => one.offsetWidth > 20)), "it can be read");
    if (game === "Who's Deal?") {
      await lea.page.setViewportSize({ width: 3840, height: 2160 });
      const height = async () => (await lea.page.locator(".left .wd-plate").boundingBox()).height;
      await until(async () => (await height()) > 80, "on a wall of a screen plates are larger");
      await lea.page.setViewportSize({ width: 1440, height: 900 });
    }
    await lea.picture(`light-${game.replace(/\W+/g, "-").toLowerCase()}`);
  }
});

await test("the page speaks the browser's language, or the one that was chosen in the settings", async () => {
  const ann = await house.guest("Ann", { locale: "de-AT" }),
    { page } = ann;
  const title = (name) => page.getByRole("heading", { level: 1, name }).waitFor();
  await page.goto(house.url);
  await title("Setz dich dazu");
  assert.equal(await page.locator("html").getAttribute("lang"), "de");
  for (const [code, name] of [
    ["fr", "Réglages"],
    ["es", "Ajustes"],
    ["en", "Settings"],
    ["", "Einstellungen"],
  ]) {
    await page.goto(`${house.url}/settings`);
    await page.locator("select").first().selectOption(code);
    await title(name);
  }
  await page.goto(`${house.url}/w/ABCDE1`);
  await title("Du bist eingeladen");
  // The rules as well; a link to a part of them holds in every language.
  await page.goto(`${house.url}/rules/whos-deal#house-rules`);
  await page.getByRole("heading", { level: 2, name: "Hausregeln" }).waitFor();
  assert.equal(await page.locator("article").getAttribute("lang"), "de");
  assert.equal(await page.getByText("gibt es nur auf Englisch").count(), 0);
  assert.equal(await page.locator("#house-rules").textContent(), "Hausregeln");
  await page.locator(".option", { hasText: "Punkte zum Sieg" }).first().waitFor();
  await page.getByRole("img", { name: "Herz-Bube" }).first().waitFor();
  await ann.context.close();
});

await test("nothing went wrong in any browser", () => {
  for (const guest of house.guests) assert.deepEqual(guest.errors, []);
});

await house.close();
