// PL-53: what cannot be done just now can be reached all the same, and says why in the server's words: by tap, by
// key and to a screen reader. At every table but Hand & Foot's, which is in moments.mjs, and the calls of Who's
// Deal?, in finish.mjs. node tests/web/reasons.mjs PROGRAM [GAME ...]
import assert from "node:assert/strict";
import { finish, random, test } from "../api/client.mjs";
import { House } from "./browser.mjs";
import { players, playUntil, resultShown } from "./players.mjs";

const [program = "build/oyster", ...wanted] = process.argv.slice(2);
const house = await House.open(program, ["--actions-per-second", "1000", "--actions-burst", "1000"]);
const alert = ({ page }, text) => page.getByRole("alert").getByText(text).waitFor();
const mine = ({ page }) => page.locator(".turn.mine").isVisible();
// A move that is still on its way may end what is seen: it counts once the table is at rest.
const lasting = (guest, ask) => async () => (await ask()) && (await guest.still()) && ask();
// Plays by `hand`; another game where one went by without what is waited for: a moment may be over before it is seen.
const again = (hand) => async (guest, dice) => {
  if (await resultShown(guest)) await guest.button("Play Again").click();
  return hand(guest, dice);
};
const none = async ({ page }) => assert.equal(await page.locator(".stage :disabled").count(), 0, "all can be reached");

const tables = {
  async "4-kate"() {
    const [ann, bob] = [await house.guest("Ann", { motion: "less" }), await house.guest("Bob", { motion: "less" })];
    await bob.join(await ann.create("4 Kate"));
    await ann.start();
    const column = ({ page }, number) => page.locator(".columns button").nth(number - 1);
    await bob.page.locator(".columns").waitFor();
    const [first, second] = (await mine(ann)) ? [ann, bob] : [bob, ann];
    await second.refused(column(second, 3), "Not your turn");
    await second.page.keyboard.press("5");
    await alert(second, "Not your turn");
    for (let i = 0; i < 3; i++) {
      for (const guest of [first, second]) {
        await guest.page.locator(".turn.mine").waitFor();
        await guest.page.keyboard.press("3");
        await guest.page.locator(".turn:not(.mine)").waitFor();
      }
    }
    await first.page.locator(".turn.mine").waitFor();
    await first.refused(column(first, 3), "Column 3 is full");
    await none(first);
    return [ann, bob];
  },

  async "whos-deal"() {
    const ann = await house.guest("Ann", { motion: "less" });
    await ann.create("Who's Deal?");
    await ann.houseRules({ Speed: "instant" });
    await ann.start();
    const dimmed = ann.page.locator(".page:has(.turn.mine) .wd-hand .card.dimmed");
    await playUntil(
      [ann],
      again(async (guest, dice) => (await dimmed.count()) === 0 && players["whos-deal"](guest, dice)),
      random(5),
      lasting(ann, async () => (await dimmed.count()) > 0),
    );
    await ann.refused(dimmed.first(), "Must follow suit: ");
    await none(ann);
    return [ann];
  },

  async "up-n-down"() {
    const ann = await house.guest("Ann", { motion: "less" }),
      { page } = ann;
    await ann.create("Up-N-Down");
    await ann.invite(2, "easy");
    await page.getByLabel("House rules as one line").fill("allowUndo=yes maxCardValue=40");
    await page.keyboard.press("Enter");
    await ann.houseRules({ Speed: "instant" });
    await ann.start();
    const undo = ann.button("Undo", true),
      card = page.locator(".hand .slip:not(.dull)").first();
    const pile = (number) => page.locator(".pile .target").nth(number - 1);
    await playUntil([ann], async () => false, random(1), mine);
    await ann.refused(pile(1), "Choose a card first, then the pile");
    await ann.refused(ann.button("End turn"), "Play at least 2 \\(0 so far\\)");
    assert.equal(await undo.count(), 0, "before the first card there is nothing to undo");
    await page.keyboard.press("u");
    await alert(ann, "There is nothing to undo");
    await card.click();
    await page.locator(".pile.lit .target").first().click();
    await undo.click();
    await undo.waitFor({ state: "detached" });
    // Plays until some card does not fit on some pile, and one fits nowhere.
    const dull = page.locator(".page:has(.turn.mine) .hand .slip.dull"),
      fitting = page.locator(".page:has(.turn.mine) .hand .slip:not(.dull)");
    const some = lasting(ann, async () => (await dull.count()) > 0 && (await fitting.count()) > 0);
    await playUntil([ann], again(players["up-n-down"]), random(3), some);
    await ann.refused(dull.first(), "^\\d+ goes on no pile now$");
    // A card that fits somewhere, but not everywhere; one may be chosen already.
    for (const slip of await page.locator(".hand .slip:not(.dull)").all()) {
      if (!(await slip.evaluate((element) => element.classList.contains("chosen")))) await slip.click();
      if ((await page.locator(".pile.dim").count()) > 0) break;
    }
    await ann.refused(page.locator(".pile.dim .target").first(), "^\\d+ does not go on \\d+: ");
    await none(ann);
    return [ann];
  },

  async "terrible-people"() {
    const ann = await house.guest("Ann", { motion: "less" }),
      { page } = ann;
    await ann.create("Terrible People");
    await ann.houseRules({ Speed: "instant" });
    await ann.start();
    const submit = page.locator(".tp-foot .button.main");
    const answering = page.locator(".tp.answering"),
      judging = page.locator(".tp-foot .button.main").getByText("Pick the best one");
    await playUntil(
      [ann],
      again(async (guest, dice) => !(await answering.isVisible()) && players["terrible-people"](guest, dice)),
      random(1),
      lasting(ann, () => answering.isVisible()),
    );
    for (let i = 0; i < 3; i++) await page.keyboard.press("Escape"); // takes back what was selected meanwhile
    await ann.refused(submit, "This prompt needs \\d cards?");
    await playUntil(
      [ann],
      again(async (guest, dice) => !(await judging.isVisible()) && players["terrible-people"](guest, dice)),
      random(2),
      lasting(ann, () => judging.isVisible()),
    );
    await page.keyboard.press("Escape");
    await ann.refused(submit, "Choose a submission from 1 to 3");
    await none(ann);
    return [ann];
  },
};

for (const [game, play] of Object.entries(tables))
  if (wanted.length === 0 || wanted.includes(game))
    await test(`${game}: what cannot be done says why`, async () => {
      for (const guest of await play()) {
        assert.deepEqual(guest.errors, []);
        await guest.context.close();
      }
    });
await house.close();
finish();
