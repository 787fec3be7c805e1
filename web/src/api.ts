// The server over HTTP. Calls answer with what was asked for or with a refusal; they do not throw.
import type { Statistics } from "./counts";
import type { History, Refusal, World, WorldSummary } from "./model";

export interface Session {
  playerId: string;
  name: string;
}

// A request is given up after this time, so that a server that hangs behind a proxy does not block the next attempt.
const PATIENCE_MS = 15000;

const unreachable: Refusal = { error: "The server does not answer", code: "UNREACHABLE", status: 0 };

export async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<T | Refusal> {
  try {
    const answer = await fetch(path, {
      method,
      headers: body === undefined ? headers : { "content-type": "application/json", ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const found = (await answer.json()) as T & Refusal;
    if (answer.ok) return found;
    const wait = Number(answer.headers.get("retry-after")) || undefined;
    return { error: found.error, code: found.code, status: answer.status, wait };
  } catch {
    return unreachable;
  }
}

export const getSession = () => call<Session>("GET", "/api/session");
export const startSession = (name: string) => call<Session>("POST", "/api/session", { name });
// Another token for this device; all others are logged out.
export const renewSession = () => call<Session>("POST", "/api/session/renew", {});
export const endSession = (everywhere: boolean) => call<object>("POST", "/api/session/logout", { everywhere });
export interface Device {
  id: string;
  name: string;
  createdAt: number;
  seenAt: number;
  current: boolean;
}
export const getDevices = () => call<{ devices: Device[] }>("GET", "/api/session/devices");
export const endDevice = (device: string) => call<object>("POST", "/api/session/logout", { device });
// By this link another device becomes this person's, once and for some minutes.
export const makeLink = () => call<{ secret: string; until: number }>("POST", "/api/session/link", {});
export const claimLink = (secret: string) => call<Session>("POST", "/api/session/claim", { secret });
export const eraseSession = () => call<object>("POST", "/api/session/erase", { erase: true });
export const rename = (name: string) => call<Session>("PATCH", "/api/session", { name });
export const createWorld = (gameId: string, more: object = {}) =>
  call<World>("POST", "/api/worlds", { gameId, ...more });
export const getWorld = (code: string) => call<World>("GET", `/api/worlds/${encodeURIComponent(code)}`);
// `either`: back to where one was, else to a place, else as a spectator. The invitation is the secret of a link.
export const joinWorld = (code: string, as: "player" | "either", invitation = "") =>
  call<World>(
    "POST",
    `/api/worlds/${encodeURIComponent(code)}/join`,
    { as },
    invitation ? { "x-invitation": invitation } : {},
  );
export interface Invitation {
  gameId: string;
  host: string;
  people: number;
  places: number;
}
// What a link invites to, for those who have not said a name yet.
export const getInvitation = (code: string, invitation: string) =>
  call<Invitation>(
    "GET",
    `/api/worlds/${encodeURIComponent(code)}/invitation`,
    undefined,
    invitation ? { "x-invitation": invitation } : {},
  );
export const getHistory = (code: string) => call<History>("GET", `/api/worlds/${encodeURIComponent(code)}/history`);
export const saveWorld = (code: string) => call<object>("GET", `/api/worlds/${encodeURIComponent(code)}/save`);
export const loadWorld = (save: unknown) => call<World>("POST", "/api/worlds/load", save);
export const leaveWorld = (code: string) => call<object>("POST", `/api/worlds/${encodeURIComponent(code)}/leave`, {});
// Calls somebody to this table, if they want to be called by us; nobody learns whether they do.
export const callPerson = (code: string, playerId: string) =>
  call<object>("POST", `/api/worlds/${encodeURIComponent(code)}/call`, { playerId });
export const publicWorlds = () => call<{ worlds: WorldSummary[] }>("GET", "/api/worlds?public=1");
export const myWorlds = () => call<{ worlds: WorldSummary[] }>("GET", "/api/worlds?mine=1");
export const getStatistics = () => call<Statistics>("GET", "/api/statistics");
export const deleteStatistics = () => call<object>("POST", "/api/statistics/delete", { delete: true });
export const getConfig = () =>
  call<{ pusher: { key: string; wsPath: string }; push?: { key: string }; limits: { awayMs: number } }>(
    "GET",
    "/api/config",
  );
export const act = (roomCode: string, move: string, actionId: string) =>
  call<{ ok: true; version: number }>("POST", "/api/game/action", { roomCode, move, actionId });
export const check = (roomCode: string, move: string) =>
  call<{ ok: true }>("POST", "/api/game/action", { roomCode, move, check: true });
