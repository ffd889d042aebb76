import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const { csp } = (JSON.parse(readFileSync("../tauri.conf.json", "utf8")) as { app: { security: { csp: string } } }).app.security;
const directives = new Map(csp.split(";").map((each) => each.trim().split(/ +/)).map(([name, ...sources]) => [name, sources]));

test("the page connects only to the app", () => {
  expect(directives.get("connect-src")).toEqual(["ipc:", "http://ipc.localhost", "clip:", "http://clip.localhost"]);
});

test("the page runs only its own code and loads nothing from elsewhere", () => {
  expect(directives.get("default-src")).toEqual(["'self'"]);
  for (const name of ["script-src", "worker-src", "child-src", "media-src"]) expect(directives.has(name)).toBe(false);
  for (const [name, sources] of directives) {
    for (const source of sources) expect(`${name} ${source}`).not.toMatch(/unsafe-eval|wasm|blob:|https:|\*/);
  }
});
