// The screen where there is no table: it says what happened and where to go.
import type { JSX } from "solid-js";
import { Brand } from "./controls";
import { t } from "../languages";

export function Nowhere(props: { title: string; children: JSX.Element; more?: JSX.Element }) {
  return (
    <>
      <header class="bar">
        <Brand />
      </header>
      <main class="wrap narrow nowhere">
        <svg viewBox="0 0 200 120" aria-hidden="true">
          <ellipse cx="100" cy="104" rx="78" ry="9" fill="rgb(0 0 0 / 0.35)" />
          <g class="outline">
            <rect x="38" y="26" width="46" height="66" rx="6" transform="rotate(-14 61 59)" />
            <rect x="116" y="26" width="46" height="66" rx="6" transform="rotate(14 139 59)" />
          </g>
          <rect class="blank" x="76" y="18" width="48" height="70" rx="6" />
          <text x="100" y="66" text-anchor="middle">
            ?
          </text>
        </svg>
        <h1>{props.title}</h1>
        <p class="quiet">{props.children}</p>
        <p class="row">
          <a class="button main" href="/">
            {t("To the tables")}
          </a>
          {props.more}
        </p>
      </main>
    </>
  );
}
