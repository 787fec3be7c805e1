import { createEffect, ErrorBoundary, lazy, Match, Suspense, Switch } from "solid-js";
import { followLinks, path } from "./router";
import { Home } from "./screens/Home";
import { NotFound, Unloaded } from "./screens/NotFound";
import { keepChoices } from "./settings";
import { Notes } from "./ui/notes";
import { loadMore, t } from "./languages";

// What a screen says is there before the screen is.
const withTexts: typeof lazy = (load) => lazy(() => loadMore().then(load));

const WorldScreen = withTexts(() => import("./screens/World"));
const Reading = withTexts(() => import("./screens/Reading"));
const SettingsScreen = withTexts(() => import("./screens/Settings"));
const StatisticsScreen = withTexts(() => import("./screens/Statistics"));
const NewDevice = withTexts(() => import("./screens/NewDevice"));
const HostScreen = withTexts(() => import("./screens/Host"));
const Learn = withTexts(() => import("./learn/Learn"));

export function App() {
  keepChoices();
  followLinks();
  const world = () => /^\/(w|t)\/([A-Za-z0-9]{6})$/.exec(path());
  const lesson = () => /^\/learn\/([a-z0-9-]+)$/.exec(path())?.[1];
  const reading = () => (path() === "/guide" ? "guide" : /^\/rules\/([a-z0-9-]+)$/.exec(path())?.[1]);
  createEffect(() => {
    if (path() === "/") document.title = t("Oyster, a card table");
  });
  return (
    <>
      <ErrorBoundary fallback={<Unloaded />}>
        <Suspense fallback={<div class="page" />}>
          <Switch fallback={<NotFound />}>
            <Match when={path() === "/"}>
              <Home />
            </Match>
            <Match when={world()} keyed>
              {(found) => <WorldScreen kind={found[1] === "w" ? "network" : "device"} code={found[2]!.toUpperCase()} />}
            </Match>
            <Match when={lesson()} keyed>
              {(gameId) => <Learn gameId={gameId} />}
            </Match>
            <Match when={reading()} keyed>
              {(page) => <Reading page={page} />}
            </Match>
            <Match when={path() === "/settings"}>
              <SettingsScreen />
            </Match>
            <Match when={path() === "/device"}>
              <NewDevice />
            </Match>
            <Match when={path() === "/host"}>
              <HostScreen />
            </Match>
            <Match when={path() === "/statistics"}>
              <StatisticsScreen />
            </Match>
          </Switch>
        </Suspense>
      </ErrorBoundary>
      <Notes />
    </>
  );
}
