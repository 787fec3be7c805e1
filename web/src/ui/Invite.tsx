import { createMemo, Show } from "solid-js";
import { renderSVG } from "uqr";
import { copy } from "./copy";

// Link, code, QR code, and the device's own way to share.
export function Invite(props: { code: string }) {
  const link = () => `${location.origin}/w/${props.code}`;
  const picture = createMemo(() => `data:image/svg+xml,${encodeURIComponent(renderSVG(link(), { border: 2 }))}`);
  return (
    <div class="invite">
      <img src={picture()} alt={`QR code of ${link()}`} width="180" height="180" />
      <div class="stack">
        <p>
          Code <b class="code-text">{props.code}</b>
        </p>
        <p class="small quiet">
          {location.origin}
          <wbr />
          <span class="whole">/w/{props.code}</span>
        </p>
        <div class="row">
          <button type="button" class="button main" onClick={() => copy(link(), "Link")}>
            Copy the link
          </button>
          <button type="button" class="button" onClick={() => copy(props.code, "Code")}>
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
        </div>
      </div>
    </div>
  );
}
