// The host's page: a token, what goes on, and a message that people at a table see.
// node tests/web/host.mjs PROGRAM
import assert from "node:assert/strict";
import { finish, test } from "../api/client.mjs";
import { House } from "./browser.mjs";

const reader = "a-token-that-only-shows";
const writer = "a-token-that-also-acts_1";
const house = await House.open(process.argv[2] ?? "build/oyster", [
  "--host-token",
  reader,
  "--host-write-token",
  writer,
]);
const ann = await house.guest("Ann");
const host = await house.guest("Host", { size: "phone" });
const code = await ann.create("4 Kate");

async function enter(token) {
  await host.page.getByLabel("The host's token").fill(token);
  await host.button("Show").click();
}

await test("a wrong token shows nothing, the one that shows offers nothing to do", async () => {
  await host.arrive("/host");
  await enter("something-else-entirely");
  await host.page.getByText("That is not the host's token").waitFor();
  await enter(reader);
  await host.page.getByRole("heading", { name: "Open worlds: 1" }).waitFor();
  await host.page.getByRole("cell", { name: `${code[0]}…` }).waitFor();
  await host.page.getByRole("heading", { name: "People: 1" }).waitFor();
  assert.equal(await host.button("Send").count(), 0);
  assert.equal(await host.button("Ban Ann").count(), 0);
  assert.ok(!(await host.page.content()).includes(code));
  assert.deepEqual(await host.violations(), []);
});

await test("the one that acts drains and sends a message to a table", async () => {
  await host.page.evaluate(() => sessionStorage.clear());
  await host.page.reload();
  await enter(writer);
  await host.page.getByRole("cell", { name: code }).waitFor();
  await host.page.getByLabel("Message to all tables").fill("Back in five minutes");
  await host.button("Send").click();
  await ann.page.getByText("Back in five minutes").waitFor();
  await host.button("Drain: no new worlds").click();
  await host.button("Take new worlds again").waitFor();
  await host.page.screenshot({ path: "build/screens/host-phone.png", fullPage: true });
  assert.deepEqual(await host.violations(), []);
  assert.deepEqual([...ann.errors, ...host.errors], []);
});

await house.close();
finish();
