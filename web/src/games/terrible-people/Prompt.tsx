import { Index, Show } from "solid-js";
import { fill, type Filled } from "./terrible";
import { t } from "../../languages";

// About as wide as an answer. Hard spaces keep a comma that follows on the same line.
const GAP = "\u00a0".repeat(14);

// A sentence with its blanks, or with what stands in them.
export function Sentence(props: { view: Filled; answers: readonly string[] }) {
  return (
    <Index each={fill(props.view, props.answers)}>
      {(piece) => (
        <Show when={piece().blank} fallback={piece().text}>
          <Show
            when={piece().text}
            fallback={
              <span class="tp-blank">
                <span class="hidden-text">{t("blank")}</span>
                <span aria-hidden="true">{GAP}</span>
              </span>
            }
          >
            <mark class="tp-filled">{piece().text}</mark>
          </Show>
        </Show>
      )}
    </Index>
  );
}
