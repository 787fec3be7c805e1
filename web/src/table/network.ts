// A world on the server: actions over HTTP, news over the Pusher protocol.
import type Pusher from "pusher-js";
import * as api from "../api";
import { isPassing, isRefusal, type GameEvent, type History, type Refusal, type Seat, type World } from "../model";
import { lookForNewer } from "../newer";
import { note } from "../ui/notes";
import type { Link, LinkListener } from "./link";

const ATTEMPTS = 5;
const PONG_MS = 6000;
const DOUBT_MS = 2000;
const MESSAGE_MS = 20000; // how long a message of the host is shown
// The frames of one version come right after each other.
const VIEW_FOLLOWS_MS = 50;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

// randomUUID exists only on secure pages.
const newId = (): string => [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join("-");

// Events that only repeat what the view says, or are meant for others.
const echoes = new Set(["view-updated", "public-view", "game:updated", "world-updated"]);

// What a server sends with an event of a room.
type Heard = Record<string, unknown> & { version: number };
type Lobby = Omit<World, "roomCode" | "gameId" | "you" | "version" | "view">;

export class NetworkLink implements Link {
  readonly kind = "network";
  private pusher: Pusher | undefined;
  private listener: LinkListener | undefined;
  private world: World | undefined;
  private pending: GameEvent[] = [];
  private fetching = false;
  private again = false; // asked for while one was on its way, which may be too old
  private newest = 0; // version that was heard of
  private closed = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private doubting: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly code: string) {}

  async open(listener: LinkListener): Promise<World | Refusal> {
    this.listener = listener;
    const [world, config] = await Promise.all([api.getWorld(this.code), api.getConfig()]);
    if (isRefusal(world)) return world;
    if (isRefusal(config)) return config;
    this.world = world;
    const { default: Pusher } = await import("pusher-js");
    if (this.closed) return world;
    const secure = location.protocol === "https:";
    const port = Number(location.port) || (secure ? 443 : 80);
    this.pusher = new Pusher(config.pusher.key, {
      cluster: "",
      wsHost: location.hostname,
      wsPort: port,
      wssPort: port,
      forceTLS: secure,
      enabledTransports: ["ws", "wss"],
      disableStats: true,
      pongTimeout: PONG_MS,
      channelAuthorization: { endpoint: "/api/pusher/auth", transport: "ajax" },
    });
    let before = false;
    this.pusher.connection.bind("state_change", ({ current }: { current: string }) => {
      const connected = current === "connected";
      listener.online(connected);
      if (connected && before) void lookForNewer(); // it may have been restarted
      before ||= connected;
    });
    this.pusher.bind("host-message", ({ text }: { text: string }) => note(text, "news", MESSAGE_MS));
    addEventListener("offline", this.reach);
    addEventListener("online", this.reach);
    for (const name of [`presence-room-${world.roomCode}`, `private-player-${world.you?.playerId}`]) {
      const channel = this.pusher.subscribe(name);
      channel.bind_global((event: string, data: Record<string, unknown>) => {
        if (!event.startsWith("pusher:") && data?.roomCode === this.code) this.hear(event, data as Heard);
      });
      channel.bind("pusher:subscription_error", () => void this.refetch());
      // Events from before this moment are not sent again, so the world is fetched.
      channel.bind(
        "pusher:subscription_succeeded",
        (members?: { each?(tell: (member: { id: string }) => void): void }) => {
          members?.each?.(({ id }) => this.connected(id, true));
          void this.refetch({ whole: true });
        },
      );
      channel.bind("pusher:member_added", ({ id }: { id: string }) => this.connected(id, true));
      channel.bind("pusher:member_removed", ({ id }: { id: string }) => this.connected(id, false));
    }
    return structuredClone(world); // ours goes on changing
  }

  // The browser knows immediately when the network is gone; a socket notices only when an answer is missing.
  private readonly reach = () => {
    this.listener?.online(navigator.onLine && this.pusher?.connection.state === "connected");
    if (navigator.onLine) void this.refetch();
  };

  // Events of one version belong together; during a game the view that follows closes the step.
  private hear(event: string, data: Heard) {
    const world = this.world!;
    const { version } = data;
    this.newest = Math.max(this.newest, version);
    if (event === "public-view" && world.you?.seatIndex != null) return;
    if (version < world.version) return this.doubt();
    if (version > world.version + 1) return void this.refetch();
    if (!echoes.has(event)) this.pending.push({ event, data });
    if (event === "world-updated") {
      const { version: _version, roomCode: _roomCode, ...lobby } = data as Heard & Lobby;
      Object.assign(world, lobby);
      if (world.status === "waiting") world.view = null; // back in the lobby
    }
    if (event === "seat-changed") {
      const { version: _version, roomCode: _roomCode, ...seat } = data as Heard & Seat;
      world.seats = world.seats.map((old) => (old.seatIndex === seat.seatIndex ? seat : old));
    }
    const closes = event === "view-updated" || event === "public-view";
    if (closes) world.view = data.view as World["view"];
    world.version = version;
    this.findMyself();
    if (closes) this.tell();
    else this.tellSoon();
  }

  // Seats are counted anew when a game starts, and the owner may move people or send them away.
  private findMyself() {
    const world = this.world!;
    if (!world.you) return;
    const id = world.you.playerId;
    world.you.seatIndex = world.seats.find((seat) => seat.playerId === id)?.seatIndex ?? null;
    // Whoever receives this is connected.
    world.seats = world.seats.map((seat) => (seat.playerId === id ? { ...seat, connected: true } : seat));
    if (world.you.seatIndex === null && !world.spectators.some((one) => one.playerId === id)) this.listener?.gone();
  }

  private connected(id: string, connected: boolean) {
    const world = this.world!;
    const change = <T extends { playerId: string | null; connected: boolean }>(one: T): T =>
      one.playerId === id ? { ...one, connected } : one;
    world.seats = world.seats.map(change);
    world.spectators = world.spectators.map(change);
    this.tellSoon();
  }

  // Talk and people coming and going have no view of their own.
  private tellSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tell(), VIEW_FOLLOWS_MS);
  }

  private tell() {
    clearTimeout(this.timer);
    if (this.closed || !this.world) return;
    const events = this.pending;
    this.pending = [];
    this.listener?.step({ version: this.world.version, events, world: structuredClone(this.world) });
  }

  // Old news is usually just late. If the server still knows less after a while, its store has lost the last moves
  // (a crash, another Redis that took over), and the table goes on from there.
  private doubt() {
    this.doubting ??= setTimeout(() => {
      this.doubting = undefined;
      void this.refetch({ doubting: true });
    }, DOUBT_MS);
  }

  // A version is told on two channels, and what one of them told may have been missed. With `whole`, the fetched world
  // therefore replaces ours even if both are of the same version.
  private async refetch({ whole = false, doubting = false } = {}) {
    if (this.closed) return;
    if (this.fetching) return doubting ? this.doubt() : void (this.again = true);
    this.fetching = true;
    this.again = false;
    const world = await api.getWorld(this.code);
    this.fetching = false;
    if (this.closed) return;
    if (isRefusal(world)) {
      if (world.status === 404) this.listener?.gone();
      else if (isPassing(world)) setTimeout(() => void this.refetch(), 1500);
      return;
    }
    const known = this.world!.version;
    const lost = world.version < known;
    if (lost && !doubting) this.doubt();
    if (lost && doubting) this.newest = world.version;
    if (world.version > known || (lost && doubting)) {
      this.world = world;
      this.pending = [];
      this.findMyself();
      this.listener?.world(structuredClone(world));
    } else if (whole && world.version === known) {
      this.world = world;
      this.findMyself();
      this.tellSoon();
    }
    if (this.again || this.world!.version < this.newest) void this.refetch({ whole: true });
  }

  // The same actionId goes out again until there is an answer: the server takes it once.
  async act(move: string): Promise<Refusal | null> {
    const id = newId();
    let answer: Refusal | { ok: true } = { error: "", code: "", status: 0 };
    for (let i = 0; i < ATTEMPTS; i++) {
      answer = await api.act(this.code, move, id);
      if (!isRefusal(answer)) return null;
      if (answer.status !== 0 && answer.status !== 503) return answer;
      await wait(400 * 2 ** i);
    }
    return answer as Refusal;
  }

  async check(move: string): Promise<Refusal | null> {
    const answer = await api.check(this.code, move);
    return isRefusal(answer) ? answer : null;
  }

  history(): Promise<History | Refusal> {
    return api.getHistory(this.code);
  }

  async leave() {
    await api.leaveWorld(this.code);
    this.close();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.doubting);
    removeEventListener("offline", this.reach);
    removeEventListener("online", this.reach);
    this.pusher?.disconnect();
  }
}
