// node tests/web/push.mjs PROGRAM: being called when the page is closed, from the settings to the notification. The
// browser's own push service is elsewhere, so its part is played: what it is asked to subscribe, and what it delivers.
import { createECDH, randomBytes } from "node:crypto";
import { finish, sleep, test } from "../api/client.mjs";
import { assert, until } from "../api/tools.mjs";
import { House } from "./browser.mjs";

const house = await House.open(process.argv[2] ?? "build/oyster");
const ann = await house.guest("Ann", { size: "phone" });
const { page } = ann;
const ecdh = createECDH("prime256v1");
const keys = { p256dh: ecdh.generateKeys("base64url"), auth: randomBytes(16).toString("base64url") };
await ann.context.grantPermissions(["notifications"]);
await page.addInitScript(
  ([endpoint, keys]) => {
    // What a browser keeps: whether there is a subscription, and for which key.
    const kept = () => localStorage.getItem("pretended");
    const bytes = (key) => Uint8Array.from(atob(key.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
    const made = () => ({
      endpoint,
      options: { applicationServerKey: bytes(kept()).buffer },
      toJSON: () => ({ endpoint, keys }),
      unsubscribe: async () => localStorage.removeItem("pretended") ?? true,
    });
    PushManager.prototype.getSubscription = async () => (kept() ? made() : null);
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      localStorage.setItem("pretended", applicationServerKey);
      return made();
    };
  },
  ["https://push.example/ann", keys],
);

const asked = []; // what the server was told
page.on("request", (request) => {
  const path = new URL(request.url()).pathname;
  if (/^\/api\/push(\/|$)/.test(path)) asked.push([path, request.postDataJSON()]);
});
const said = (number) => until(async () => asked[number], "the server was not told");
const calling = page.getByRole("switch", { name: /^Call me when the page is closed/ });

await test("it is off until somebody wants it, and the server is told what for", async () => {
  const code = await ann.create("4 Kate");
  assert.match(code, /^[A-Z2-9]{6}$/);
  await page.evaluate(() =>
    localStorage.setItem("oyster-contacts", JSON.stringify([{ id: "p234567abcdefghi", name: "Bob", met: 1 }])),
  );
  await page.goto(`${house.url}/settings`);
  await calling.waitFor();
  assert.equal(await calling.isChecked(), false);
  assert.equal(asked.length, 0);
  await calling.click();
  const [path, told] = await said(0);
  assert.equal(path, "/api/push");
  assert.deepEqual(told, {
    endpoint: "https://push.example/ann",
    keys,
    turnMs: 60000,
    friends: ["p234567abcdefghi"],
    quiet: { from: 0, to: 0 },
  });
  await until(() => calling.isChecked(), "it is not switched on");
  await page.getByRole("radio", { name: "10 seconds" }).click();
  assert.equal((await said(1))[1].turnMs, 10000);
  await page.getByRole("switch", { name: "Quiet hours" }).click();
  await page.getByLabel("From").waitFor();
  const quiet = (await said(2))[1].quiet;
  assert.equal((quiet.to - quiet.from + 1440) % 1440, 600, "from 22:00 to 08:00");
  assert.deepEqual(await ann.violations(), []);
  await page.screenshot({ path: "build/screens/push-phone.png", fullPage: true });
  await page.reload(); // the clock may have changed
  await said(3);
});

await test("a browser that refuses leaves it switched off, and says so", async () => {
  await calling.click();
  await until(async () => !(await calling.isChecked()), "it is still switched on");
  await page.evaluate(() => {
    PushManager.prototype.subscribe = () => Promise.reject(new Error("no"));
  });
  await calling.click();
  await page.getByText("This browser cannot be called at the moment").waitFor();
  assert.equal(await calling.isChecked(), false);
  await page.reload();
  await calling.click();
  await until(() => calling.isChecked(), "it is not switched on");
});

await test("what is delivered becomes a notification, in the words that were kept", async () => {
  const browser = await ann.context.newCDPSession(page);
  const registered = new Promise((resolve) =>
    browser.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      if (registrations.length > 0) resolve(registrations[0].registrationId);
    }),
  );
  await browser.send("ServiceWorker.enable");
  const registrationId = await registered;
  const deliver = (message) =>
    browser.send("ServiceWorker.deliverPushMessage", {
      origin: house.url,
      registrationId,
      data: JSON.stringify(message),
    });
  const notifications = () =>
    page.evaluate(async () =>
      (await (await navigator.serviceWorker.ready).getNotifications())
        .map(({ title, body, tag, data }) => [title, body, tag, data.url])
        .sort(),
    );
  // What comes while the worker starts may be lost, and one that comes twice replaces the first.
  const delivered = (message, count) =>
    until(async () => {
      await deliver(message);
      for (let i = 0; i < 20; i++, await sleep(50)) {
        const all = await notifications();
        if (all.length === count) return all;
      }
      return undefined;
    }, "no notification");
  const turn = ["Your turn", "4 Kate", "ABCDEF", "/w/ABCDEF"];
  assert.deepEqual(await delivered({ kind: "turn", code: "ABCDEF", gameId: "4-kate" }, 1), [turn]);
  assert.deepEqual(
    await delivered({ kind: "table", code: "GHJKLM", gameId: "whos-deal", name: "$&", invitation: "0f" }, 2),
    [["$& asks you to a table", "Who's Deal?", "GHJKLM", "/w/GHJKLM#0f"], turn],
  );
});

await test("switched off, or logged out, nobody is called here", async () => {
  const before = asked.length;
  await calling.click();
  assert.deepEqual(await said(before), ["/api/push/end", { endpoint: "https://push.example/ann" }]);
  await until(async () => !(await calling.isChecked()), "it is still switched on");
  await calling.click();
  await said(before + 1);
  await until(() => calling.isChecked(), "it is not switched on again");
  await ann.button("Log out here").click();
  assert.equal((await said(before + 2))[0], "/api/push/end");
  await page.waitForURL(`${house.url}/`);
  assert.deepEqual(ann.errors, []);
});

await house.close();
finish();
