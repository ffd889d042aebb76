import "./shared/tokens.css";
import "./shared/base.css";
import { mount } from "svelte";
import App from "./app/App.svelte";
import { parseStartOptions } from "./app/start-options";
import { findHost } from "./host";

const target = document.getElementById("app");
if (!target) throw new Error("index.html has no element with the id app");

/** The longest time the splash waits for the app. */
const longestSplashMs = 5000;

const splash = document.getElementById("splash");
const onready = () => splash?.remove();
setTimeout(onready, longestSplashMs);
const host = await findHost();
const start = import.meta.env.DEV ? parseStartOptions(location.search) : undefined;
mount(App, { target, props: { host, start, onready } });
