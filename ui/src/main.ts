import "./shared/tokens.css";
import "./shared/base.css";
import { mount } from "svelte";
import App from "./app/App.svelte";
import { startOf } from "./app/start";
import { findHost } from "./host";

const target = document.getElementById("app");
if (!target) throw new Error("index.html has no element with the id app");

const host = await findHost();
mount(App, { target, props: import.meta.env.DEV ? { host, start: startOf(location.search) } : { host } });
