// Who may come to a table, and how people keep order there: invitations, the list of people, devices.
import assert from "node:assert/strict";
import { finish, test } from "../api/client.mjs";
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

await test("nothing went wrong in any browser", () => {
  for (const guest of house.guests) assert.deepEqual(guest.errors, []);
});

await house.close();
finish();
