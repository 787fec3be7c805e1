// A line to type commands into, over the table: questions such as /hand, and moves.
import { createSignal, onCleanup, onMount, Show } from "solid-js";
import { say } from "../ui/notes";
import { t } from "../languages";

export function CommandLine(props: { obey: (line: string) => Promise<string>; onClose: () => void }) {
  const [answer, setAnswer] = createSignal("");
  const before = document.activeElement;
  let input!: HTMLInputElement;
  onMount(() => setTimeout(() => input.focus()));
  onCleanup(() => before instanceof HTMLElement && before.isConnected && before.focus());

  async function send(event: Event) {
    event.preventDefault();
    const line = input.value;
    input.value = "";
    const text = await props.obey(line);
    setAnswer(text);
    if (text) say(text);
  }
  function onKey(event: KeyboardEvent) {
    event.stopPropagation();
    if (event.key === "Escape") props.onClose();
  }
  return (
    <form class="command panel" aria-label={t("Command")} onSubmit={send} onKeyDown={onKey}>
      <Show when={answer()}>
        <p aria-hidden="true">{answer()}</p>
      </Show>
      <div class="row">
        <input
          ref={input}
          class="input grow"
          aria-label={t("Command")}
          placeholder={t("/hand, /play 9 hearts, /help")}
          maxlength={400}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
        />
        <button type="submit" class="button">
          {t("Do it")}
        </button>
        <button
          type="button"
          class="button icon plain"
          aria-label={t("Close the command line")}
          onClick={() => props.onClose()}
        >
          ✕
        </button>
      </div>
    </form>
  );
}
