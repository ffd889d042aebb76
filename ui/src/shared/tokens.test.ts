import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const css = readFileSync("src/shared/tokens.css", "utf8");

type Look = "dark" | "light" | "contrast";

/** Minimum contrast of text; the third theme is for users who need more than usual. */
const least: Record<Look, number> = { dark: 4.5, light: 4.5, contrast: 7 };
const looks = ["dark", "light", "contrast"] as const;

function colours(theme: Look): Map<string, string> {
  const rule = new RegExp(`\\[data-theme="${theme}"\\] \\{([^}]*)\\}`).exec(css)?.[1] ?? "";
  return new Map([...rule.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = "", value = ""]) => [name, value]));
}

/** Relative luminance according to WCAG 2.2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const inks = ["ink", "ink-soft", "ink-faint", "accent", "good", "warn", "bad", "axis-x", "axis-y", "axis-z"];
const grounds = ["ground", "rail", "surface", "raised", "above", "accent-wash"];
const pairs: [string, string][] = [
  ...inks.flatMap((ink) => grounds.map((ground): [string, string] => [ink, ground])),
  ["ink", "raised-strong"],
  ["ink-soft", "raised-strong"],
  ["on-accent", "accent"],
  ["on-accent", "accent-strong"],
  ["bad", "bad-wash"],
  ["good", "good-wash"],
];

test.each(looks)("text has sufficient contrast on every background of the %s theme", (theme) => {
  const all = colours(theme);
  const of = (name: string): string => all.get(name) ?? expect.fail(`${name} is a colour`);
  const faint = pairs
    .map(([ink, ground]) => ({ pair: `${ink} on ${ground}`, ratio: contrast(of(ink), of(ground)) }))
    .filter(({ ratio }) => ratio < least[theme]);
  expect(faint).toEqual([]);
});

test.each(looks)("edges of fields and the focus ring have sufficient contrast in the %s theme", (theme) => {
  const all = colours(theme);
  for (const [edge, ground] of [["line-strong", "ground"], ["line-strong", "surface"], ["focus", "ground"], ["focus", "surface"]] as const) {
    expect(contrast(all.get(edge) ?? "", all.get(ground) ?? "")).toBeGreaterThanOrEqual(3);
  }
});

test("with high contrast, all edges have sufficient contrast", () => {
  const all = colours("contrast");
  const of = (name: string): string => all.get(name) ?? expect.fail(`${name} is a colour`);
  for (const ground of ["ground", "rail", "surface", "raised", "above"]) {
    expect(contrast(of("line"), of(ground))).toBeGreaterThanOrEqual(4.5);
  }
});
