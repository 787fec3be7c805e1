// How people play each game: with mouse and eyes (`players`), or with the keyboard alone (`typists`).
// One thing at a time, only what can be clicked or is in focus. Each returns true if it did something.
const visible = async (locator) =>
  (await locator.count()) > 0 &&
  (await locator.first().isVisible()) &&
  locator
    .first()
    .isEnabled({ timeout: 500 })
    .catch(() => false);

async function click(locator) {
  if (!(await visible(locator))) return false;
  await locator
    .first()
    .click({ timeout: 4000 })
    .catch(() => {});
  return true;
}

// A dialog of the table that waits for an answer. The dialog of the result is left to the test.
async function answerDialog(page) {
  const dialog = page.locator("dialog[open]:not(.result)");
  if ((await dialog.count()) === 0) return false;
  for (const name of ["Go on", "Add it"]) if (await click(dialog.getByRole("button", { name }))) return true;
  await page.keyboard.press("Escape");
  return true;
}

// What there is to do is seen in the page: the first selector that fits something which can be used now.
const look = (page, selectors, number) =>
  page.evaluate(
    ([wanted, n]) => {
      for (const selector of wanted) {
        const found = [...document.querySelectorAll(selector)].filter(
          (one) => one.checkVisibility() && !one.disabled && one.getAttribute("aria-disabled") !== "true",
        );
        if (found.length > 0)
          return { selector, at: [...document.querySelectorAll(selector)].indexOf(found[n % found.length]) };
      }
      return null;
    },
    [selectors, number],
  );

async function clickFirst(page, selectors, number) {
  const seen = await look(page, selectors, number);
  if (!seen) return false;
  await page
    .locator(seen.selector)
    .nth(seen.at)
    .click({ timeout: 1500 })
    .catch(() => {});
  return true;
}

const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
  return true;
};

export const players = {
  "4-kate": ({ page }, random) => clickFirst(page, [".columns button[aria-label$='Drop here']"], random(7)),

  // The second tap on a card plays it, as does the button.
  "whos-deal"({ page }, random) {
    const call = random(3) === 0 ? "order" : "pass";
    return clickFirst(
      page,
      [
        "[data-control='next']",
        `[data-control='${call}']`,
        "[data-control^='call-']",
        "[data-control='order']",
        "[data-control='pass']",
        random(2) ? "[data-control='confirm']" : ".wd-hand .card.chosen.lit",
        "[data-control='confirm']",
        ".wd-hand .card.lit:not(.chosen)",
      ],
      random(100),
    );
  },

  "up-n-down"({ page }, random) {
    return clickFirst(
      page,
      [
        "dialog[open]:not(.result) [aria-label='Close']",
        ".felt:has(.slip.chosen) .pile.best .target",
        ".felt:has(.slip.chosen) .pile.lit .target",
        ...(random(2) ? [".button.end.main"] : []),
        ".page:has(.turn.mine) .hand .slip.special:not(.chosen)",
        ".page:has(.turn.mine) .hand .slip:not(.dull):not(.chosen)",
        ".button.end.main",
      ],
      random(100),
    );
  },

  async "terrible-people"({ page }, random) {
    return clickFirst(
      page,
      [
        ".tp-go",
        ".tp-foot button:not(.main)", // show all
        ".tp-foot button.main",
        ".tp-hand:not(.idle) button[aria-pressed='false']",
        ".tp-reveal button",
      ],
      random(100),
    );
  },

  // What Suggest selects is laid; else a card goes to the pile.
  async "hand-and-foot"({ page }, random) {
    const [chosen, enabled] = await page.evaluate(() => [
      document.querySelectorAll(".hf-hand [aria-pressed='true']").length,
      [...document.querySelectorAll(".hf-actions button:not([aria-disabled])")].map(
        (one) => one.dataset.control ?? one.textContent.trim(),
      ),
    ]);
    const action = (name) => page.locator(`.hf-actions [data-control="${name}"]`);
    if (await page.evaluate(() => document.querySelector("dialog[open]:not(.result)") !== null))
      return answerDialog(page);
    const extra = enabled.find((name) => /^(Yes, go out|Ask my partner|Lay )/.test(name));
    if (extra) return click(page.locator(".hf-actions").getByRole("button", { name: extra, exact: true }));
    const offered = enabled.find((name) => name === "draw" || (chosen > 0 && name === "meld"));
    if (offered) return click(action(offered));
    if (!enabled.includes("advanced")) return false;
    if (chosen > 0 && random(4) && (await clickFirst(page, [".hf-mine .add"], random(100)))) return true;
    if (enabled.includes("discard")) return click(action("discard"));
    if (chosen > 0) return press(page, "Escape");
    if (enabled.includes("suggest") && random(3)) return click(action("suggest"));
    const seen = await look(page, [".hf-hand [data-card]"], random(100));
    if (!seen) return click(action("done"));
    await page
      .locator(seen.selector)
      .nth(seen.at)
      .click({ position: { x: 8, y: 30 }, timeout: 1500 })
      .catch(() => {});
    return true;
  },
};

// Somebody who wants to win at Hand & Foot: takes the pile where it is offered, lays what Suggest finds
// but no wild on a clean book, closes books, and throws threes and lonely cards away first. What comes
// after a round is left to the test.
export async function meldEverything(guest) {
  const { page } = guest;
  const seen = await page.evaluate(() => {
    const words = (selector) =>
      [...document.querySelectorAll(selector)].map((one) => one.dataset.control ?? one.textContent.trim());
    const cards = [...document.querySelectorAll(".hf-hand [data-card]")].map((one) => ({
      id: one.dataset.card,
      chosen: one.ariaPressed === "true",
      rank: one.dataset.card.replace(/(\B[SHDC])?(\.\d+)?$/, ""),
    }));
    const worth = ({ id, rank }) =>
      ({ 3: /^3[HD]/.test(id) ? -2 : -1, 2: 100, JK: 101 })[rank] ?? cards.filter((one) => one.rank === rank).length;
    return {
      mine: document.querySelector(".turn.mine") !== null,
      over: document.querySelector("dialog[open]:is(.result, .summary)") !== null,
      answers: words("dialog[open] button"),
      ways: document.querySelector("dialog[open] .takes") !== null,
      buttons: words(".hf-actions button:not([aria-disabled])"),
      suggested: document.querySelector("[data-control='meld'].main") !== null,
      closing: document.querySelector(".hf-mine .book .close") !== null,
      chosen: cards.filter((card) => card.chosen).length,
      hand: cards.map((card) => card.id).join(),
      least: cards.sort((a, b) => worth(a) - worth(b))[0]?.id,
    };
  });
  const can = (name) => seen.buttons.includes(name);
  const press = (name) => click(page.locator(`.hf-actions [data-control="${name}"]`));
  if (seen.over) return false;
  if (seen.answers.length > 0) {
    const answer = ["Keep it clean", "Keep it natural", "Undo my last play"].find((name) =>
      seen.answers.includes(name),
    );
    if (answer?.startsWith("Keep it")) guest.enough = seen.hand;
    if (answer === "Undo my last play") guest.enough = "for this turn";
    return click(
      page
        .locator("dialog[open]")
        .locator(answer ? `button:text-is("${answer}")` : seen.ways ? ".takes .button" : "[aria-label='Close']"),
    );
  }
  if (!seen.mine) return false;
  if (can("draw") && seen.chosen > 0) {
    await page.keyboard.press("Escape");
    return true;
  }
  if (can("take")) return press("take");
  if (can("draw")) {
    guest.enough = "";
    return press("draw");
  }
  const special = seen.buttons.find((name) => /^(Lay \d|Ask my partner|Yes, go out)/.test(name));
  if (special) return click(page.locator(".hf-actions").getByRole("button", { name: special, exact: true }));
  if (seen.closing) return click(page.locator(".hf-mine .book .close"));
  if (seen.suggested) return press("meld");
  if (can("discard")) return press("discard");
  if (seen.chosen > 0) {
    await page.keyboard.press("Escape");
    return true;
  }
  if (can("suggest") && guest.enough !== seen.hand && guest.enough !== "for this turn") {
    guest.enough = seen.hand; // for these cards it is asked once
    return press("suggest");
  }
  return seen.least !== undefined && click(page.locator(`.hf-hand [data-card="${seen.least}"]`));
}

// Tab, or Shift+Tab, until what is in focus fits; false if an update took it away meanwhile.
export async function tabTo(page, selector, { back = false, limit = 150 } = {}) {
  const look = () =>
    page.evaluate(
      (wanted) =>
        document.activeElement?.matches(wanted)
          ? "there"
          : document.querySelector(wanted)?.checkVisibility()
            ? "elsewhere"
            : "gone",
      selector,
    );
  for (let i = 0; i < limit; i++) {
    const found = await look();
    if (found !== "elsewhere") return found === "there";
    await page.keyboard.press(back ? "Shift+Tab" : "Tab");
  }
  throw new Error(`Tab does not come to ${selector}`);
}

// Keys as they are on the table's list of keys; the keyboard goes where the focus is led.
const state = (page, read) => page.evaluate(read);

export const typists = {
  async "4-kate"({ page }, random) {
    const open = await state(page, () =>
      [...document.querySelectorAll(".columns button")].flatMap((one, i) =>
        one.getAttribute("aria-label").endsWith("Drop here") ? [i + 1] : [],
      ),
    );
    if (open.length === 0) return false;
    const column = open[random(open.length)];
    if (random(2)) return press(page, String(column));
    if (!(await tabTo(page, ".columns button"))) return false;
    await press(page, "Home", ...Array(column - 1).fill("ArrowRight"));
    return press(page, random(2) ? "Enter" : "ArrowDown");
  },

  async "whos-deal"({ page }, random) {
    const seen = await state(page, () => {
      const can = (name) => document.querySelector(`[data-control='${name}']:not([aria-disabled])`) !== null;
      return {
        next: can("next"),
        pass: can("pass"),
        order: can("order"),
        suits: ["S", "H", "D", "C"].filter((suit) => can(`call-${suit}`)),
        cards: [...document.querySelectorAll(".wd-hand [data-card]")].map((one) =>
          one.matches(".lit:not([aria-disabled='true'])"),
        ),
      };
    });
    if (seen.next) return press(page, "n");
    if (seen.pass && random(3)) return press(page, "p");
    if (seen.order) return press(page, "o");
    if (seen.suits.length > 0) return press(page, seen.suits[random(seen.suits.length)].toLowerCase());
    const legal = seen.cards.flatMap((lit, i) => (lit ? [i] : []));
    if (legal.length === 0) return false;
    const card = legal[random(legal.length)];
    if (random(2)) await press(page, String(card + 1));
    else {
      if (!(await tabTo(page, ".wd-hand [data-card]"))) return false;
      await press(page, "Home", ...Array(card).fill("ArrowRight"));
    }
    await press(page, "Enter");
    // A discard is confirmed with its own button or, like a play, by the same key.
    if (
      random(2) &&
      (await state(page, () => /^Discard/.test(document.querySelector("[data-control='confirm']")?.textContent ?? "")))
    )
      await tabTo(page, "[data-control='confirm']", { back: true });
    return press(page, "Enter");
  },

  async "up-n-down"({ page }, random) {
    const seen = await state(page, () => ({
      mine: document.querySelector(".turn.mine") !== null,
      end: document.querySelector(".button.end.main") !== null,
      cards: [...document.querySelectorAll(".hand .slip")].map(
        (one) => /piles? (\d)/.exec(one.getAttribute("aria-label"))?.[1] ?? "",
      ),
    }));
    if (!seen.mine) return false;
    const useful = seen.cards.flatMap((pile, i) => (pile ? [i] : []));
    if (useful.length === 0 || (seen.end && random(2))) return seen.end && press(page, "e");
    const card = useful[random(useful.length)];
    if (!(await tabTo(page, ".hand .slip"))) return false;
    await press(page, "Home", ...Array(card).fill("ArrowRight"));
    if (random(2)) await press(page, "Enter");
    return press(page, seen.cards[card]);
  },

  async "terrible-people"({ page }, random) {
    const seen = await state(page, () => {
      const main = document.querySelector(".tp-foot button");
      return {
        button: main?.textContent.trim() ?? "",
        ready: main !== null && main.getAttribute("aria-disabled") !== "true",
        free: [...document.querySelectorAll(".tp-hand:not(.idle) button")].flatMap((one, i) =>
          one.getAttribute("aria-pressed") === "false" ? [i + 1] : [],
        ),
        answers: document.querySelectorAll(".tp-reveal button").length,
      };
    });
    if (seen.button === "Show all") return press(page, "Escape");
    if (seen.ready) return (await tabTo(page, ".tp-foot button")) && press(page, "Enter");
    if (seen.free.length > 0) {
      const card = seen.free[random(seen.free.length)];
      if (random(2)) return press(page, String(card));
      if (!(await tabTo(page, ".tp-hand button"))) return false;
      return press(page, "Home", ...Array(card - 1).fill("ArrowRight"), "Space");
    }
    if (seen.answers === 0) return false;
    return press(page, String(1 + random(seen.answers)));
  },

  async "hand-and-foot"({ page }, random) {
    if (await page.evaluate(() => document.querySelector("dialog[open]:not(.result)") !== null)) {
      if (await page.evaluate(() => document.querySelector("dialog[open] footer .main") === null))
        return press(page, "Escape");
      return (await tabTo(page, "dialog[open] footer .main")) && press(page, "Enter");
    }
    const seen = await state(page, () => {
      const can = (name) =>
        document.querySelector(`.hf-actions [data-control='${name}']:not([aria-disabled])`) !== null;
      return {
        mine: document.querySelector(".turn.mine") !== null,
        draw: can("draw"),
        meld: can("suggest"),
        cards: document.querySelectorAll(".hf-hand [data-card]").length,
      };
    });
    if (!seen.mine) return false;
    if (seen.draw) return press(page, "Space");
    if (seen.meld) {
      await press(page, "m");
      if (await page.evaluate(() => document.querySelector("[data-control='meld'].main") !== null))
        return (await tabTo(page, ".hf-hand [data-card]")) && press(page, "Enter");
      if (await page.evaluate(() => document.querySelector(".hf-mine .add") !== null))
        return (await tabTo(page, ".hf-mine .add", { back: true })) && press(page, "Enter");
      await press(page, "Escape");
    }
    if (seen.cards === 0) return false;
    if (!(await tabTo(page, ".hf-hand [data-card]"))) return false;
    await press(page, "Home", ...Array(random(seen.cards)).fill("ArrowRight"), "Space");
    return press(page, "d");
  },
};

// The newest state of the table that a page shows.
const shown = ({ page }) =>
  page.evaluate(() => document.querySelector("main.stage")?.dataset.version).catch(() => undefined);

// Everybody plays until `done`, which looks at the first one's page; `then` is called after each thing done. It fails
// when nothing happened at the table for `limit`, or when it takes eight times as long: a busy machine is slow.
export async function playUntil(guests, hand, random, done, { then = async () => {}, limit = 90_000 } = {}) {
  const latest = Date.now() + 8 * limit;
  let end = Date.now() + limit;
  let over = false;
  const first = guests[0];
  const each = async (guest) => {
    for (let last; !over; ) {
      const now = await shown(guest);
      if (now !== last) end = Date.now() + limit;
      last = now;
      if (guest === first && (await done(guest))) over = true;
      else if (Date.now() > Math.min(end, latest))
        throw new Error(
          `${guest.name} still plays: ${await guest.page
            .locator(".turn")
            .textContent()
            .catch(() => "no table")}`,
        );
      else if (await hand(guest, random)) await then(guest);
      else await new Promise((resolve) => setTimeout(resolve, 80));
    }
  };
  try {
    await Promise.all(guests.map(each));
  } finally {
    over = true;
  }
}

export const resultShown = ({ page }) => page.locator("dialog.result[open]").isVisible();
