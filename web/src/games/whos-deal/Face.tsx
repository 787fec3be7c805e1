// A card's face; the left bower shows which suit it belongs to now.
import { Show } from "solid-js";
import { CardFace, suitClass, suitSign } from "../../ui/cards";
import { isLeftBower, type Suit } from "./view";

export function Face(props: { id: string; trump: Suit | null | undefined }) {
  return (
    <>
      <CardFace id={props.id} />
      <Show when={isLeftBower(props.id, props.trump ?? null)}>
        <span class={`wd-left-bower ${suitClass(props.trump!)}`} aria-hidden="true">
          {suitSign(props.trump!)}
        </span>
      </Show>
    </>
  );
}
