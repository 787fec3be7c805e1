import { For, onMount, type JSX } from "solid-js";
import { t } from "../languages";

// A ref: this element gets the focus if the element that had it on the previous screen is gone.
export const land = (element: HTMLElement) =>
  onMount(() => document.activeElement === document.body && element.focus({ preventScroll: true }));

export function Segments<T extends string | number>(props: {
  label: string;
  values: readonly T[];
  value: T;
  text?: (value: T) => string;
  disabled?: boolean;
  onChoose: (value: T) => void;
}) {
  const move = (event: KeyboardEvent) => {
    const step =
      event.key === "ArrowRight" || event.key === "ArrowDown"
        ? 1
        : event.key === "ArrowLeft" || event.key === "ArrowUp"
          ? -1
          : 0;
    if (!step || props.disabled) return;
    event.preventDefault();
    // Starts from the focused button, because the value may not have been updated yet.
    const buttons = [...(event.currentTarget as HTMLElement).children] as HTMLElement[];
    const next = (buttons.indexOf(document.activeElement as HTMLElement) + step + buttons.length) % buttons.length;
    props.onChoose(props.values[next]!);
    buttons[next]!.focus();
  };
  return (
    <div class="segments" role="radiogroup" aria-label={props.label} onKeyDown={move}>
      <For each={props.values}>
        {(value) => (
          <button
            type="button"
            role="radio"
            class="button"
            aria-checked={value === props.value}
            tabindex={value === props.value ? 0 : -1}
            disabled={props.disabled}
            onClick={() => props.onChoose(value)}
          >
            {props.text?.(value) ?? value}
          </button>
        )}
      </For>
    </div>
  );
}

// A switch that is `shut` can be focused; when it is pressed it does not change and calls `onShut`.
export function Switch(props: {
  checked: boolean;
  disabled?: boolean;
  shut?: boolean;
  onShut?: () => void;
  onChange: (checked: boolean) => void;
  children: JSX.Element;
}) {
  const change = (event: { currentTarget: HTMLInputElement }) => {
    if (!props.shut) return props.onChange(event.currentTarget.checked);
    event.currentTarget.checked = props.checked;
    props.onShut?.();
  };
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={props.checked}
        disabled={props.disabled}
        aria-disabled={props.shut || undefined}
        onChange={change}
      />
      <span class="grow">{props.children}</span>
    </label>
  );
}

export const Brand = () => (
  <a class="brand" href="/" aria-label={t("Oyster, home")}>
    <Pearl />
    <span>Oyster</span>
  </a>
);

const Pearl = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <path
      d="M16 27.5 5.6 17.8a4 4 0 0 1 .9-6.2 4.3 4.3 0 0 1 5.1-4.7
         4.9 4.9 0 0 1 8.8 0 4.3 4.3 0 0 1 5.1 4.7 4 4 0 0 1 .9 6.2Z"
      fill="#f3d9bd"
    />
    <path
      d="M16 26 8 13.5M16 26l-4-15.5M16 26V9M16 26l4-15.5M16 26l8-12.5"
      stroke="#b98a66"
      stroke-width="1.1"
      stroke-linecap="round"
    />
    <circle cx="16" cy="23" r="4.6" fill="#fffaf3" stroke="#d8b48e" stroke-width=".8" />
    <circle cx="14.5" cy="21.5" r="1.3" fill="#fff" />
  </svg>
);

export const BotSign = () => (
  <svg
    viewBox="0 0 24 24"
    width="1.4em"
    height="1.4em"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    aria-hidden="true"
  >
    <rect x="4" y="8" width="16" height="11" rx="3" />
    <path d="M12 4v4M9 13v1M15 13v1M2 13v2M22 13v2" />
  </svg>
);
