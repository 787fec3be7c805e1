import { choices, choose } from "../settings";
import { CardFace } from "../ui/cards";
import { Brand, Segments, Switch } from "../ui/controls";

export function Choices() {
  return (
    <div class="stack">
      <div class="field">
        <span>Cards</span>
        <Segments label="Cards" values={["large", "classic"] as const} value={choices.faces} text={(value) => (value === "large" ? "Large" : "Classic")} onChoose={(faces) => choose({ faces })} />
      </div>
      <div class="field">
        <span>Suits</span>
        <Segments
          label="Suits"
          values={["two-colour", "four-colour"] as const}
          value={choices.deck}
          text={(value) => (value === "two-colour" ? "Two colours" : "Four colours")}
          onChoose={(deck) => choose({ deck })}
        />
      </div>
      <div class="row" style={{ "--card-w": "min(4.4rem, 16vw)", gap: "0.5rem" }} aria-hidden="true">
        {["AS", "KH", "QD", "10C", "JK"].map((id) => (
          <span class="card">
            <CardFace id={id} />
          </span>
        ))}
      </div>
      <div class="field">
        <span>Text size</span>
        <Segments label="Text size" values={[100, 125, 150, 200]} value={choices.textScale} text={(value) => `${value} %`} onChoose={(textScale) => choose({ textScale })} />
      </div>
      <Switch checked={choices.confirmPlays} onChange={(confirmPlays) => choose({ confirmPlays })}>
        <b>Play with a second tap</b>
        <br />
        <span class="quiet small">The first tap raises a card, the second plays it. Off: one tap plays.</span>
      </Switch>
      <Switch checked={choices.motion === "less"} onChange={(less) => choose({ motion: less ? "less" : "full" })}>
        <b>Less motion</b>
        <br />
        <span class="quiet small">Cards appear where they belong instead of gliding there.</span>
      </Switch>
      <Switch checked={choices.sounds} onChange={(sounds) => choose({ sounds })}>
        <b>Sounds</b>
      </Switch>
    </div>
  );
}

export default function SettingsScreen() {
  return (
    <div class="page">
      <header class="bar">
        <Brand />
      </header>
      <main class="wrap narrow stack">
        <h1>Settings</h1>
        <p class="quiet">Kept on this device.</p>
        <div class="panel">
          <Choices />
        </div>
      </main>
    </div>
  );
}
