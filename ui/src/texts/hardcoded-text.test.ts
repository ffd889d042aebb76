import { readdirSync, readFileSync } from "node:fs";
import { parse } from "svelte/compiler";
import { expect, test } from "vitest";

/** Texts outside the catalogue, and why they are allowed. */
const allowed: Record<string, { texts: RegExp; why: string }> = {
  "main.ts": { texts: /^index\.html/, why: "for whoever broke the page" },
  "app/NavigationRail.svelte": { texts: /^Limber$/, why: "the product's name" },
  "app/App.svelte": { texts: /^Limber$/, why: "the product's name" },
  "features/settings/credits.ts": { texts: /./, why: "credits, in the words that are asked for" },
  "features/settings/ServerForm.svelte": { texts: /^https:\/\/\w+\.studio\.example$/, why: "addresses" },
  "features/settings/LanguageModel.svelte": { texts: /^http:\/\/localhost:11434\/v1$/, why: "an address" },
  "features/export/presets.ts": { texts: /^(Blender|Unity|Unreal Engine|Mixamo)$/, why: "names of programs" },
  "features/characters/rig/RigReview.svelte": { texts: /^Fingers$/, why: "the end of an id" },
  "features/video/BackdropPicker.svelte": { texts: /^\w+_\w+$/, why: "ids of the service" },
  "features/editor/timeline/Contacts.svelte": { texts: /^Toe$/, why: "the end of an id" },
  "features/editor/viewport/Viewport.svelte": { texts: /^(no WebGL 2|this clip cannot be shown in 3D:)$/, why: "for the log" },
  "features/editor/viewport/character-mesh.ts": { texts: /^it has no mesh$/, why: "for the log" },
  "features/editor/viewport/glb.ts": { texts: /./, why: "for the log" },
  "features/editor/viewport/images.ts": { texts: /./, why: "for the log" },
  "features/editor/viewport/load.ts": { texts: /./, why: "for the log" },
  "features/editor/viewport/motion.ts": { texts: /^it has no node$/, why: "for the log" },
  "features/editor/viewport/shaders.ts": { texts: /^(precision|const int) /, why: "GLSL" },
  "shared/keyboard.svelte.ts": { texts: /^((Ctrl|Shift)\+)*\w+$/, why: "names of keys, which `shared/key-labels.ts` translates" },
  "shared/prompts.ts": { texts: /./, why: "prompts, which the engine reads in English" },
};

/** Keys, which `shared/key-labels.ts` translates or which are the same everywhere, and media queries. */
const everywhere =
  /^([A-Z]|Ctrl|Shift|Enter|Tab|Esc|Escape|Delete|Backspace|Home|End|Space|Page(Up|Down)?|Arrow(Up|Down|Left|Right)?|\(prefers-.*)$/;

/** Attributes and props that users hear or read. */
const spoken = /^(aria-(label|valuetext|description|placeholder|roledescription)|title|placeholder|alt|label|words|message|detail|hint|send|yes|no)$/;

interface Node {
  type: string;
  [part: string]: unknown;
}

/** Whether a literal in code reads like a sentence or a name: `Try it`, `in progress`, `Done`. */
function isProse(text: string): boolean {
  return /\p{L}{2,}[.,:;!?…]? +\p{L}/u.test(text) || /^\P{L}*\p{Lu}\p{Ll}/u.test(text);
}

/** Texts in a file itself, as far as its code reveals. */
function textsOf(source: string): string[] {
  const found: string[] = [];
  const walk = (node: unknown, judge: (text: string) => boolean): void => {
    if (Array.isArray(node)) return node.forEach((each) => walk(each, judge));
    if (typeof node !== "object" || node === null || !("type" in node)) return;
    const here = node as Node;
    const say = (text: unknown, reads: (text: string) => boolean): void => {
      if (typeof text === "string" && reads(text.trim())) found.push(text.trim());
    };
    const hasLetters = (text: string): boolean => /\p{L}/u.test(text);
    switch (here.type) {
      case "ImportDeclaration":
      case "ExportAllDeclaration":
      case "StyleSheet":
      case "Comment":
        return;
      case "Text":
        return say(here["data"], judge);
      case "Literal":
        return say(here["value"], isProse);
      case "TemplateElement":
        return say((here["value"] as { cooked?: string }).cooked, isProse);
      case "Attribute":
        // user-visible attributes must have no letters; classes, ids and drawings may
        return walk(here["value"], spoken.test(String(here["name"])) ? hasLetters : () => false);
    }
    for (const [name, part] of Object.entries(here)) {
      const isType = name.startsWith("type") || name === "returnType" || here.type.startsWith("TS");
      if (!isType || ["TSAsExpression", "TSNonNullExpression", "TSSatisfiesExpression"].includes(here.type)) {
        if (name !== "typeAnnotation" && name !== "parent") walk(part, here.type === "Attribute" ? judge : hasLetters);
      }
    }
  };
  walk(parse(source, { modern: true }), (text) => /\p{L}/u.test(text));
  return found;
}

function saidIn(path: string): string[] {
  const source = readFileSync(`src/${path}`, "utf8");
  return textsOf(path.endsWith(".svelte") ? source : `<script lang="ts">\n${source}\n</script>`);
}

const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
  // except for the catalogue, tests, and the bridge to the app, whose fake plays the app's part
  (path) => /\.(svelte|ts)$/.test(path) && !/^(texts|host)\/|\.test\.ts$|patience/.test(path),
);

test("all visible text is in the catalogue", () => {
  expect(files.length).toBeGreaterThan(100);
  const outside = files.flatMap((path) =>
    saidIn(path)
      .filter((text) => !everywhere.test(text) && !allowed[path]?.texts.test(text))
      .map((text) => `${path}: ${text}`),
  );
  expect(outside).toEqual([]);
});

test("all exceptions are still needed", () => {
  const idle = Object.entries(allowed).filter(([path, { texts }]) => !saidIn(path).some((text) => texts.test(text)));
  expect(idle.map(([path]) => path)).toEqual([]);
});

test("the check detects hard-coded text", () => {
  const component = `<script lang="ts">
    let { title = "Untitled clip" }: { title?: "Some Type" } = $props();
    const words = open ? "Try it again" : \`\${count} of them left\`;
  </script>
  <p class="two names" title="Delete">Hello</p>
  <Page words="Clips" {title}>{#if open}{words}{:else}Nothing yet{/if}</Page>
  <input placeholder={empty ? "Search clips" : ""} aria-label="Search" />`;
  expect(textsOf(component).sort()).toEqual(
    ["Clips", "Delete", "Hello", "Nothing yet", "Search", "Search clips", "Try it again", "Untitled clip", "of them left"].sort(),
  );
});
