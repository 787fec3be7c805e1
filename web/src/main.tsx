import { render } from "solid-js/web";
import { App } from "./App";
import { watchForNewer } from "./newer";
import { choices } from "./settings";
import "./app.css";

watchForNewer();
render(() => <App />, document.getElementById("app")!);
if (choices.push) void import("./push").then(({ renewPush }) => renewPush());
if (import.meta.env.PROD && "serviceWorker" in navigator) void navigator.serviceWorker.register("/worker.js");
