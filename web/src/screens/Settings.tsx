import { createSignal, createUniqueId, onMount, Show, type JSX } from "solid-js";
import { Dynamic } from "solid-js/web";
import { renewSession } from "../api";
import { isRefusal, type Refusal } from "../model";
import { go } from "../router";
import { erase, logOut } from "../session";
import { choices, choose } from "../settings";
import { CardBack, CardFace } from "../ui/cards";
import { Brand, Segments, Switch } from "../ui/controls";
import { Dialog } from "../ui/Dialog";
import { wantCalls } from "../ui/attention";
import { note } from "../ui/notes";
import { tryOut } from "../ui/sound";
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
      <Group heading={props.heading} title="Look">
        <Choice
          label="Theme"
          values={["warm", "light", "system", "contrast"] as const}
          value={choices.theme}
          text={from({ warm: "Warm and dark", light: "Light", system: "As the device", contrast: "High contrast" })}
          onChoose={(theme) => choose({ theme })}
        />
        <Choice
          label="Table cloth"
          values={["own", "moss", "lagoon", "wine", "slate"] as const}
          value={choices.cloth}
          text={from({ own: "Each game's own", moss: "Moss", lagoon: "Lagoon", wine: "Wine", slate: "Slate" })}
          onChoose={(cloth) => choose({ cloth })}
        />
        <Choice
          label="Text size"
          values={[100, 125, 150, 200]}
          value={choices.textScale}
          text={(value) => `${value} %`}
          onChoose={(textScale) => choose({ textScale })}
        />
      </Group>
      <Group heading={props.heading} title="Cards">
        <Choice
          label="Faces"
          values={["large", "classic"] as const}
          value={choices.faces}
          text={from({ large: "Large", classic: "Classic" })}
          onChoose={(faces) => choose({ faces })}
        />
        <Choice
          label="Suits"
          help="The last one is for red-green blindness: red, yellow, blue and black, on large faces."
          values={["two-colour", "four-colour", "safe-colour"] as const}
          value={choices.deck}
          text={from({
            "two-colour": "Two colours",
            "four-colour": "Four colours",
            "safe-colour": "Red, yellow, blue, black",
          })}
          onChoose={(deck) => choose({ deck })}
        />
        <Choice
          label="Backs"
          values={["own", "waves", "reef", "night"] as const}
          value={choices.back}
          text={from({ own: "Shell", waves: "Waves", reef: "Reef", night: "Night" })}
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
          <b>Play with a second tap</b>
          <br />
          <span class="quiet small">The first tap raises a card, the second plays it. Off: one tap plays.</span>
        </Switch>
      </Group>
      <Group heading={props.heading} title="Motion">
        <Choice
          label="Speed of what moves"
          help="How fast cards glide. How long bots think is up to each table."
          values={["calm", "usual", "quick"] as const}
          value={choices.pace}
          text={from({ calm: "Calm", usual: "Usual", quick: "Quick" })}
          onChoose={(pace) => choose({ pace })}
        />
        <Switch checked={choices.motion === "less"} onChange={(less) => choose({ motion: less ? "less" : "full" })}>
          <b>Less motion</b>
          <br />
          <span class="quiet small">Cards appear where they belong instead of gliding there.</span>
        </Switch>
      </Group>
      <Group heading={props.heading} title="Sound">
        <Switch checked={choices.sounds} onChange={(sounds) => choose({ sounds })}>
          <b>Sounds</b>
          <br />
          <span class="quiet small">Cards, your turn, and the end of a game.</span>
        </Switch>
        <Switch checked={choices.calls === "yes"} onChange={(wanted) => void wantCalls(wanted)}>
          <b>Call me when it is my turn</b>
          <br />
          <span class="quiet small">While you look away: a notification, a sound and, on a phone, a vibration.</span>
        </Switch>
        <p>
          <button type="button" class="button" onClick={tryOut}>
            Try a sound
          </button>
        </p>
      </Group>
    </div>
  );
}

// There are no passwords: who you are is a key that this browser has.
function Devices() {
  const say = (refusal: Refusal | null, done: string) => note(refusal?.error ?? done, refusal ? undefined : "news");
  async function end(everywhere: boolean) {
    const refusal = await logOut(everywhere);
    say(refusal, everywhere ? "You are logged out everywhere" : "This device no longer knows you");
    if (!refusal) go("/");
  }
  const [asked, setAsked] = createSignal(false);
  const [erasing, setErasing] = createSignal(false);
  async function eraseAll() {
    setErasing(true);
    const refusal = await erase();
    setErasing(false);
    setAsked(false);
    say(refusal, "Nobody here knows you any more");
    if (!refusal) go("/");
  }
  async function renew() {
    const renewed = await renewSession();
    say(isRefusal(renewed) ? renewed : null, "All other devices are logged out");
  }
  return (
    <Group heading="h2" title="Who you are">
      <p class="quiet small">
        You are {choices.name} by a key that this browser keeps. Whoever has it is you. Without it nobody can come back
        as you: your seats and statistics on the server are lost.
      </p>
      <div class="row">
        <button type="button" class="button" onClick={() => void renew()}>
          Log out all other devices
        </button>
        <button type="button" class="button" onClick={() => void end(false)}>
          Log out here
        </button>
        <button type="button" class="button" onClick={() => void end(true)}>
          Log out everywhere
        </button>
        <button type="button" class="button" onClick={() => setAsked(true)}>
          Erase me …
        </button>
      </div>
      <Dialog
        open={asked()}
        title="Erase everything about you on this server?"
        onClose={() => setAsked(false)}
        footer={
          <>
            <button type="button" class="button" onClick={() => setAsked(false)}>
              Stay
            </button>
            <button type="button" class="button main" disabled={erasing()} onClick={() => void eraseAll()}>
              Erase me
            </button>
          </>
        }
      >
        <p>
          You leave all tables, and bots take your seats. Your name, what you said and your statistics are deleted; in
          the games you played you are “Somebody”. This cannot be undone.
        </p>
      </Dialog>
    </Group>
  );
}

export default function SettingsScreen() {
  onMount(() => (document.title = "Settings – Oyster"));
  return (
    <div class="page">
      <header class="bar">
        <Brand />
      </header>
      <main class="wrap stack settings">
        <h1>Settings</h1>
        <p class="quiet">For you, at every table. Kept on this device.</p>
        <Choices heading="h2" />
        <Show when={choices.known}>
          <Devices />
        </Show>
      </main>
    </div>
  );
}
