import { readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { applyTheme } from "./theme";

const page = readFileSync("index.html", "utf8");
const tokens = readFileSync("src/shared/tokens.css", "utf8");
const script = readFileSync("public/look.js", "utf8");

afterEach(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
});

/** The theme that the page's inline script sets before the first paint. */
function initialTheme(): string | undefined {
  delete document.documentElement.dataset["theme"];
  new Function(script)();
  return document.documentElement.dataset["theme"];
}

const tokenValue = (theme: string, name: string): string | undefined => {
  const rule = new RegExp(`\\[data-theme="${theme}"\\] \\{([^}]*)\\}`).exec(tokens)?.[1] ?? "";
  return new RegExp(`--${name}: (#\\w+);`).exec(rule)?.[1];
};

test.each(["dark", "light", "contrast"])("the splash has the colours of the %s theme", (theme) => {
  const selector = theme === "dark" ? "html" : `html[data-theme="${theme}"]`;
  const [, rule = ""] = page.split(`${selector} {`)[1]?.match(/^([^}]*)\}/) ?? [];
  expect(/background: (#\w+);/.exec(rule)?.[1]).toBe(tokenValue(theme, "ground"));
  expect(/[^-]color: (#\w+);/.exec(rule)?.[1]).toBe(tokenValue(theme, "ink"));
  expect(/--splash-accent: (#\w+);/.exec(rule)?.[1]).toBe(tokenValue(theme, "accent"));
});

test("the splash needs no script and no other file", () => {
  const before = page.slice(0, page.indexOf('<script type="module"'));
  expect(before).toContain('id="splash"');
  expect([...before.matchAll(/<script[^>]*src="([^"]*)"/g)].map(([, src]) => src)).toEqual(["/look.js"]);
  expect(before).not.toMatch(/<link|url\(|@import/);
});

test("the page starts in the last theme, or dark", () => {
  expect(initialTheme()).toBe("dark");
  const stop = applyTheme("light", () => undefined);
  stop();
  expect(initialTheme()).toBe("light");
  localStorage.setItem("look", "nonsense");
  expect(initialTheme()).toBe("dark");
});

test("a web view without storage starts dark and can change its theme", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => {
      throw new Error("denied");
    },
    setItem: () => {
      throw new Error("denied");
    },
  });
  expect(initialTheme()).toBe("dark");
  const stop = applyTheme("light", () => undefined);
  stop();
  expect(document.documentElement.dataset["theme"]).toBe("light");
  vi.unstubAllGlobals();
});
