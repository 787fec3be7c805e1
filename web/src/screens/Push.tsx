import { createResource, Show } from "solid-js";
import { t, tn } from "../languages";
import { endPush, offeredKey, wantPush } from "../push";
import { choices, choose, type Choices } from "../settings";
import { Segments, Switch } from "../ui/controls";
import { note } from "../ui/notes";

const WAITS_S = [10, 60, 600, 3600];
const inWords = (seconds: number): string =>
  seconds < 60
    ? tn(seconds, "{n} second", "{n} seconds")
    : seconds < 3600
      ? tn(seconds / 60, "{n} minute", "{n} minutes")
      : tn(seconds / 3600, "{n} hour", "{n} hours");

// Being called when the page is closed: on this device, for what, and when not.
export function Push() {
  const [key] = createResource(offeredKey);
  async function change(more: Partial<Choices>) {
    choose(more);
    if (!choices.push) return endPush();
    const refusal = await wantPush();
    if (!refusal) return;
    if (more.push) choose({ push: false });
    note(refusal.error);
  }
  return (
    <Show when={key()}>
      <Switch checked={choices.push} onChange={(push) => void change({ push })}>
        <b>{t("Call me when the page is closed")}</b>
        <br />
        <span class="quiet small">
          {t(
            "By a notification on this device, through its maker's push service, which cannot read it. Your name and " +
              "your cards are not in it.",
          )}
        </span>
      </Switch>
      <Show when={choices.push}>
        <div class="field">
          <span>{t("When it is my turn, and I have been away for")}</span>
          <span class="quiet small">{t("Sooner where a bot would play for you before that.")}</span>
          <Segments
            label={t("When it is my turn, and I have been away for")}
            values={[...WAITS_S, 0]}
            value={choices.pushTurnMs / 1000}
            text={(seconds) => (seconds === 0 ? t("Never") : inWords(seconds))}
            onChoose={(seconds) => void change({ pushTurnMs: seconds * 1000 })}
          />
        </div>
        <Switch checked={choices.pushFriends} onChange={(pushFriends) => void change({ pushFriends })}>
          <b>{t("When people I have played with ask me to their table")}</b>
          <br />
          <span class="quiet small">{t("The server is told who they are; nobody else can call you.")}</span>
        </Switch>
        <Switch checked={choices.quiet} onChange={(quiet) => void change({ quiet })}>
          <b>{t("Quiet hours")}</b>
        </Switch>
        <Show when={choices.quiet}>
          <div class="row">
            <label>
              {t("From")}{" "}
              <input
                type="time"
                required
                value={choices.quietFrom}
                onChange={({ currentTarget: { value } }) => void (value && change({ quietFrom: value }))}
              />
            </label>
            <label>
              {t("To")}{" "}
              <input
                type="time"
                required
                value={choices.quietTo}
                onChange={({ currentTarget: { value } }) => void (value && change({ quietTo: value }))}
              />
            </label>
          </div>
        </Show>
      </Show>
    </Show>
  );
}
