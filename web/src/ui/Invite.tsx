import { createMemo, Show } from "solid-js";
import { renderSVG } from "uqr";
import { isOwner } from "../model";
import type { Table } from "../table/table";
import { copy } from "./copy";
import { note } from "./notes";

// Link, code, QR code, and the device's own way to share. The link and the QR code have a secret after the `#`, with
// which people come in however many codes others try; the code alone is for typing.
export function Invite(props: { table: Table }) {
  const world = props.table.world;
  const page = () => `${location.origin}/w/${world.roomCode}`;
  const link = () => (world.invitation ? `${page()}#${world.invitation}` : page());
  const picture = createMemo(() => `data:image/svg+xml,${encodeURIComponent(renderSVG(link(), { border: 2 }))}`);
  async function renew() {
    if (!(await props.table.act("renew"))) note("Links from before no longer work", "news");
  }
  return (
    <div class="invite">
      <img src={picture()} alt={`QR code of ${page()}`} width="180" height="180" />
      <div class="stack">
        <p>
          Code <b class="code-text">{world.roomCode}</b>
        </p>
        <p class="small quiet">
          {location.origin}
          <wbr />
          <span class="whole">/w/{world.roomCode}</span>
        </p>
        <div class="row">
          <button type="button" class="button main" onClick={() => copy(link(), "Link")}>
            Copy the link
          </button>
          <button type="button" class="button" onClick={() => copy(world.roomCode, "Code")}>
            Copy the code
          </button>
          <Show when={"share" in navigator}>
            <button
              type="button"
              class="button"
              onClick={() =>
                void navigator.share({ title: "Oyster", text: "Come and play", url: link() }).catch(() => {})
              }
            >
              Share…
            </button>
          </Show>
          <Show when={isOwner(world)}>
            <button type="button" class="button plain" onClick={() => void renew()}>
              Renew the link
            </button>
          </Show>
        </div>
      </div>
    </div>
  );
}
