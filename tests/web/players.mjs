// How a person plays each game with mouse and eyes: one thing at a time, only what can be clicked.
// Each returns true if it did something.
const visible = async (locator) => (await locator.count()) > 0 && (await locator.first().isVisible()) && locator.first().isEnabled({ timeout: 500 }).catch(() => false);

async function click(locator) {
  if (!(await visible(locator))) return false;
  await locator.first().click({ timeout: 4000 }).catch(() => {});
  return true;
}

// A dialog of the table that waits for a word; the result's own is the test's business.
async function answerDialog(page) {
  const dialog = page.locator("dialog[open]:not(.result)");
  if ((await dialog.count()) === 0) return false;
  for (const name of ["Next round", "Go on", "Add it"]) if (await click(dialog.getByRole("button", { name }))) return true;
  await page.keyboard.press("Escape");
  return true;
}

export const players = {
  async "hand-and-foot"({ page }, random) {
    if (await answerDialog(page)) return true;
    const actions = page.getByRole("group", { name: "What you can do" });
    const button = (name) => actions.getByRole("button", { name });
    if (await click(button(/^(Pile 1|Yes, go out|Ask my partner|Lay )/))) return true;
    if (await click(button("Draw from Deck"))) return true;
    if (await visible(button("Suggest"))) {
      await click(button("Suggest"));
      if (await click(page.getByRole("button", { name: /^Create Meld/ }).and(page.locator(":enabled")))) return true;
      if (await click(page.getByRole("button", { name: /^Add the selection/ }))) return true;
      await page.keyboard.press("Escape");
    }
    if (!(await visible(button("Advanced Melding")))) return false;
    const cards = page.locator(".hf-hand [data-card]");
    const count = await cards.count();
    if (count === 0) return click(button("Done melding"));
    const card = cards.nth(random(count));
    if ((await card.getAttribute("aria-pressed")) !== "true") await card.click({ position: { x: 8, y: 30 }, timeout: 4000 }).catch(() => {});
    if (await click(actions.getByRole("button", { name: /^Discard / }))) return true;
    await page.keyboard.press("Escape");
    return false;
  },
};
