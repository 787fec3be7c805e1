// Tables as files. One of Hand & Foot is a JSON save (docs/SAVES.md), wherever it is played; a table of
// this device with another game is its log.
import * as api from "../api";
import { isOwner, isRefusal, type Refusal, type World } from "../model";
import { newCode, restoreDeviceWorld } from "./device";
import { WasmSaves, type Maker } from "./saves";
import { entries, ME } from "./shelf";
import type { Table } from "./table";
import games from "virtual:games";
import wasmUrl from "../../../build/save.wasm?url";

const FIRST_ENTRY = /^(\d+ @me create )[A-Z0-9]{6}( [a-z0-9-]+(?:@[\d.]+)? )/;
const notSaved: Refusal = { error: "This file is no saved table", code: "BAD_SAVE", status: 400 };
const notKept: Refusal = { error: "This table is not kept, so it cannot be saved", code: "NOT_KEPT", status: 404 };

const notHere: Refusal = {
  error: "The server does not answer, and this page has no copy of what reads saved games",
  code: "UNREACHABLE",
  status: 0,
};

const loadSaves = (): Promise<WasmSaves | Refusal> => WasmSaves.instantiate(fetch(wasmUrl)).catch(() => notHere);

const hasSaves = (world: World): boolean => games.some(({ id, saves }) => saves && id === world.gameId);

export const canSave = (table: Table): boolean =>
  table.kind === "device" ||
  (hasSaves(table.world) &&
    isOwner(table.world) &&
    table.world.seats.every((seat) => !seat.playerId || seat.bot !== null || seat.seatIndex === table.mySeat()));

export function download(name: string, text: string): void {
  const address = URL.createObjectURL(
    new Blob([text], { type: name.endsWith(".json") ? "application/json" : "text/plain" }),
  );
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export async function saveToFile(world: World, kind: Table["kind"]): Promise<Refusal | null> {
  const name = `${world.gameId}-${world.roomCode}`;
  if (kind === "network") {
    const save = await api.saveWorld(world.roomCode);
    if (isRefusal(save)) return save;
    download(`${name}.json`, JSON.stringify(save, null, 1));
    return null;
  }
  const lines = await entries(world.roomCode);
  if (lines.length === 0) return notKept;
  if (!hasSaves(world)) {
    download(`${name}.oyster-table`, `${lines.join("\n")}\n`);
    return null;
  }
  const saves = await loadSaves();
  const save = isRefusal(saves) ? saves : saves.save(lines, ME, Date.now());
  if (isRefusal(save)) return save;
  download(`${name}.json`, JSON.stringify(JSON.parse(save), null, 1));
  return null;
}

// The log with another code, because the table that it came from may still be on this device.
export function renamed(text: string, code: string): string[] | null {
  const lines = text.trim().split(/\r?\n/);
  if (!FIRST_ENTRY.test(lines[0]!)) return null;
  return [lines[0]!.replace(FIRST_ENTRY, `$1${code}$2`), ...lines.slice(1)];
}

export const isJson = (text: string): boolean => text.trimStart().startsWith("{");

async function entriesOfSave(text: string, maker: Maker): Promise<string[] | Refusal> {
  const saves = await loadSaves();
  return isRefusal(saves) ? saves : saves.open(text, maker, Date.now());
}

// The address of the table that was made from a file, or a refusal. A saved game goes on here or, among friends, on
// the server.
export async function openHere(text: string, name: string): Promise<string | Refusal> {
  const code = newCode();
  const lines = isJson(text) ? await entriesOfSave(text, { id: ME, code, name }) : (renamed(text, code) ?? notSaved);
  return isRefusal(lines) ? lines : ((await restoreDeviceWorld(lines)) ?? `/t/${code}`);
}

export async function openThere(text: string): Promise<string | Refusal> {
  let save: unknown;
  try {
    save = JSON.parse(text);
  } catch {
    return notSaved;
  }
  const world = await api.loadWorld(save);
  return isRefusal(world) ? world : `/w/${world.roomCode}`;
}
