// Where a world is: on a server or in this page. A table works with either and cannot tell.
import type { History, Refusal, Step, World } from "../model";

export interface LinkListener {
  step(step: Step): void;
  // The whole world again, without the events in between.
  world(world: World): void;
  online(online: boolean): void;
  gone(): void;
}

export interface Link {
  readonly kind: "network" | "device";
  open(listener: LinkListener): Promise<World | Refusal>;
  // Null: accepted.
  act(move: string): Promise<Refusal | null>;
  // Says whether the move would be accepted, without making it.
  check(move: string): Promise<Refusal | null>;
  // The events so far.
  history(): Promise<History | Refusal>;
  leave(): Promise<void>;
  close(): void;
}
