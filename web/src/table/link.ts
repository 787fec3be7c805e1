// Where a world is: on a server or in this page. A table works with either and cannot tell.
import type { History, Refusal, Step, World } from "../model";

export interface LinkListener {
  step(step: Step): void;
  // The whole world anew, without what happened in between.
  world(world: World): void;
  online(online: boolean): void;
  gone(): void;
}

export interface Link {
  readonly kind: "network" | "device";
  open(listener: LinkListener): Promise<World | Refusal>;
  // Null: accepted.
  act(move: string): Promise<Refusal | null>;
  // Would it be accepted? Nothing is changed.
  check(move: string): Promise<Refusal | null>;
  // What was told before.
  history(): Promise<History | Refusal>;
  leave(): Promise<void>;
  close(): void;
}
