import { render } from "solid-js/web";
import { App } from "./App";
import "./app.css";

render(() => <App />, document.getElementById("app")!);
if (import.meta.env.PROD && "serviceWorker" in navigator) void navigator.serviceWorker.register("/worker.js");
