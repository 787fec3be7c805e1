// Keeps the page for when there is no network. Files with a hash in their name never change; the page
// itself is asked for anew and taken from here when nobody answers. Calls to the server are never kept.
const files = [
  /* files */
];
const shelf = `oyster-${hash(files.join(" "))}`;

function hash(text) {
  let value = 2166136261;
  for (const letter of text) value = Math.imul(value ^ letter.codePointAt(0), 16777619);
  return (value >>> 0).toString(36);
}

addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(shelf)
      .then((cache) => cache.addAll(files))
      .then(() => skipWaiting()),
  );
});

addEventListener("activate", (event) => {
  const old = (names) => Promise.all(names.filter((name) => name !== shelf).map((name) => caches.delete(name)));
  event.waitUntil(
    caches
      .keys()
      .then(old)
      .then(() => clients.claim()),
  );
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match("/")));
  else if (files.includes(url.pathname))
    event.respondWith(caches.match(url.pathname).then((found) => found ?? fetch(request)));
});
