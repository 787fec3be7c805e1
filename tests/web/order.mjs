// Who may come to a table, and how people keep order there: invitations, the list of people, devices.
import assert from "node:assert/strict";
import { finish, test } from "../api/client.mjs";
import { until } from "../api/tools.mjs";
import { House } from "./browser.mjs";

const house = await House.open(process.argv[2], ["--failed-joins-per-minute", "2"]);
const clean = async (guest) => assert.deepEqual(await guest.violations(), []);
const ann = await house.guest("Ann", { permissions: ["clipboard-read", "clipboard-write"] });
const bob = await house.guest("Bob", { size: "phone" });
const heading = (guest, name) => guest.page.getByRole("heading", { name });
const atTheTable = (guest) => heading(guest, "At the table").waitFor();

let link;
await test("PL-C15 the link has a secret: it opens the table when no code can be tried any more", async () => {
  const code = await ann.create("Who's Deal?");
  await ann.button("Copy the link").click();
  link = await ann.page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, new RegExp(`^${house.url}/w/${code}#[0-9a-f]{32}$`));
  for (const wrong of ["ZZZZZZ", "ZZZZZY"]) {
    await bob.arrive(`/w/${wrong}`);
    await heading(bob, "This world is gone").waitFor();
  }
  await bob.page.goto(`${house.url}/w/${code}`); // a right code, typed
  await bob.page.getByText("Too many codes have been tried", { exact: false }).waitFor();
  const again = bob.button(/^Try again in \d+ s$/);
  await again.waitFor();
  assert.ok(await again.isDisabled());
  await clean(bob);
  await bob.pictures("too-many-codes");
  await bob.page.goto(house.url);
  await bob.page.goto(link);
  await atTheTable(bob);
});

await test("PL-C15 a renewed link opens the table, older ones do not", async () => {
  const cy = await house.guest("Cy");
  await ann.button("Renew the link").click();
  await ann.page.getByText("Links from before no longer work").waitFor();
  await cy.arrive(new URL(link).pathname + new URL(link).hash);
  await heading(cy, "That did not work").waitFor(); // as any other code that is tried now
  await ann.button("Copy the link").click();
  await cy.page.goto(house.url);
  await cy.page.goto(await ann.page.evaluate(() => navigator.clipboard.readText()));
  await atTheTable(cy);
});

await test("the owner keeps order during a game: mutes, closes watching, removes for good, hands over", async () => {
  const [hal, joe] = [await house.guest("Hal"), await house.guest("Joe", { size: "phone" })];
  const [eve, fay] = [await house.guest("Eve"), await house.guest("Fay")];
  const code = await hal.create("Who's Deal?");
  const invited = await hal.page.evaluate(
    (room) => fetch(`/api/worlds/${room}`).then(async (answer) => (await answer.json()).invitation),
    code,
  );
  await joe.arrive(`/w/${code}#${invited}`);
  await atTheTable(joe);
  await hal.button("Start the game").click();
  for (const guest of [eve, fay]) {
    await guest.arrive(`/w/${code}#${invited}`);
    await guest.button("Menu").waitFor();
  }
  const people = async (guest) => {
    if (!(await guest.page.getByRole("dialog", { name: "People" }).isVisible())) {
      await guest.button("Menu").click();
      await guest.button("People", true).click();
    }
    return guest.page.getByRole("dialog", { name: "People" });
  };
  const about = async (guest, name, action) => {
    const dialog = await people(guest);
    await dialog.getByRole("button", { name: `What to do about ${name}` }).press("Enter"); // by the keyboard
    await dialog.getByRole("button", { name: action, exact: true }).click();
  };
  await about(hal, "Joe", "Mute for everybody");
  await (await people(joe)).getByText("muted for everybody").waitFor();
  await clean(joe);
  await joe.pictures("people-guest");
  await hal.page.getByRole("button", { name: "What to do about Joe" }).click();
  await clean(hal);
  await hal.pictures("people-owner");
  await hal.page.getByRole("button", { name: "What to do about Joe" }).click();
  await about(hal, "Eve", "Remove from the table");
  await hal.button("Yes, remove Eve for good").click();
  await heading(eve, "This world is gone").waitFor();
  await (await people(hal)).getByRole("switch", { name: "Watching" }).click();
  await heading(fay, "This world is gone").waitFor();
  await about(hal, "Joe", "Make owner");
  await about(joe, "Hal", "Remove from the table");
  await joe.button("Yes, remove Hal for good").click();
  await heading(hal, "This world is gone").waitFor();
  for (const guest of [hal, joe, eve, fay]) await guest.context.close();
});

await test("anybody stops hearing somebody, on this device", async () => {
  const [kim, lee] = [await house.guest("Kim"), await house.guest("Lee", { size: "phone" })];
  const code = await kim.create("4 Kate");
  const invited = await kim.page.evaluate(
    (room) => fetch(`/api/worlds/${room}`).then(async (answer) => (await answer.json()).invitation),
    code,
  );
  await lee.arrive(`/w/${code}#${invited}`);
  await atTheTable(lee);
  await kim.button("Start the game").click();
  const log = ({ page }, text) => page.getByRole("list", { name: "Log", exact: true }).getByText(text);
  const spoken = (text) => lee.page.getByRole("log").getByText(text);
  const say = async (text) => {
    await kim.page.getByLabel("Say something").fill(text);
    await kim.button("Say", true).click();
  };
  await kim.button("Log and talk").click();
  await lee.button("Log and talk").click();
  await say("first words");
  await log(lee, "Kim: first words").waitFor();
  await spoken("Kim: first words").waitFor({ state: "attached" });
  await lee.button("Menu").click();
  await lee.button("People", true).click();
  await lee.button("What to do about Kim").click();
  await lee.button("Mute for me").click();
  await lee.page.keyboard.press("Escape");
  await log(lee, "Kim: first words").waitFor({ state: "detached" });
  await say("second words");
  await log(kim, "Kim: second words").waitFor();
  await lee.button("Menu").click();
  await lee.button("People", true).click();
  await lee.button("What to do about Kim").click();
  await lee.button("Hear again").click();
  await lee.page.keyboard.press("Escape");
  await log(lee, "Kim: second words").waitFor();
  assert.equal(await spoken("Kim: second words").count(), 0);
  for (const guest of [kim, lee]) await guest.context.close();
});

await test("a lost device is logged out, and one logs out here", async () => {
  const [may, stolen] = [await house.guest("May", { size: "phone" }), await house.guest("Nobody")];
  const asks = (guest) => guest.page.evaluate(() => fetch("/api/session").then((answer) => answer.status));
  await may.create("4 Kate");
  await stolen.context.addCookies(await may.context.cookies()); // somebody has the same key
  await stolen.page.goto(house.url);
  assert.equal(await asks(stolen), 200);
  await may.page.goto(`${house.url}/settings`);
  await clean(may);
  await may.pictures("settings-devices");
  await may.button("Log out all other devices").click();
  await may.page.getByText("All other devices are logged out").waitFor();
  assert.deepEqual([await asks(may), await asks(stolen)], [200, 401]);
  await may.button("Log out here").click();
  await may.button("Your name").waitFor();
  assert.equal(await asks(may), 401);
  for (const guest of [may, stolen]) await guest.context.close();
});

await test("another device comes by a link, is listed, and is logged out", async () => {
  const [ida, phone] = [await house.guest("Ida"), await house.guest("Otto", { size: "phone" })];
  const asks = (guest) => guest.page.evaluate(() => fetch("/api/session").then((answer) => answer.status));
  await ida.create("4 Kate");
  await phone.create("4 Kate"); // it is somebody else's so far
  await ida.page.goto(`${house.url}/settings`);
  await ida.button("Use another device …").click();
  const dialog = ida.page.getByRole("dialog", { name: "Use another device" });
  await dialog.getByRole("img").waitFor();
  await clean(ida);
  await ida.pictures("settings-another-device");
  const made = await ida.page.evaluate(() => fetch("/api/session/link", { method: "POST" }).then((it) => it.json()));
  await ida.page.keyboard.press("Escape");
  await phone.page.goto(`${house.url}/device#${made.secret}`);
  await phone.page.getByText("Otto, who plays on this device now").waitFor();
  await clean(phone);
  await phone.pictures("another-device");
  await phone.button("Yes, it is my link").click();
  await phone.page.getByText("This device is yours, Ida").waitFor();
  await ida.page.reload();
  await ida.page.getByRole("list", { name: "Your devices" }).getByText("This device").waitFor();
  await clean(ida);
  await ida.pictures("settings-devices-list");
  await ida.button(/^Log out Chrom/).click();
  await ida.page.getByText(/ is logged out$/).waitFor();
  assert.deepEqual([await asks(ida), await asks(phone)], [200, 401]);
  for (const guest of [ida, phone]) await guest.context.close();
});

// What a device keeps of somebody: whom they have played with, and results of its own.
const keepTraces = ({ page }) =>
  page.evaluate(async () => {
    localStorage.setItem("oyster-contacts", JSON.stringify([{ id: "b", name: "Bob", met: 1 }]));
    await new Promise((done) => {
      const request = indexedDB.open("oyster-results", 1);
      request.onupgradeneeded = () => request.result.createObjectStore("finished").put({}, ["ABCDEF", 1]);
      request.onsuccess = () => done(request.result.close());
    });
  });
const traces = ({ page }) =>
  page.evaluate(async () => {
    const request = indexedDB.open("oyster-results", 1);
    await new Promise((done) => Object.assign(request, { onsuccess: done }));
    const count = request.result.transaction("finished").objectStore("finished").count();
    await new Promise((done) => Object.assign(count, { onsuccess: done }));
    request.result.close();
    return [JSON.parse(localStorage.getItem("oyster-contacts")).length, count.result];
  });

await test("who logs out leaves no names of others on the device, but its own results", async () => {
  const una = await house.guest("Una");
  await una.create("4 Kate");
  await una.page.goto(`${house.url}/settings`);
  await keepTraces(una);
  await una.button("Log out here").click();
  await una.page.getByText("Tables and results that it keeps itself stay on it").waitFor();
  assert.deepEqual(await traces(una), [0, 1]);
  await una.context.close();
});

await test("where the link is copied its owner chooses what a preview of it says", async () => {
  const una = await house.guest("Una");
  const code = await una.create("Who's Deal?");
  const title = async () => /og:title" content="([^"]*)/.exec(await (await fetch(`${house.url}/w/${code}`)).text())[1];
  assert.equal(await title(), "Oyster, a card table");
  await una.page.locator(".invite").getByRole("radio", { name: "names" }).click();
  await until(async () => (await title()) === "Una invites you to Who's Deal?", "the preview has the name");
  await una.pictures("order-preview");
  await una.start();
  await una.menu("Invite");
  await una.page.locator("dialog[open] .invite").getByRole("radio", { name: "off" }).click();
  await until(async () => (await title()) === "Oyster, a card table", "the preview says nothing");
  await clean(una);
  await una.context.close();
});

await test("somebody erases themselves, after a question", async () => {
  const zoe = await house.guest("Zoe-Ann");
  await zoe.create("4 Kate");
  await zoe.page.goto(`${house.url}/settings`);
  await keepTraces(zoe);
  await zoe.button("Erase me …").click();
  await clean(zoe);
  await zoe.pictures("settings-erase");
  await zoe.button("Stay").click();
  assert.equal(await zoe.page.evaluate(() => fetch("/api/session").then((answer) => answer.status)), 200);
  await zoe.button("Erase me …").click();
  await zoe.button("Erase me", true).click();
  await zoe.page.getByText("Nobody here knows you any more").waitFor();
  await zoe.button("Your name").waitFor();
  assert.deepEqual(await traces(zoe), [0, 0]);
  assert.equal(await zoe.page.evaluate(() => fetch("/api/session").then((answer) => answer.status)), 401);
  await zoe.context.close();
});

await test("nothing went wrong in any browser", () => {
  for (const guest of house.guests) assert.deepEqual(guest.errors, []);
});

await house.close();
finish();
