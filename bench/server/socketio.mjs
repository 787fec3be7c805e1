// The same traffic on Socket.IO, in memory, without rules: `node socketio.mjs PORT PUSH_BYTES`.
import { createServer } from "node:http";
import { Server } from "socket.io";

const [port, bytes] = process.argv.slice(2).map(Number);
const seats = new Map(); // world and seat to socket
const versions = new Map();
// The payload needs no escapes, which is to Socket.IO's advantage.
const view = "x".repeat(bytes - 60);

function act(body, response) {
  const { roomCode } = JSON.parse(body);
  const version = (versions.get(roomCode) ?? 0) + 1;
  versions.set(roomCode, version);
  for (let seat = 0; seat < 4; seat++)
    seats.get(`${Number(roomCode)}-${seat}`).emit("view-updated", { version, roomCode, view });
  const answer = JSON.stringify({ ok: true, version });
  response.writeHead(200, {
    "Content-Type": "application/json",
    "Content-Length": answer.length,
    "Cache-Control": "no-store",
  });
  response.end(answer);
}

const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (part) => (body += part));
  request.on("end", () => act(body, response));
});
server.keepAliveTimeout = 600000;
const io = new Server(server, { transports: ["websocket"], serveClient: false });
io.on("connection", (socket) => {
  const { w, s } = socket.handshake.query;
  seats.set(`${w}-${s}`, socket);
});
server.listen(port, "127.0.0.1", 1024, () => console.log("serves"));
