// PL-57: where a house rule asks for details, whatever comes to the table and goes from it is told on
// the browser's console, for fault reports. It is what this seat is sent, so no secret of others is in it.
import all from "virtual:options";
import { isRefusal, type Refusal, type World } from "../model";
import type { Link } from "./link";

const wantsDetails = ({ gameId, settings }: World): boolean =>
  (all[gameId]?.options ?? []).some(({ key, details }) => details && settings[key] === true);

export function detailed(link: Link, print: (line: string) => void = console.log): Link {
  let now: World | undefined;
  const tell = (what: string, data?: unknown) => {
    if (now && wantsDetails(now))
      print(`[${now.roomCode} ${now.version}] ${what}${data === undefined ? "" : ` ${JSON.stringify(data)}`}`);
  };
  const tellView = (world: World) => {
    now = world;
    const { log, ...view } = world.view ?? {};
    tell("view", view);
  };
  const asked = async (what: string, answer: Promise<Refusal | null>) => {
    const begin = performance.now();
    const refusal = await answer;
    tell(
      `${what}: ${refusal ? `${refusal.code}, ${refusal.error}` : "accepted"} after ` +
        `${Math.round(performance.now() - begin)} ms`,
    );
    return refusal;
  };
  return {
    kind: link.kind,
    async open(listener) {
      const first = await link.open({
        step(step) {
          now = step.world;
          for (const { event, data } of step.events) tell(event, data);
          tellView(step.world);
          listener.step(step);
        },
        world(world) {
          tellView(world);
          listener.world(world);
        },
        online(online) {
          tell(online ? "online" : "offline");
          listener.online(online);
        },
        gone() {
          tell("gone");
          listener.gone();
        },
      });
      if (!isRefusal(first)) tellView(first);
      return first;
    },
    act: (move) => asked(move, link.act(move)),
    check: (move) => link.check(move),
    history: () => link.history(),
    leave: () => link.leave(),
    close: () => link.close(),
  };
}
