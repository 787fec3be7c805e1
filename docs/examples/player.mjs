// A whole player in forty lines: creates a world, starts it against bots, and posts entries of
// `view.legal` until the game is over. It knows no rules. Usage: node player.mjs [URL] [GAME]
const url = process.argv[2] ?? "http://127.0.0.1:8080";
const gameId = process.argv[3] ?? "whos-deal";
let token;

async function call(method, path, body) {
  const headers = { "content-type": "application/json" };
  if (token) headers.authorization = `Bearer ${token}`;
  const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  const json = await answer.json();
  if (!answer.ok) throw new Error(`${answer.status} ${json.code}: ${json.error}`);
  return json;
}

({ token } = await call("POST", "/api/session", { name: "Forty Lines" }));
const { roomCode } = await call("POST", "/api/worlds", { gameId, settings: { speed: "instant" } });
await call("POST", "/api/game/action", { roomCode, type: "start" });
console.log(`playing ${gameId} in world ${roomCode}`);

for (let moves = 0; ; ) {
  const { status, view, you } = await call("GET", `/api/worlds/${roomCode}`);
  if (status === "game_over") {
    console.log(`over after ${moves} moves of ours; the record is at /api/worlds/${roomCode}/log`);
    break;
  }
  // A move when it is our turn; after a round, "next-round".
  const offered = view.legal.filter((one) => view.turn.includes(you.seatIndex) || one.type === "next-round");
  if (offered.length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    continue;
  }
  const { type, payload, move } = offered[Math.floor(Math.random() * offered.length)];
  const actionId = crypto.randomUUID(); // sent again after a lost answer, it would do no harm
  await call("POST", "/api/game/action", { roomCode, type, payload, actionId });
  if (moves++ < 10) console.log(`  ${move}`);
  await new Promise((resolve) => setTimeout(resolve, 60)); // at most 20 actions a second
}
