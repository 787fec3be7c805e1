import all from "virtual:options";
import { For, Show } from "solid-js";
import { settingText, type Option, type Setting, type World } from "../model";
import { said, t, telling } from "../languages";

export const labelOf = (value: Setting): string => said(settingText(value).replace(/-/g, " "));

// Every house rule of this world as a sentence, what differs from the usual first.
export function RulesInForce(props: { world: World }) {
  const options = (): Option[] => all[props.world.gameId]?.options ?? [];
  const changed = (option: Option) =>
    settingText(props.world.settings[option.key] ?? option.default) !== settingText(option.default);
  const sorted = () => [...options()].sort((a, b) => Number(changed(b)) - Number(changed(a)));
  return (
    <Show
      when={options().length > 0}
      fallback={<p>{t("This game has no house rules: it is always played the same.")}</p>}
    >
      <ul class="stack" style={{ "padding-left": "1.1rem" }}>
        <For each={sorted()}>
          {(option) => (
            <li>
              <b>{telling(said(option.label), labelOf(props.world.settings[option.key] ?? option.default))}.</b>{" "}
              {said(option.help)}
              <Show when={changed(option)}> {t("(Usually {label}.)", { label: labelOf(option.default) })}</Show>
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}

// HF-C48: whoever loaded a save knew its cards.
export const LoadedBy = (props: { world: World }) => (
  <Show when={props.world.loadedBy}>
    {(loader) => (
      <p class="panel loaded-by">
        {t(
          "{name} loaded this game from a file. Where several people play, hidden cards are dealt " +
            "anew when it starts; who takes a seat later waits for the next deal. It counts for no " +
            "statistics.",
          { name: loader().name },
        )}
      </p>
    )}
  </Show>
);
