// Controls that stay where they are while they cannot be used.
import { createEffect, createSignal, type JSX } from "solid-js";
import { note } from "../ui/notes";
import type { Table } from "./table";
import { said } from "../languages";

export interface Gate {
  may(): boolean;
  // Called as well if `may` says no and the engine allows the move all the same.
  act(): void;
  // The move that the engine is asked about, to learn why it is not allowed.
  move(): string;
  // What the page still needs from the person, such as a choice; if there is something, the engine is not asked.
  lacks?(): string | false;
}

// The properties of a button that fingers, keys and screen readers can always reach. While it cannot be used it
// says why instead, in the engine's words, which are also its description when it is in focus or under the mouse.
export function gate(table: Table, gated: Gate): JSX.ButtonHTMLAttributes<HTMLButtonElement> {
  const [regarded, setRegarded] = createSignal(false);
  const [why, setWhy] = createSignal<string>();
  createEffect(() => {
    void table.world.version;
    const shut = regarded() && !gated.may();
    const lacking = shut && gated.lacks?.();
    setWhy(lacking || undefined);
    if (!shut || lacking) return;
    const move = gated.move();
    const stillAsked = () => regarded() && !gated.may() && gated.move() === move;
    void table.check(move).then((refusal) => stillAsked() && setWhy(refusal ? said(refusal.error) : undefined));
  });
  return {
    get "aria-disabled"() {
      return gated.may() ? undefined : "true";
    },
    get title() {
      return gated.may() ? undefined : why();
    },
    onFocusIn: () => setRegarded(true),
    onFocusOut: () => setRegarded(false),
    onMouseOver: () => setRegarded(true),
    onMouseOut: () => setRegarded(false),
    onClick: () => use(table, gated),
  };
}

// The same by a key.
export function use(table: Table, gated: Gate): void {
  const lacking = !gated.may() && gated.lacks?.();
  if (gated.may()) gated.act();
  else if (lacking) note(lacking);
  else void ask(table, gated);
}

// The engine has the last word: it is shown why it refuses, or the move is made, unless another one is meant by then.
async function ask(table: Table, gated: Gate) {
  const move = gated.move();
  const refused = await table.explain(move);
  if (!refused && gated.move() === move) gated.act();
}
