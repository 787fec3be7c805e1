// A person's devices: which there are, how another one comes, and how one is logged out. There are no passwords: who
// you are is a key that each browser has.
import { createResource, createSignal, For, Show } from "solid-js";
import { renderSVG } from "uqr";
import * as api from "../api";
import { language, said, t } from "../languages";
import { isRefusal, type Refusal } from "../model";
import { wantPush } from "../push";
import { go } from "../router";
import { erase, logOut } from "../session";
import { choices } from "../settings";
import { copy } from "../ui/copy";
import { Dialog } from "../ui/Dialog";
import { note } from "../ui/notes";
import "./Devices.css";

const say = (refusal: Refusal | null, done: string) => note(said(refusal?.error ?? done), refusal ? undefined : "news");
const when = (time: number) => new Date(time).toLocaleDateString(language, { dateStyle: "medium" });

function Device(props: { device: api.Device; onGone: () => void }) {
  const name = () => props.device.name || t("Unknown device");
  async function end() {
    const ended = await api.endDevice(props.device.id);
    say(isRefusal(ended) ? ended : null, t("{device} is logged out", { device: name() }));
    props.onGone();
  }
  return (
    <li class="device">
      <span>
        <b>{name()}</b>
        <br />
        <span class="quiet small">
          {props.device.current
            ? t("This device")
            : t("Since {first}, last used {last}", {
                first: when(props.device.createdAt),
                last: when(props.device.seenAt),
              })}
        </span>
      </span>
      <Show when={!props.device.current}>
        <button
          type="button"
          class="button"
          aria-label={t("Log out {device}", { device: name() })}
          onClick={() => void end()}
        >
          {t("Log out")}
        </button>
      </Show>
    </li>
  );
}

// The link is a key for some minutes: it is shown, copied or photographed, and never kept.
function Another(props: { secret: string; onClose: () => void }) {
  const link = () => `${location.origin}/device#${props.secret}`;
  return (
    <Dialog open={props.secret !== ""} title={t("Use another device")} class="another-device" onClose={props.onClose}>
      <img
        src={`data:image/svg+xml,${encodeURIComponent(renderSVG(link(), { border: 2 }))}`}
        alt={t("QR code for another device of yours")}
      />
      <p>
        {t(
          "Let the other device read this code, or open the link there. It works once and for ten minutes. " +
            "Whoever opens it is you, so send it to nobody else.",
        )}
      </p>
      <div class="row">
        <button type="button" class="button main" onClick={() => copy(link(), t("Link"))}>
          {t("Copy the link")}
        </button>
      </div>
    </Dialog>
  );
}

export function Devices() {
  const [found, { refetch }] = createResource(api.getDevices);
  const list = () => {
    const value = found();
    const all = value && !isRefusal(value) ? value.devices : [];
    return all.toSorted((a, b) => Number(b.current) - Number(a.current) || b.seenAt - a.seenAt);
  };
  const [secret, setSecret] = createSignal("");
  async function show() {
    const link = await api.makeLink();
    if (isRefusal(link)) say(link, "");
    else setSecret(link.secret);
  }
  async function hide() {
    setSecret("");
    await refetch();
  }
  async function end(everywhere: boolean) {
    const refusal = await logOut(everywhere);
    say(
      refusal,
      everywhere
        ? t("You are logged out everywhere")
        : t("This device no longer knows you. Tables and results that it keeps itself stay on it."),
    );
    if (!refusal) go("/");
  }
  const [asked, setAsked] = createSignal(false);
  const [erasing, setErasing] = createSignal(false);
  async function eraseAll() {
    setErasing(true);
    const refusal = await erase();
    setErasing(false);
    setAsked(false);
    say(refusal, t("Nobody here knows you any more"));
    if (!refusal) go("/");
  }
  // Also whoever has copied this device's own key.
  async function renew() {
    const renewed = await api.renewSession();
    say(isRefusal(renewed) ? renewed : null, t("All other devices are logged out"));
    if (choices.push) await wantPush(); // with the new key
    await refetch();
  }
  return (
    <>
      <p class="quiet small">
        {t(
          "You are {name} by a key that this browser keeps. Whoever has it is you. Without one of your devices " +
            "nobody can come back as you: your seats and statistics on the server are lost.",
          { name: choices.name },
        )}
      </p>
      <ul class="devices" aria-label={t("Your devices")}>
        <For each={list()}>{(device) => <Device device={device} onGone={() => void refetch()} />}</For>
      </ul>
      <div class="row">
        <button type="button" class="button" onClick={() => void show()}>
          {t("Use another device …")}
        </button>
        <button type="button" class="button" onClick={() => void renew()}>
          {t("Log out all other devices")}
        </button>
        <button type="button" class="button" onClick={() => void end(false)}>
          {t("Log out here")}
        </button>
        <button type="button" class="button" onClick={() => void end(true)}>
          {t("Log out everywhere")}
        </button>
        <button type="button" class="button" onClick={() => setAsked(true)}>
          {t("Erase me …")}
        </button>
      </div>
      <Another secret={secret()} onClose={() => void hide()} />
      <Dialog
        open={asked()}
        title={t("Erase everything about you on this server?")}
        onClose={() => setAsked(false)}
        footer={
          <>
            <button type="button" class="button" onClick={() => setAsked(false)}>
              {t("Stay")}
            </button>
            <button type="button" class="button main" disabled={erasing()} onClick={() => void eraseAll()}>
              {t("Erase me")}
            </button>
          </>
        }
      >
        <p>
          {t(
            "You leave all tables, and bots take your seats. Your name, what you said and your " +
              "statistics are deleted; in the games you played you are “Somebody”. This cannot be " +
              "undone.",
          )}
        </p>
        <p>
          {t("This device forgets its results and the people you have played with. Tables that it keeps itself stay.")}
        </p>
      </Dialog>
    </>
  );
}
