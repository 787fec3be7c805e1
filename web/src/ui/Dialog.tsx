import { createEffect, createUniqueId, onCleanup, Show, type JSX } from "solid-js";
import { t } from "../languages";

// A modal dialog: focus stays within, Escape closes it, and focus goes back where it was.
export function Dialog(props: {
  open: boolean;
  title: string;
  onClose: () => void;
  children: JSX.Element;
  footer?: JSX.Element;
  class?: string;
}) {
  let element!: HTMLDialogElement;
  let body!: HTMLDivElement;
  const id = createUniqueId();
  createEffect(() => {
    if (props.open && !element.open) {
      element.showModal();
      // What is longer than the screen is scrolled with the keyboard, too.
      body.tabIndex = body.scrollHeight > body.clientHeight ? 0 : -1;
    }
    if (!props.open && element.open) element.close();
  });
  onCleanup(() => element.open && element.close());
  return (
    <dialog
      ref={element}
      class={`dialog ${props.class ?? ""}`}
      aria-labelledby={id}
      onClose={() => props.open && props.onClose()}
      onClick={(event) => event.target === element && props.onClose()}
    >
      <Show when={props.open}>
        <header>
          <h2 id={id}>{props.title}</h2>
          <button type="button" class="button plain icon" aria-label={t("Close")} onClick={() => props.onClose()}>
            ✕
          </button>
        </header>
        <div ref={body} class="body">
          {props.children}
        </div>
        <Show when={props.footer}>
          <footer>{props.footer}</footer>
        </Show>
      </Show>
    </dialog>
  );
}
