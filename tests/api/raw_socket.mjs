// A WebSocket on a bare TCP connection: it can send every frame, right or wrong, and shows what
// came back byte for byte.
import { randomBytes } from "node:crypto";
import net from "node:net";

export const TEXT = 1,
  BINARY = 2,
  CONTINUATION = 0,
  CLOSE = 8,
  PING = 9,
  PONG = 10;
export const HELLO = "/app/oyster?protocol=7&client=js&version=8.6.0";
const PATIENCE_MS = 20000;

export class RawSocket {
  // Resolves when the answer to the handshake is there, whatever it is.
  static open(port, path = HELLO, { headers = {}, more = "", from } = {}) {
    const socket = new RawSocket();
    const all = {
      Host: `127.0.0.1:${port}`,
      Upgrade: "websocket",
      Connection: "Upgrade",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
      "Sec-WebSocket-Version": "13",
      ...headers,
    };
    const lines = Object.entries(all)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${name}: ${value}\r\n`);
    Object.assign(socket, { frames: [], waiting: [], buffer: Buffer.alloc(0), ended: false });
    socket.tcp = net.connect({ port, host: "127.0.0.1", localAddress: from });
    socket.tcp.setNoDelay(true);
    socket.tcp.write(Buffer.concat([Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`), Buffer.from(more)]));
    socket.tcp.on("error", () => {});
    socket.tcp.on("data", (data) => socket.take(data));
    socket.closed = new Promise((resolve) => socket.tcp.on("close", resolve));
    socket.closed.then(() => {
      socket.ended = true;
      socket.wake();
    });
    return new Promise((resolve, reject) => {
      socket.onHead = () => resolve(socket);
      socket.closed.then(() => reject(new Error("closed before the answer")));
    });
  }

  take(data) {
    this.buffer = Buffer.concat([this.buffer, data]);
    if (!this.head) {
      const end = this.buffer.indexOf("\r\n\r\n");
      if (end < 0) return;
      this.head = this.buffer.subarray(0, end).toString();
      this.status = Number(this.head.split(" ")[1]);
      this.buffer = this.buffer.subarray(end + 4);
      this.onHead();
    }
    if (this.status !== 101) return;
    for (let frame; (frame = this.cut()); ) this.frames.push(frame);
    this.wake();
  }

  cut() {
    const { buffer } = this;
    if (buffer.length < 2) return null;
    const short = buffer[1] & 127,
      top = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (buffer.length < top) return null;
    const length = short === 126 ? buffer.readUInt16BE(2) : short === 127 ? Number(buffer.readBigUInt64BE(2)) : short;
    if (buffer.length < top + length) return null;
    this.buffer = buffer.subarray(top + length);
    return {
      fin: buffer[0] >> 7,
      rsv: (buffer[0] >> 4) & 7,
      opcode: buffer[0] & 15,
      masked: buffer[1] >> 7,
      payload: buffer.subarray(top, top + length),
    };
  }

  wake() {
    while (this.waiting.length && (this.frames.length || this.ended)) this.waiting.shift()(this.frames.shift() ?? null);
  }

  // The next frame; null: the connection has ended.
  next() {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("no frame came")), PATIENCE_MS);
      this.waiting.push((frame) => {
        clearTimeout(timer);
        resolve(frame);
      });
      this.wake();
    });
  }

  async event() {
    const frame = await this.next();
    if (!frame) throw new Error("the connection ended");
    if (frame.opcode !== TEXT) throw new Error(`no text: ${frame.opcode} ${frame.payload.toString("hex")}`);
    const { event, channel, data } = JSON.parse(frame.payload.toString());
    if (typeof data !== "string") throw new Error(`data should be a string: ${frame.payload}`);
    return { event, channel, data: JSON.parse(data) };
  }

  // Events up to the first of that name; what else came is left out.
  async until(name, channel) {
    for (;;) {
      const event = await this.event();
      if (event.event === name && (channel === undefined || event.channel === channel)) return event;
    }
  }

  // What the server closes with, after the events that came before; null: without a word.
  async end() {
    const events = [];
    for (let frame; (frame = await this.next()); ) {
      if (frame.opcode === TEXT) events.push(JSON.parse(frame.payload.toString()));
      if (frame.opcode === CLOSE) return { code: frame.payload.length ? frame.payload.readUInt16BE(0) : 0, events };
    }
    return { code: null, events };
  }

  frame(opcode, payload = "", { fin = 1, rsv = 0, mask = true, long = false, claim } = {}) {
    const data = Buffer.from(payload),
      length = claim ?? data.length;
    const size = long || length > 65535 ? 10 : length > 125 ? 4 : 2;
    const head = Buffer.alloc(size);
    head[0] = (fin << 7) | (rsv << 4) | opcode;
    head[1] = (mask ? 128 : 0) | (size === 2 ? length : size === 4 ? 126 : 127);
    if (size === 4) head.writeUInt16BE(length, 2);
    if (size === 10) head.writeBigUInt64BE(BigInt(length), 2);
    if (!mask) return Buffer.concat([head, data]);
    const key = randomBytes(4);
    return Buffer.concat([head, key, data.map((byte, i) => byte ^ key[i % 4])]);
  }

  write(bytes) {
    this.tcp.write(bytes);
  }
  send(opcode, payload, how) {
    this.write(this.frame(opcode, payload, how));
  }
  say(event, data = {}) {
    this.send(TEXT, JSON.stringify({ event, data }));
  }
  kill() {
    this.tcp.destroy();
    return this.closed;
  }

  async hello() {
    const { event, data } = await this.event();
    if (event !== "pusher:connection_established") throw new Error(`first came ${event}`);
    this.id = data.socket_id;
    return data;
  }
}

// A socket that has been greeted.
export async function greeted(server, headers) {
  const socket = await RawSocket.open(server.port, HELLO, { headers });
  await socket.hello();
  return socket;
}

export function authorise(person, socketId, channel, path = "/api/pusher/auth") {
  return person.request("POST", path, {
    raw: new URLSearchParams({ socket_id: socketId, channel_name: channel }).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
}

export async function subscribe(person, socket, channel) {
  const answer = await authorise(person, socket.id, channel);
  if (answer.status !== 200) throw new Error(`no permission for ${channel}: ${answer.text}`);
  socket.say("pusher:subscribe", { ...answer.json, channel });
  return socket.until("pusher_internal:subscription_succeeded", channel);
}
