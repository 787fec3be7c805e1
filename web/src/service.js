// Keeps the page for when there is no network. Files with a hash in their name never change; the page
// itself is asked for anew and taken from here when nobody answers. Calls to the server are never kept.
const files = FILES; // the build writes their names here
const shelf = `oyster-${hash(files.join(" "))}`;

const calls = "oyster-calls"; // what to say when somebody is called; src/push.ts writes it

function hash(text) {
  let value = 2166136261;
  for (const letter of text) value = Math.imul(value ^ letter.codePointAt(0), 16777619);
  return (value >>> 0).toString(36);
}

const kept = async (path) => (await (await caches.open(shelf)).match(path)) ?? caches.match(path);

addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(shelf)
      .then((cache) => cache.addAll(files))
      .then(() => skipWaiting()),
  );
});

// Pages of the version before this one may still be open, and ask for parts of it.
addEventListener("activate", (event) => {
  const old = async () => {
    const shelves = (await caches.keys()).filter((name) => name !== shelf && name !== calls);
    await Promise.all(shelves.slice(0, -1).map((name) => caches.delete(name)));
  };
  event.waitUntil(old().then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => kept("/")));
  else if (url.pathname !== "/") event.respondWith(kept(url.pathname).then((found) => found ?? fetch(request)));
});

// Somebody is called while the page is closed (Web Push). At the table itself nobody needs to be told.
async function tell({ kind, code, gameId, name, invitation }) {
  const pages = await clients.matchAll({ type: "window" });
  if (pages.some((page) => page.visibilityState === "visible" && page.url.includes(`/w/${code}`))) return;
  const kept = await (await caches.open(calls)).match("/calls.json");
  const words = kept ? await kept.json() : { turn: "Your turn", table: "{name} asks you to a table", games: {} };
  const url = invitation ? `/w/${code}#${invitation}` : `/w/${code}`;
  await registration.showNotification(
    words[kind].replace("{name}", () => name),
    {
      body: words.games[gameId] ?? "",
      tag: code,
      icon: "/icon-192.png",
      data: { url },
    },
  );
}

async function open(url) {
  const pages = await clients.matchAll({ type: "window" });
  const there = pages.find((page) => page.url.includes(url.split("#")[0])) ?? pages[0];
  if (!there) return clients.openWindow(url);
  if (!there.url.includes(url.split("#")[0])) await there.navigate(url);
  return there.focus();
}

addEventListener("push", (event) => event.waitUntil(tell(event.data.json())));
addEventListener("notificationclick", (event) => {
  event.notification.close();
  if (event.notification.data?.url) event.waitUntil(open(event.notification.data.url));
});
