// A card's face; the left bower shows which suit it belongs to now.
import { Show } from "solid-js";
import { CardFace, suitClass, suitSign } from "../../ui/cards";
import type { Round } from "./view";

export function Face(props: { id: string; round: Round | null }) {
  return (
    <>
      <CardFace id={props.id} />
      <Show when={props.id === props.round?.bowers?.left}>
        <span class={`wd-left-bower ${suitClass(props.round!.trumpSuit!)}`} aria-hidden="true">
          {suitSign(props.round!.trumpSuit!)}
        </span>
      </Show>
    </>
  );
}
