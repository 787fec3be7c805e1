// A server is replaced by one with another page while people have the old page open: games go on, the new page is
// loaded when they leave the table, and a part of the old page that is gone breaks nothing.
// node tests/web/upgrade.mjs PROGRAM
import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { finish, Server, test } from "../api/client.mjs";
import { folder, House, webFolder } from "./browser.mjs";

const program = process.argv[2] ?? "build/oyster";
const scratch = folder();
const store = `sqlite:${path.join(scratch, "store.db")}`;

// The same page with other names for all its parts, as if something in each had changed.
function renamed() {
  const copy = path.join(scratch, "web");
  cpSync(webFolder, copy, { recursive: true });
  const names = readdirSync(path.join(copy, "assets"));
  const other = (name) => name.replace(/\.\w+$/, (ending) => `-new${ending}`);
  for (const name of names) renameSync(path.join(copy, "assets", name), path.join(copy, "assets", other(name)));
  for (const file of ["index.html", "worker.js", ...names.map((name) => path.join("assets", other(name)))]) {
    if (!/\.(js|css|html)$/.test(file)) continue;
    let text = readFileSync(path.join(copy, file), "utf8");
    for (const name of names) text = text.replaceAll(name, other(name));
    writeFileSync(path.join(copy, file), text);
  }
  return copy;
}

const pages = { old: webFolder, new: renamed() };
const start = (web, listen = "127.0.0.1:0") =>
  Server.start(program, ["--store", store, "--web", pages[web], "--listen", listen]);
const house = await House.open(program, [], await start("old"));

async function replace(web) {
  const { port } = house.server;
  await house.server.stop();
  house.server = await start(web, `127.0.0.1:${port}`);
}

const isNew = (guest) => guest.page.evaluate(() => document.querySelector("script[src]").src.endsWith("-new.js"));

await test("a game goes on while the server is replaced; the new page comes when the table is left", async () => {
  const ann = await house.guest("Ann", { motion: "less" });
  const made = await ann.create("4 Kate");
  const { page } = ann;
  await ann.invite(2, "easy");
  await ann.houseRules({ Speed: "instant" });
  await ann.start();
  const column = page.getByRole("button", { name: /^Column 4/ });
  await column.click();
  const discs = (count) =>
    page.waitForFunction((wanted) => document.querySelectorAll(".discs .disc").length === wanted, count);
  await discs(2);
  await replace("new");
  await page.getByText("A newer Oyster is here.").first().waitFor();
  assert.equal(await isNew(ann), false, "the table was torn away");
  await column.click();
  await discs(4);
  await page.getByRole("link", { name: "Oyster" }).first().click();
  await page.getByRole("heading", { name: "Pull up a chair" }).waitFor();
  assert.equal(await isNew(ann), true, "the old page is still there");
  await page.goto(`${house.url}/w/${made}`);
  await discs(4);
  assert.deepEqual(
    ann.errors.filter((line) => !line.startsWith("WebSocket connection")), // while nobody listened
    [],
  );
});

await test("a part of the page that is gone breaks nothing, with or without a service worker", async () => {
  for (const serviceWorkers of ["block", "allow"]) {
    await replace("old");
    const bob = await house.guest("Bob", { motion: "less", serviceWorkers });
    await bob.arrive();
    if (serviceWorkers === "allow") await bob.page.evaluate(() => navigator.serviceWorker.ready);
    await replace("new");
    await bob.page.getByRole("link", { name: "Settings" }).first().click();
    await bob.page.getByRole("heading", { name: "Settings" }).waitFor();
    assert.equal(await bob.page.evaluate(() => location.pathname), "/settings");
    if (serviceWorkers === "block") assert.equal(await isNew(bob), true);
    await bob.context.close();
  }
});

await test("a page that cannot be loaded at all says so, and tries again when asked", async () => {
  const cid = await house.guest("Cid", { motion: "less", serviceWorkers: "block" });
  await cid.arrive();
  const { port } = house.server;
  await house.server.stop();
  await cid.page.getByRole("link", { name: "Settings" }).first().click();
  await cid.page.getByRole("heading", { name: "This could not be loaded" }).waitFor();
  house.server = await start("new", `127.0.0.1:${port}`);
  await cid.page.getByRole("button", { name: "Try again" }).click();
  await cid.page.getByRole("heading", { name: "Settings" }).waitFor();
});

await house.close();
rmSync(scratch, { recursive: true });
finish();
