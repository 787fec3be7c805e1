// A window of a person: the stock client with both of its channels, and everything it heard.
import assert from "node:assert/strict";
import net from "node:net";
import Pusher from "pusher-js";

const PATIENCE_MS = 20000;
const PRIVATE = ["view-updated", "hand-updated", "game:updated", "discard-unlocked"];

export class Window {
  constructor(person, code, { port = person.server.port, authorizer, watching = false } = {}) {
    const headers = { authorization: `Bearer ${person.token}` };
    Object.assign(this, { person, code, watching, heard: [], views: new Map(), version: 0, watchers: [], errors: [] });
    this.pusher = new Pusher("oyster", {
      cluster: "",
      wsHost: "127.0.0.1",
      wsPort: port,
      forceTLS: false,
      enabledTransports: ["ws"],
      ...(authorizer
        ? { authorizer }
        : {
            channelAuthorization: { transport: "ajax", endpoint: `http://127.0.0.1:${port}/api/pusher/auth`, headers },
          }),
    });
    this.pusher.connection.bind("error", (error) => this.errors.push(error));
    this.own = this.pusher.subscribe(`private-player-${person.id}`);
    this.room = this.pusher.subscribe(`presence-room-${code}`);
    this.own.bind_global((event, data) => this.hear("own", event, data));
    this.room.bind_global((event, data) => this.hear("room", event, data));
  }

  static async open(person, code, options) {
    const window = new Window(person, code, options);
    await window.until(() => window.own.subscribed && window.room.subscribed, "subscriptions");
    return window;
  }

  hear(channel, event, data) {
    const plain = data && Object.getPrototypeOf(data) === Object.prototype ? data : undefined;
    if (channel === "own" && plain?.roomCode && plain.roomCode !== this.code) return; // of another world
    this.heard.push({ channel, event, data: plain });
    if (event === (this.watching ? "public-view" : "view-updated")) {
      this.views.set(plain.version, plain.view);
      this.version = plain.version;
      this.view = plain.view;
    }
    for (const look of [...this.watchers]) look();
  }

  until(what, name = String(what)) {
    return new Promise((resolve, reject) => {
      const end = (finish) => {
        clearTimeout(timer);
        clearInterval(again);
        this.watchers = this.watchers.filter((other) => other !== look);
        finish();
      };
      const look = () => {
        const found = what();
        if (found) end(() => resolve(found));
      };
      const timer = setTimeout(
        () =>
          end(() =>
            reject(
              new Error(
                `${this.person.name} waits for ${name}; heard last: ` +
                  `${JSON.stringify(this.heard.slice(-3)).slice(0, 600)}`,
              ),
            ),
          ),
        PATIENCE_MS,
      );
      const again = setInterval(look, 50); // for what is no event
      this.watchers.push(look);
      look();
    });
  }

  // The events of that name so far, or from a place on.
  all(event, from = 0) {
    return this.heard
      .slice(from)
      .filter((each) => each.event === event)
      .map((each) => each.data);
  }
  next(event, from = this.heard.length) {
    return this.until(() => this.all(event, from)[0], event);
  }
  reached(version) {
    return this.until(() => this.version >= version, `version ${version}`);
  }

  // Versions rise, none is left out, and what is private is nowhere else.
  check(from = 0) {
    let last = null;
    for (const { channel, event, data } of this.heard.slice(from)) {
      if (event.startsWith("pusher:")) continue;
      assert.equal(PRIVATE.includes(event), channel === "own", `${event} on ${channel}`);
      assert.equal(data.roomCode, this.code);
      if (last !== null)
        assert.ok(data.version === last || data.version === last + 1, `${event} is ${data.version} after ${last}`);
      last = data.version;
    }
    return last;
  }

  close() {
    this.pusher.disconnect();
  }
}

// A connection that can be cut and can lead elsewhere later; who connects in between waits. (The stock
// client whose call is refused tries again only after 15 s.)
export class Line {
  static async to(port) {
    const line = new Line();
    Object.assign(line, { ends: new Set(), callers: [], port: 0 });
    line.lead(port);
    line.listener = net.createServer((near) => {
      near.on("error", () => {});
      line.callers.push(near);
      line.lead(line.target);
    });
    await new Promise((resolve) => line.listener.listen(0, "127.0.0.1", resolve));
    line.port = line.listener.address().port;
    return line;
  }
  lead(port) {
    this.target = port;
    while (port !== null && this.callers.length) this.connect(this.callers.shift());
  }
  connect(near) {
    const far = net.connect(this.target, "127.0.0.1");
    for (const [end, other] of [
      [near, far],
      [far, near],
    ]) {
      this.ends.add(end);
      end.on("error", () => {});
      end.on("data", (data) => other.write(data));
      end.on("end", () => other.end());
      end.on("close", () => {
        this.ends.delete(end);
        other.destroy();
      });
    }
  }
  cut() {
    this.target = null;
    for (const end of this.ends) end.destroy();
  }
  close() {
    this.cut();
    this.listener.close();
  }
}
