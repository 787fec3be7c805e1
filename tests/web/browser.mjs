// What the browser tests share: a server with the page, people with browsers of their own, and what
// each of them was sent. With PICTURES=yes their screens go to build/screens, to be looked at.
import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { Server } from "../api/client.mjs";
import { until } from "../api/tools.mjs";

const web = createRequire(new URL("../../web/package.json", import.meta.url));
const { chromium } = web("playwright-core");
export const { default: AxeBuilder } = web("@axe-core/playwright");

export const sizes = { phone: [390, 844], side: [844, 390], small: [800, 600], desk: [1440, 900], wall: [3840, 2160] };
export const webFolder = new URL("../../build/web", import.meta.url).pathname;
const pictures = new URL("../../build/screens/", import.meta.url).pathname;
export const picturesWanted = process.env.PICTURES === "yes";
const arguments_ = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

// What counts in Lighthouse's category of accessibility and axe alone leaves out. The rest of that category are rules
// that axe has on, so Lighthouse itself, which would load the first screen and nothing that comes after it, is not run.
const lighthouse = Object.fromEntries(
  ["identical-links-same-purpose", "table-fake-caption", "target-size", "td-has-header"].map((rule) => [
    rule,
    { enabled: true },
  ]),
);

// The moves of a recorded game, deals included.
export const recordedMoves = (game, name) =>
  readFileSync(new URL(`../../games/${game}/golden/${name}.oyster`, import.meta.url), "utf8")
    .split("\n")
    .map((line) => line.replace(/#.*/, "").trim())
    .filter((line) => /^[-0-9] /.test(line));

// What is measured once it has been the same twice: a page that was just opened, or has another size, may be at work.
export async function atRest(measure) {
  for (let last = await measure(); ; ) {
    await sleep(200);
    const now = await measure();
    if (isDeepStrictEqual(now, last)) return now;
    last = now;
  }
}

export class House {
  // On a server of its own, unless one is given that has the page already.
  static async open(program, flags = [], server = undefined) {
    mkdirSync(pictures, { recursive: true });
    const house = new House();
    house.server = server ?? (await Server.start(program, ["--store", "memory", "--web", webFolder, ...flags]));
    house.browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: arguments_,
    });
    house.guests = [];
    return house;
  }

  get url() {
    return this.server.url;
  }

  locale = "en-US"; // of browsers

  async guest(name, { size = "desk", motion = "full", ...more } = {}) {
    const [width, height] = sizes[size];
    const context = await this.browser.newContext({ viewport: { width, height }, locale: this.locale, ...more });
    const guest = new Guest(this, name, context, await context.newPage());
    guest.motion = motion;
    this.guests.push(guest);
    return guest;
  }

  async close() {
    await this.browser.close();
    await this.server.stop();
  }
}

export class Guest {
  constructor(house, name, context, page) {
    Object.assign(this, { house, name, context, page, heard: [], errors: [], unanswered: new Set() });
    page.setDefaultTimeout(30_000); // a machine may be busy
    page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => this.heard.push(String(payload))));
    page.on("response", async (answer) => {
      if (answer.url().includes("/api/")) this.heard.push(await answer.text().catch(() => ""));
    });
    page.on("request", (request) => {
      if (request.method() === "POST") this.unanswered.add(request);
    });
    for (const end of ["requestfinished", "requestfailed"]) page.on(end, (request) => this.unanswered.delete(request));
    page.on("pageerror", (error) => this.errors.push(String(error)));
    page.on("console", (line) => {
      if (line.type() === "error" && !/ERR_INTERNET_DISCONNECTED|Failed to fetch|status of 4\d\d/.test(line.text()))
        this.errors.push(line.text());
    });
  }

  // Somebody who has said a name before. With less motion a game is played through in less time.
  async arrive(address = "/") {
    await this.page.addInitScript(
      (choices) => {
        if (!localStorage.getItem("oyster-choices")) localStorage.setItem("oyster-choices", JSON.stringify(choices));
      },
      { name: this.name, motion: this.motion },
    );
    await this.page.goto(this.house.url + address);
  }

  button(name, exact = false) {
    return this.page.getByRole("button", { name, exact });
  }

  async create(gameName) {
    await this.arrive();
    await this.button(`With friends: ${gameName}`).click();
    await this.page.waitForURL(/\/w\//);
    return this.page.url().slice(-6);
  }

  // A table of this device as it is after these things in the lobby and these moves.
  async keep(code, gameId, lobby, moves = []) {
    const seed = "00".repeat(32),
      now = Date.now();
    const lines = [
      `@me create ${code} ${gameId} ${seed} ${seed} ${this.name}`,
      ...lobby.map((words) => `@me ${words}`),
      ...moves,
    ].map((words) => `${now} ${words}`);
    await this.page.evaluate(
      ([room, game, entries]) =>
        new Promise((resolve, reject) => {
          const request = indexedDB.open("oyster", 1);
          request.onupgradeneeded = () => {
            request.result.createObjectStore("worlds", { keyPath: "code" });
            request.result.createObjectStore("entries");
          };
          request.onsuccess = () => {
            const change = request.result.transaction(["worlds", "entries"], "readwrite");
            change.objectStore("worlds").put({ code: room, gameId: game, changed: Date.now(), over: false });
            entries.forEach((line, i) => change.objectStore("entries").put(line, [room, i]));
            change.oncomplete = () => resolve(request.result.close());
            change.onabort = reject;
          };
        }),
      [code, gameId, lines],
    );
  }

  async join(code) {
    await this.arrive(`/w/${code}`);
    await this.page.getByRole("heading", { name: "At the table", level: 2 }).waitFor();
  }

  // In the lobby: { "Points to win": 5, Speed: "instant" }.
  async houseRules(rules) {
    for (const [label, value] of Object.entries(rules)) {
      const field = this.page.getByLabel(label, { exact: true });
      const group = this.page.locator("details.rule-group").filter({ has: field });
      if ((await group.count()) > 0 && !(await group.evaluate((element) => element.open)))
        await group.locator("summary").click();
      if ((await field.getAttribute("role")) === "radiogroup")
        await field.getByRole("radio", { name: String(value), exact: true }).click();
      else {
        await field.fill(String(value));
        await this.page.keyboard.press("Tab");
      }
    }
  }

  // A rule book of the lobby, by its name.
  async ruleBook(name) {
    const book = this.page.getByRole("radio", { name: new RegExp(`^${name}`) });
    await book.click();
    await this.page.waitForFunction((element) => element.ariaChecked === "true", await book.elementHandle());
  }

  // So many places, all but the own one for bots of that level.
  async places(count, level) {
    const status = this.page.getByRole("group", { name: "Places" }).getByRole("status");
    for (let now = parseInt(await status.textContent(), 10); now !== count; now += Math.sign(count - now)) {
      await this.button(now < count ? "One place more" : "One place less").click();
      await status.getByText(`${now + Math.sign(count - now)} places`).waitFor();
    }
    for (let seat = 2; seat <= count; seat++) await this.invite(seat, level);
  }

  async start() {
    await this.button("Start the game").click();
    await this.page.locator(".stage").waitFor();
  }

  // A save, opened at home and taken up where it was.
  async open(save, rules = {}) {
    await this.arrive();
    await this.page
      .getByLabel("A saved table")
      .setInputFiles({ name: "table.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(save)) });
    await this.page.locator("dialog[open]").getByRole("button", { name: "With friends" }).click();
    await this.houseRules(rules);
    await this.start();
  }

  // Sets the level of a place's bot, or "closed" for the last place.
  async invite(seat, level) {
    if (level === "closed") return this.button("One place less").click();
    return this.page.getByRole("combobox", { name: `Who plays place ${seat}` }).selectOption(level);
  }

  // Opens the menu at the table.
  async menu(...names) {
    await this.button("Menu", true).click();
    for (const name of names)
      await this.page.locator("dialog[open]").getByRole("button", { name, exact: true }).click();
  }

  // Waits until nothing is on its way at a table of the server: no move of this page, no answer of a bot, and the page
  // shows the newest version. Returns true.
  async still() {
    const code = this.page.url().slice(-6);
    return until(async () => {
      const same = await this.page.evaluate(async (room) => {
        const { version, view, seats } = await (await fetch(`/api/worlds/${room}`)).json();
        const shown = Number(document.querySelector("main.stage")?.dataset.version);
        return shown === version && !(view?.turn ?? []).some((seat) => seats[seat].bot !== null);
      }, code);
      return same && this.unanswered.size === 0;
    }, `${this.name}'s table does not come to rest`);
  }

  // Every violation axe finds, as text.
  async violations() {
    await this.page.waitForTimeout(200); // colours fade
    const { violations } = await new AxeBuilder({ page: this.page }).options({ rules: lighthouse }).analyze();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        (node) => `${id}: ${node.target.join(" ")} ${node.failureSummary?.split("\n")[1]?.trim() ?? ""} ${node.html}`,
      ),
    );
  }

  // A control that cannot be used: it can be focused, has the reason as its description, and says it when pressed.
  async refused(control, reason) {
    await until(() => control.isDisabled(), "it looks as if it could be used");
    await control.focus();
    await this.page.waitForFunction((element) => document.activeElement === element, await control.elementHandle());
    await this.page.waitForFunction(
      ([element, words]) => new RegExp(words).test(element.title),
      [await control.elementHandle(), reason],
    );
    await this.page.waitForFunction(() => document.querySelector(".toast") === null);
    await control.click({ force: true });
    await this.page.getByRole("alert").getByText(new RegExp(reason)).waitFor();
  }

  async picture(name) {
    if (!picturesWanted) return;
    await this.page.screenshot({ path: path.join(pictures, `${name}.png`), timeout: 60_000 });
  }

  // The screen at all sizes.
  async pictures(name) {
    if (!picturesWanted) return;
    const before = this.page.viewportSize();
    for (const [size, [width, height]] of Object.entries(sizes)) {
      await this.page.setViewportSize({ width, height });
      await this.page.waitForTimeout(250);
      await this.picture(`${name}-${size}`);
    }
    await this.page.setViewportSize(before);
  }
}

export const folder = () => mkdtempSync(path.join(tmpdir(), "oyster-"));
