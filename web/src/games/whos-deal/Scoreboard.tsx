// Both scores, the target and the tricks of this hand; it is always shown.
import { For } from "solid-js";
import { teamWords } from "../../table/captions";
import type { Game } from "./state";
import { trickCount, teamOf, type Team } from "./view";
import { t } from "../../languages";

export function Scoreboard(props: { game: Game }) {
  return (
    <section class="wd-scores" aria-label={t("Score")}>
      <TeamScore game={props.game} team="a" />
      <p class="wd-target">
        <span class="hidden-text">{t("The game goes")}</span>
        <span>{t("to")}</span> <b>{props.game.view()?.targetScore}</b>
      </p>
      <TeamScore game={props.game} team="b" />
    </section>
  );
}

function TeamScore(props: { game: Game; team: Team }) {
  const own = () => !props.game.watching() && teamOf(props.game.view()!, props.game.seat()) === props.team;
  const tricks = () => props.game.round()?.tricksWon[props.team] ?? 0;
  const title = () => teamWords(props.game.table, props.team);
  return (
    <div class={`wd-score team-${props.team}`} classList={{ own: own() }}>
      <span class="wd-team" aria-hidden="true">
        {props.team.toUpperCase()}
      </span>
      <span class="wd-about-team">
        <span>{title()}</span>
        <span class="wd-pips-won" role="img" aria-label={`, ${trickCount(tricks())}`}>
          <For each={[1, 2, 3, 4, 5]}>{(n) => <i classList={{ on: tricks() >= n }} />}</For>
        </span>
      </span>
      <b class="wd-points">
        {props.game.view()?.teams[props.team].score ?? 0}
        <span class="hidden-text"> {t("points")}</span>
      </b>
    </div>
  );
}
