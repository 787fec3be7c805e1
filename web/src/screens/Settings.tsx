import { createUniqueId, For, onMount, Show, type JSX } from "solid-js";
import { Dynamic } from "solid-js/web";
import { choices, choose } from "../settings";
import { CardBack, CardFace } from "../ui/cards";
import { Brand, Segments, Switch } from "../ui/controls";
import { Push } from "./Push";
import { wantCalls } from "../ui/attention";
import { tryOut } from "../ui/sound";
import { chooseLanguage, chosenLanguage, codes, languageName, t } from "../languages";
import { Devices } from "./Devices";
import "./Settings.css";

function Group(props: { title: string; heading: "h2" | "h3"; children: JSX.Element }) {
  const id = createUniqueId();
  return (
    <section class="choices-group" aria-labelledby={id}>
      <Dynamic component={props.heading} id={id}>
        {props.title}
      </Dynamic>
      {props.children}
    </section>
  );
}

function Choice<T extends string | number>(props: {
  label: string;
  help?: string;
  values: readonly T[];
  value: T;
  text: (value: T) => string;
  onChoose: (value: T) => void;
}) {
  return (
    <div class="field">
      <span>{props.label}</span>
      {props.help && <span class="quiet small">{props.help}</span>}
      <Segments
        label={props.label}
        values={props.values}
        value={props.value}
        text={props.text}
        onChoose={props.onChoose}
      />
    </div>
  );
}

const from =
  <T extends string>(words: Record<T, string>) =>
  (value: T) =>
    words[value];

export function Choices(props: { heading: "h2" | "h3" }) {
  return (
    <div class="choices">
      <Group heading={props.heading} title={t("Look")}>
        <label class="field">
          <span>{t("Language")}</span>
          <select
            class="input"
            value={chosenLanguage()}
            onChange={(event) => chooseLanguage(event.currentTarget.value)}
          >
            <option value="">{t("As the browser")}</option>
            <For each={codes}>
              {(code) => (
                <option value={code} lang={code}>
                  {languageName(code)}
                </option>
              )}
            </For>
          </select>
        </label>
        <Choice
          label={t("Theme")}
          values={["warm", "light", "system", "contrast"] as const}
          value={choices.theme}
          text={from({
            warm: t("Warm and dark"),
            light: t("Light"),
            system: t("As the device"),
            contrast: t("High contrast"),
          })}
          onChoose={(theme) => choose({ theme })}
        />
        <Choice
          label={t("Table cloth")}
          values={["own", "moss", "lagoon", "wine", "slate"] as const}
          value={choices.cloth}
          text={from({
            own: t("Each game's own"),
            moss: t("Moss"),
            lagoon: t("Lagoon"),
            wine: t("Wine"),
            slate: t("Slate"),
          })}
          onChoose={(cloth) => choose({ cloth })}
        />
        <Choice
          label={t("Text size")}
          values={[100, 125, 150, 200]}
          value={choices.textScale}
          text={(value) => `${value} %`}
          onChoose={(textScale) => choose({ textScale })}
        />
      </Group>
      <Group heading={props.heading} title={t("Cards")}>
        <Choice
          label={t("Faces")}
          values={["large", "classic"] as const}
          value={choices.faces}
          text={from({ large: t("Large"), classic: t("Classic") })}
          onChoose={(faces) => choose({ faces })}
        />
        <Choice
          label={t("Suits")}
          help={t("The last one is for red-green blindness: red, yellow, blue and black, on large faces.")}
          values={["two-colour", "four-colour", "safe-colour"] as const}
          value={choices.deck}
          text={from({
            "two-colour": t("Two colours"),
            "four-colour": t("Four colours"),
            "safe-colour": t("Red, yellow, blue, black"),
          })}
          onChoose={(deck) => choose({ deck })}
        />
        <Choice
          label={t("Backs")}
          values={["own", "waves", "reef", "night"] as const}
          value={choices.back}
          text={from({ own: t("Shell"), waves: t("Waves"), reef: t("Reef"), night: t("Night") })}
          onChoose={(back) => choose({ back })}
        />
        <div class="row sample" aria-hidden="true">
          {["AS", "KH", "QD", "10C", "JK"].map((id) => (
            <span class="card">
              <CardFace id={id} />
            </span>
          ))}
          <span class="card">
            <CardBack />
          </span>
        </div>
        <Switch checked={choices.confirmPlays} onChange={(confirmPlays) => choose({ confirmPlays })}>
          <b>{t("Play with a second tap")}</b>
          <br />
          <span class="quiet small">{t("The first tap raises a card, the second plays it. Off: one tap plays.")}</span>
        </Switch>
      </Group>
      <Group heading={props.heading} title={t("Motion")}>
        <Choice
          label={t("Speed of what moves")}
          help={t("How fast cards glide. How long bots think is up to each table.")}
          values={["calm", "usual", "quick"] as const}
          value={choices.pace}
          text={from({ calm: t("Calm"), usual: t("Usual"), quick: t("Quick") })}
          onChoose={(pace) => choose({ pace })}
        />
        <Switch checked={choices.motion === "less"} onChange={(less) => choose({ motion: less ? "less" : "full" })}>
          <b>{t("Less motion")}</b>
          <br />
          <span class="quiet small">{t("Cards appear where they belong instead of gliding there.")}</span>
        </Switch>
      </Group>
      <Group heading={props.heading} title={t("Sound")}>
        <Switch checked={choices.sounds} onChange={(sounds) => choose({ sounds })}>
          <b>{t("Sounds")}</b>
          <br />
          <span class="quiet small">{t("Cards, your turn, and the end of a game.")}</span>
        </Switch>
        <Switch checked={choices.calls === "yes"} onChange={(wanted) => void wantCalls(wanted)}>
          <b>{t("Call me when it is my turn")}</b>
          <br />
          <span class="quiet small">
            {t("While you look away: a notification, a sound and, on a phone, a vibration.")}
          </span>
        </Switch>
        <Show when={choices.known}>
          <Push />
        </Show>
        <p>
          <button type="button" class="button" onClick={tryOut}>
            {t("Try a sound")}
          </button>
        </p>
      </Group>
    </div>
  );
}

export default function SettingsScreen() {
  onMount(() => (document.title = `${t("Settings")} – Oyster`));
  return (
    <div class="page">
      <header class="bar">
        <Brand />
      </header>
      <main class="wrap stack settings">
        <h1>{t("Settings")}</h1>
        <p class="quiet">{t("For you, at every table. Kept on this device.")}</p>
        <Choices heading="h2" />
        <Show when={choices.known}>
          <Group heading="h2" title={t("Who you are")}>
            <Devices />
          </Group>
        </Show>
      </main>
    </div>
  );
}
