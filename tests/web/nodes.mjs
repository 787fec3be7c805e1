// Two browsers in one world on three servers, and the server of one of them is killed in the middle of the game:
// the game goes on in the same page, bots and all, and ends. node tests/web/nodes.mjs PROGRAM
import assert from "node:assert/strict";
import { finish, random, test } from "../api/client.mjs";
import { Cluster, FrontDoor } from "../api/nodes.mjs";
import { House, webFolder } from "./browser.mjs";
import { players, playUntil, resultShown } from "./players.mjs";

const [program = "build/oyster"] = process.argv.slice(2);
const cluster = await Cluster.start(program, {
  flags: ["--web", webFolder, "--actions-per-second", "1000", "--actions-burst", "1000"],
});
const front = await FrontDoor.open(cluster);
const house = await House.open(program, [], front);
const dice = random(8);
const guests = await Promise.all(
  ["Ann", "Bob"].map((name, i) => house.guest(name, { size: i ? "phone" : "desk", motion: "less" })),
);
const [ann, bob] = guests;
const socketsAt = async (node) =>
  Number(/^oyster_sockets (\d+)/m.exec((await node.request("GET", "/metrics")).text)[1]);

await test("two people and a bot begin, each at any server", async () => {
  const code = await ann.create("Up-N-Down");
  await bob.join(code);
  await ann.houseRules({ "Highest card": 30, Speed: "instant" });
  await ann.invite(3, "easy");
  await Promise.all([
    ann.button("Start the game").click(),
    ...guests.map(({ page }) => page.locator(".stage").waitFor()),
  ]);
  let moves = 0;
  await playUntil(guests, players["up-n-down"], dice, async (guest) => moves >= 6 || resultShown(guest), {
    then: async () => void moves++,
  });
  assert.equal(await resultShown(ann), false, "the game is too short");
  for (const { page } of guests)
    await page.evaluate(() => {
      window.sameAsBefore = true;
    });
});

await test("the server of one of them is killed, and the game goes on to its end without a reload", async () => {
  const sockets = await Promise.all(cluster.nodes.map(socketsAt));
  await cluster.kill(sockets.findIndex((count) => count > 0));
  await playUntil(guests, players["up-n-down"], dice, resultShown);
  await Promise.all(guests.map(({ page }) => page.locator("dialog.result[open]").waitFor()));
  for (const { page } of guests)
    assert.equal(await page.evaluate(() => window.sameAsBefore), true, "the page was loaded anew");
  await Promise.all([ann.picture("nodes-desk"), bob.picture("nodes-phone")]);
});

await test("nothing in the page has failed", async () => {
  // These errors come from the death of the server itself.
  const network = /ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_SOCKET|WebSocket connection|status of 503/;
  for (const guest of guests)
    assert.deepEqual(
      guest.errors.filter((line) => !network.test(line)),
      [],
      guest.name,
    );
});

await house.close();
await cluster.stop();
await cluster.redis.remove();
finish();
