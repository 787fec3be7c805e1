import games from "virtual:games";
import { createMemo, createSignal, For, Show } from "solid-js";
import { renderSVG } from "uqr";
import { callPerson } from "../api";
import { absent, contacts, keepContacts, type Contact } from "../contacts";
import { isOwner } from "../model";
import { Manners } from "../screens/RuleEditor";
import { choices } from "../settings";
import type { Table } from "../table/table";
import { copy } from "./copy";
import { Dialog } from "./Dialog";
import { note } from "./notes";
import { rich, t } from "../languages";

// Link, code, QR code, the device's own way to share, and people one has played with. The link and the QR code have a
// secret after the `#`, with which people come in however many codes others try; the code alone is for typing.
export function Invite(props: { table: Table }) {
  const world = props.table.world;
  const page = () => `${location.origin}/w/${world.roomCode}`;
  const link = () => (world.invitation ? `${page()}#${world.invitation}` : page());
  const picture = createMemo(() => `data:image/svg+xml,${encodeURIComponent(renderSVG(link(), { border: 2 }))}`);
  const [large, setLarge] = createSignal(false);
  const game = () => games.find((one) => one.id === world.gameId)?.name ?? t("a game");
  const words = () => t("{name} invites you to {game}", { name: choices.name, game: game() });
  async function renew() {
    if (!(await props.table.act("renew"))) note(t("Links from before no longer work"), "news");
  }
  return (
    <div class="invite">
      <button type="button" class="qr" aria-label={t("Show the QR code large")} onClick={() => setLarge(true)}>
        <img src={picture()} alt={t("QR code of {page}", { page: page() })} width="180" height="180" />
      </button>
      <div class="stack">
        <p>{rich("Code {code}", { code: <b class="code-text">{world.roomCode}</b> })}</p>
        <p class="small quiet">
          {location.origin}
          <wbr />
          <span class="whole">/w/{world.roomCode}</span>
        </p>
        <div class="row">
          <button type="button" class="button main" onClick={() => copy(link(), t("Link"))}>
            {t("Copy the link")}
          </button>
          <button type="button" class="button" onClick={() => copy(world.roomCode, t("Code"))}>
            {t("Copy the code")}
          </button>
          <Show when={"share" in navigator}>
            <button
              type="button"
              class="button"
              onClick={() => void navigator.share({ title: "Oyster", text: words(), url: link() }).catch(() => {})}
            >
              {t("Share…")}
            </button>
          </Show>
          <Show when={isOwner(world)}>
            <button type="button" class="button plain" onClick={() => void renew()}>
              {t("Renew the link")}
            </button>
          </Show>
        </div>
        <Contacts table={props.table} message={(name) => `${name}, ${words()}: ${link()}`} />
      </div>
      <Show when={isOwner(world)}>
        <div class="preview">
          <Manners table={props.table} shown={(key) => key === "preview"} />
        </div>
      </Show>
      <Dialog
        open={large()}
        title={t("Come to {game}", { game: game() })}
        class="qr-large"
        onClose={() => setLarge(false)}
      >
        <img src={picture()} alt={t("QR code of {page}", { page: page() })} />
        <p class="code-text">{world.roomCode}</p>
      </Dialog>
    </div>
  );
}

const SHOWN = 12; // of them, until one asks for all

// People one has played with here. Who wants to be called by us is called; for the others a message is ready to send.
function Contacts(props: { table: Table; message: (name: string) => string }) {
  const [known, setKnown] = createSignal(contacts());
  const [shown, setShown] = createSignal(SHOWN);
  const away = () => absent(known(), props.table.world);
  async function invite({ id, name }: Contact) {
    void callPerson(props.table.world.roomCode, id);
    const text = props.message(name);
    if (!("share" in navigator)) return copy(text, t("A message for {name}", { name }));
    return navigator.share({ text }).catch(() => {});
  }
  function forget() {
    keepContacts([]);
    setKnown([]);
  }
  return (
    <Show when={away().length > 0}>
      <section class="contacts" aria-label={t("People you have played with")}>
        <h3 class="small">{t("Played with before")}</h3>
        <div class="row">
          <For each={away().slice(0, shown())}>
            {(person) => (
              <button type="button" class="button" onClick={() => void invite(person)}>
                {t("Invite {name}", { name: person.name })}
              </button>
            )}
          </For>
          <Show when={away().length > shown()}>
            <button type="button" class="button plain" onClick={() => setShown(away().length)}>
              {t("Show all")}
            </button>
          </Show>
          <button type="button" class="button plain" onClick={forget}>
            {t("Forget them")}
          </button>
        </div>
      </section>
    </Show>
  );
}
