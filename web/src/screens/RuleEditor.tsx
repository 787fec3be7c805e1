// The house rules of a world that waits: the rule book, what was changed of it, every rule under its
// heading, and all of it as one line to share. Who does not own the world reads the same.
import { options as manners } from "virtual:world";
import { createMemo, createSignal, createUniqueId, For, Show, type JSX } from "solid-js";
import { settingText, type Option, type Setting, type World } from "../model";
import { changesOf, codeOf, found, groupsOf, moveOfCode, presetOf, settingOf, type About, type Change } from "../rules";
import type { Table } from "../table/table";
import { copy } from "../ui/copy";
import { Segments, Switch } from "../ui/controls";
import { labelOf } from "../ui/RulesInForce";
import { said, t, telling, tn } from "../languages";

const SEARCHED_FROM = 12; // fewer rules are seen at a glance

export function RuleEditor(props: { table: Table; about: About; mayChange: boolean }) {
  const { table } = props;
  const world = table.world;
  const [wanted, setWanted] = createSignal("");
  const changes = createMemo(() => changesOf(props.about, world.settings));
  const isChanged = (option: Option) => changes().some((change) => change.option.key === option.key);
  const shown = createMemo(() => groupsOf(found(props.about.options, wanted())));
  const many = () => props.about.options.length > SEARCHED_FROM;
  const bookCode = () => (props.about.presets.length > 0 ? `preset=${settingText(world.settings.preset!)}` : "");
  const set = (option: Option, value: Setting) => void table.act(`set ${option.key}=${settingText(value)}`);

  return (
    <Show
      when={props.about.options.length > 0}
      fallback={<p class="quiet">{t("This game is always played the same.")}</p>}
    >
      <Show when={props.about.presets.length > 0}>
        <RuleBooks
          world={world}
          about={props.about}
          disabled={!props.mayChange}
          onChoose={(id) => void table.act(`preset ${id}`)}
        />
      </Show>
      <Changes
        about={props.about}
        world={world}
        changes={changes()}
        mayChange={props.mayChange}
        onSet={set}
        onReset={() => void table.act(moveOfCode(props.about, world.settings, bookCode()))}
      />
      <Show when={many()}>
        <label class="field rule-search">
          <span>{t("Find a rule")}</span>
          <input
            class="input"
            type="search"
            placeholder={t("wilds, red threes, going out…")}
            value={wanted()}
            onInput={(event) => setWanted(event.currentTarget.value)}
          />
        </label>
      </Show>
      <For each={shown()} fallback={<p class="quiet">{t("No rule has these words.")}</p>}>
        {(group) => (
          <RuleGroup
            label={group.label}
            count={group.options.length}
            changed={group.options.filter(isChanged).length}
            open={wanted() !== ""}
          >
            <div class="options">
              <For each={group.options}>
                {(option) => (
                  <div class="option" classList={{ differs: isChanged(option) }}>
                    <Show
                      when={props.mayChange}
                      fallback={<OptionText option={option} value={settingOf(option, world.settings)} />}
                    >
                      <OptionField
                        option={option}
                        value={settingOf(option, world.settings)}
                        onSet={(value) => set(option, value)}
                      />
                    </Show>
                  </div>
                )}
              </For>
            </div>
          </RuleGroup>
        )}
      </For>
      <Code table={table} about={props.about} mayChange={props.mayChange} />
    </Show>
  );
}

function RuleBooks(props: { world: World; about: About; disabled: boolean; onChoose: (id: string) => void }) {
  const chosen = (id: string) => props.world.settings.preset === id;
  return (
    <div class="presets" role="radiogroup" aria-label={t("Rule book")}>
      <For each={props.about.presets}>
        {(one) => (
          <button
            type="button"
            role="radio"
            class="preset"
            aria-checked={chosen(one.id)}
            disabled={props.disabled && !chosen(one.id)}
            onClick={() => !props.disabled && props.onChoose(one.id)}
          >
            <b>{said(one.label)}</b>
            <span class="small quiet">{said(one.help)}</span>
          </button>
        )}
      </For>
    </div>
  );
}

function Changes(props: {
  about: About;
  world: World;
  changes: Change[];
  mayChange: boolean;
  onSet: (option: Option, value: Setting) => void;
  onReset: () => void;
}) {
  const book = () => said(presetOf(props.about, props.world.settings)?.label ?? "") || t("the usual rules");
  const count = () => props.changes.length;
  return (
    <div class="changes" role="group" aria-label={t("Changes")}>
      <p class="row spread">
        <b role="status">
          {count() === 0
            ? t("Exactly {book}", { book: book() })
            : tn(count(), "{n} change from {book}", "{n} changes from {book}", { book: book() })}
        </b>
        <Show when={props.mayChange && count() > 0}>
          <button type="button" class="button small" onClick={() => props.onReset()}>
            {t("Undo all")}
          </button>
        </Show>
      </p>
      <Show when={count() > 0}>
        <ul>
          <For each={props.changes}>
            {({ option, usual, now }) => (
              <li>
                <span class="grow">
                  {said(option.label)}: <b>{labelOf(now)}</b>{" "}
                  <span class="quiet">{t("instead of {label}", { label: labelOf(usual) })}</span>
                </span>
                <Show when={props.mayChange}>
                  <button
                    type="button"
                    class="button plain icon"
                    aria-label={t("{rule} back to {usual}", { rule: said(option.label), usual: labelOf(usual) })}
                    onClick={() => props.onSet(option, usual)}
                  >
                    ↶
                  </button>
                </Show>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </div>
  );
}

function RuleGroup(props: { label: string; count: number; changed: number; open: boolean; children: JSX.Element }) {
  return (
    <Show when={props.label} fallback={props.children}>
      <details class="rule-group" open={props.open}>
        <summary>
          <h3>{said(props.label)}</h3>
          <span class="small quiet">
            {tn(props.count, "{n} rule", "{n} rules")}
            <Show when={props.changed > 0}>
              , <b class="changed">{t("{changed} changed", { changed: props.changed })}</b>
            </Show>
          </span>
        </summary>
        {props.children}
      </details>
    </Show>
  );
}

// The whole of it as text: to be sent to a friend, or kept for the next evening.
function Code(props: { table: Table; about: About; mayChange: boolean }) {
  const world = props.table.world;
  const id = createUniqueId();
  const now = createMemo(() => codeOf(props.about, world.settings));
  const [typed, setTyped] = createSignal<string | null>(null);
  async function apply(event: Event) {
    event.preventDefault();
    const move = moveOfCode(props.about, world.settings, typed() ?? now());
    if (move !== "set" && (await props.table.act(move))) return;
    setTyped(null);
  }
  return (
    <form class="field rule-code" onSubmit={apply}>
      <label for={id}>{t("House rules as one line")}</label>
      <span class="small quiet">
        {props.mayChange
          ? t("Copy it to keep or share these rules; paste one to play by it.")
          : t("Copy it to play by these rules at a table of your own.")}
      </span>
      <div class="row">
        <input
          id={id}
          class="input grow"
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          placeholder={t("the usual rules")}
          readonly={!props.mayChange}
          value={typed() ?? now()}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <Show
          when={typed() !== null && typed() !== now()}
          fallback={
            <button type="button" class="button" disabled={now() === ""} onClick={() => copy(now(), t("House rules"))}>
              {t("Copy")}
            </button>
          }
        >
          <button type="submit" class="button main">
            {t("Apply")}
          </button>
          <button type="button" class="button" onClick={() => setTyped(null)}>
            {t("Cancel")}
          </button>
        </Show>
      </div>
    </form>
  );
}

const OptionText = (props: { option: Option; value: Setting }) => (
  <p>
    <b>{telling(said(props.option.label), labelOf(props.value))}.</b>
    <br />
    <span class="small quiet">{said(props.option.help)}</span>
  </p>
);

// What the owner may set at any time beside the house rules: those options of the world that `shown` names.
export const Manners = (props: { table: Table; shown: (key: string) => boolean }) => (
  <For each={manners.filter(({ key }) => props.shown(key))}>
    {(option) => (
      <OptionField
        option={option}
        value={settingOf(option, props.table.world.settings)}
        onSet={(value) => props.table.act(`manners ${option.key}=${settingText(value)}`)}
      />
    )}
  </For>
);

function OptionField(props: { option: Option; value: Setting; onSet: (value: Setting) => void }) {
  const { option } = props;
  const help = <span class="small quiet">{said(option.help)}</span>;
  if (option.type === "boolean")
    return (
      <Switch checked={props.value === true} onChange={(checked) => props.onSet(checked)}>
        <b>{said(option.label)}</b>
        <br />
        {help}
      </Switch>
    );
  return (
    <div class="field">
      <span>{said(option.label)}</span>
      {help}
      <Show when={option.values} fallback={<TypedValue option={option} value={props.value} onSet={props.onSet} />}>
        <Segments
          label={said(option.label)}
          values={option.values!}
          value={props.value as string | number}
          text={labelOf}
          onChoose={(value) => props.onSet(value)}
        />
      </Show>
    </div>
  );
}

// A value that the engine refuses is replaced by the one in force.
function TypedValue(props: { option: Option; value: Setting; onSet: (value: Setting) => void }) {
  const list = () => props.option.type === "list";
  const change = (input: HTMLInputElement) => {
    const text = input.value.replace(/\s/g, "");
    input.value = settingText(props.value);
    if (text) props.onSet(text);
  };
  return (
    <input
      class="input"
      aria-label={said(props.option.label)}
      type={list() ? "text" : "number"}
      inputmode={list() ? "text" : "numeric"}
      min={props.option.min}
      max={props.option.max}
      value={settingText(props.value)}
      onChange={(event) => change(event.currentTarget)}
    />
  );
}
