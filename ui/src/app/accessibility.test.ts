import { render, screen, within } from "@testing-library/svelte";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import axe from "axe-core";
import { tick } from "svelte";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FakeHost } from "../host/fake";
import { language } from "../texts";
import { catalogues, flat } from "../texts/catalogue";
import App from "./App.svelte";
import { never } from "./patience";
import type { Start } from "./state.svelte";

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function () {
    this.setAttribute("open", "");
  };
});

afterEach(() => language.choose("system"));

/**
 * Runs axe on names, roles, values and order. Colour contrast needs a rendering browser and is
 * covered by `tokens.test.ts`.
 */
async function findings(): Promise<string[]> {
  const { violations } = await axe.run(document.body, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    rules: { "color-contrast": { enabled: false } },
  });
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)}`));
}

/** English texts that differ from every German text. */
const onlyEnglish = ((): Set<string> => {
  const [english, german] = [flat(catalogues.en), flat(catalogues.de)];
  return new Set([...english.values()].filter((text) => text !== "" && ![...german.values()].includes(text)));
})();

/** Texts on the page, visible or read aloud, that exist only in the English catalogue. */
function englishShown(): string[] {
  const spoken = ["aria-label", "title", "placeholder", "alt", "aria-valuetext"];
  const said = [...document.body.querySelectorAll("*")].flatMap((element) => [
    ...spoken.map((name) => element.getAttribute(name) ?? ""),
    ...[...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.textContent ?? ""),
  ]);
  return said.map((text) => text.trim()).filter((text) => onlyEnglish.has(text));
}

const full = "?signedIn&full&credits=20";
const press = (name: string | RegExp) => async (person: UserEvent) => {
  const button = (await screen.findAllByRole("button", { name }))[0]!;
  await person.click(button);
};
const heading = (name: string) => async () => void (await screen.findByRole("heading", { name }));
const dialog = (name: string | RegExp) => async () => void (await screen.findByRole("dialog", { name }));

type Step = (person: UserEvent) => Promise<unknown>;
const screens: { name: string; query?: string; pace?: number; start?: Start; steps: Step[] }[] = [
  { name: "the start-up", query: "", pace: never, steps: [() => screen.findByText(/database/)] },
  { name: "a start-up that failed", query: "?failed", steps: [() => screen.findByRole("alert")] },
  { name: "the first sign-in", query: "", steps: [() => screen.findByRole("button", { name: "Continue on this computer" })] },
  {
    name: "the studio while a prompt is written",
    steps: [
      async (person) => person.type(await screen.findByLabelText("What should the character do?"), "walks and glorps"),
      () => screen.findByRole("group", { name: "Suggestions for glorps" }),
    ],
  },
  {
    name: "a step of a prompt that is changed",
    steps: [
      async (person) => person.type(await screen.findByLabelText("What should the character do?"), "walks, waves"),
      async (person) => person.click(await screen.findByRole("button", { name: /^Step 2:/ })),
      press("bigger"),
      () => screen.findByText(/You edited the steps/),
    ],
  },
  { name: "the actions to choose from", steps: [press("Action"), () => screen.findByRole("searchbox")] },
  { name: "earlier prompts", steps: [press("History"), () => screen.findByRole("list", { name: "Favourites" })] },
  { name: "the library", start: { room: "library" }, steps: [() => screen.findByRole("list", { name: "Clips" })] },
  { name: "the bin", start: { room: "library" }, steps: [press("Trash"), () => screen.findByText("Restore all")] },
  { name: "the export", start: { room: "library" }, steps: [press("Export"), dialog("Export")] },
  {
    name: "a film",
    start: { room: "library" },
    steps: [press("Render video"), dialog("Render video"), () => screen.findByRole("radio", { name: "Beach" })],
  },
  {
    name: "the characters",
    start: { room: "characters" },
    steps: [() => screen.findByRole("article", { name: "Kora" }), () => screen.findByRole("list", { name: "Uploads" })],
  },
  { name: "a new name", start: { room: "characters" }, steps: [press("Rename Kora"), () => screen.findByRole("textbox")] },
  { name: "a question", start: { room: "characters" }, steps: [press("Delete Kora"), dialog("Delete Kora?")] },
  {
    name: "the bones of a character",
    start: { room: "characters" },
    steps: [
      press("Bones of Kora"),
      async (person) => person.click(await screen.findByRole("combobox", { name: "Joint for Spine" })),
    ],
  },
  { name: "the queue", start: { room: "queue" }, steps: [heading("Queue")] },
  { name: "the account", start: { room: "account" }, steps: [heading("Account")] },
  {
    name: "a phone as second factor",
    query: "?signedIn=ada@example.com&server",
    start: { room: "account" },
    steps: [
      press("Set up"),
      async (person) => person.click(await screen.findByRole("radio", { name: "Text message" })),
      async (person) => person.type(screen.getByLabelText("Phone number"), "+49 170 1234567"),
      press("Text me a code"),
      () => screen.findByText(/We sent a code to/),
    ],
  },
  {
    name: "the settings with a server",
    start: { room: "settings" },
    steps: [
      async (person) => person.click(await screen.findByRole("radio", { name: "Server" })),
      () => screen.findByText("Save diagnostics"),
    ],
  },
  {
    name: "the settings with a language model",
    start: { room: "settings" },
    steps: [press("Connect…"), () => screen.findByLabelText("Model name"), press("Test"), () => screen.findByText("Connect…")],
  },
  { name: "the shortcuts", steps: [press("Shortcuts"), dialog("Shortcuts")] },
  { name: "the mail", steps: [press("Mail"), dialog(/^Mail/)] },
  {
    name: "the editor with two clips in the viewer",
    start: { edit: 2 },
    steps: [
      async (person) => person.selectOptions(await screen.findByRole("combobox", { name: "Compare with…" }), "job-4.1"),
      () => screen.findByRole("button", { name: "A/B: overlaid", pressed: true }),
    ],
  },
  {
    name: "the editor with a correction",
    start: { edit: 2 },
    steps: [
      press("Add at the playhead"),
      () => screen.findByRole("group", { name: "Corrections on the timeline" }),
      async (person) => person.clear(screen.getByRole("spinbutton", { name: "Up, cm" })),
      () => screen.findByText(/^Enter a number/),
    ],
  },
  {
    name: "the keyboard while keys are recorded",
    start: { room: "settings" },
    steps: [
      async () => void (await screen.findByRole("region", { name: "Keyboard" })),
      async (person) => person.click(within(screen.getByRole("region", { name: "Keyboard" })).getByRole("button", { name: "Change" })),
      press("L: Loop"),
      async (person) => person.keyboard("b"),
      () => screen.findByText(/B is already used/),
    ],
  },
  {
    name: "a prompt with a seed",
    steps: [press("More"), async (person) => person.type(await screen.findByLabelText("Seed"), "7"), () => screen.findByText("More · 1 set")],
  },
  {
    name: "the editor with a viewer that shows older corrections",
    start: { edit: 2 },
    steps: [
      press("Open viewer"),
      () => screen.findByRole("button", { name: "In the viewer" }),
      press("Add at the playhead"),
      () => screen.findByRole("button", { name: "Update viewer" }),
    ],
  },
  {
    name: "the editor while words are written",
    start: { edit: 2 },
    steps: [
      async (person) => {
        await screen.findByRole("slider", { name: "Playhead" });
        await person.click(screen.getByRole("radio", { name: "Refine" }));
        await person.type(screen.getByLabelText("Different prompt (optional)"), "walks and glorps");
      },
      () => screen.findByRole("group", { name: "Suggestions for glorps" }),
    ],
  },
  ...["Regenerate part", "Join", "Loop", "Refine", "Trim"].map((action) => ({
    name: `the editor: ${action}`,
    start: { edit: 2 },
    steps: [
      async (person: UserEvent) => {
        await screen.findByRole("slider", { name: "Playhead" });
        const choices = screen.getByRole("radiogroup", { name: "Operation" });
        await person.click(within(choices).getByRole("radio", { name: action }));
      },
    ],
  })),
];

async function show({ query = full, pace = 5, start, steps }: (typeof screens)[number]): Promise<void> {
  render(App, { host: new FakeHost({ pace, query }), start });
  const person = userEvent.setup();
  for (const step of steps) await step(person);
}

test.each(screens)("$name can be read and used without seeing it", async (each) => {
  await show(each);
  expect(await findings()).toEqual([]);
});

test.each(screens)("$name is German at once when that is chosen, and read as well", async (each) => {
  await show(each);
  expect(englishShown()).not.toEqual([]);
  language.choose("de");
  await tick();
  expect(englishShown()).toEqual([]);
  expect(await findings()).toEqual([]);
});

test("a sheet gives the focus back to what opened it", async () => {
  render(App, { host: new FakeHost({ pace: 5, query: full }), start: { room: "characters" } });
  const person = userEvent.setup();
  const opener = await screen.findByRole("button", { name: "Delete Kora" });
  await person.click(opener);
  await person.click(await screen.findByRole("button", { name: "Cancel" }));
  expect(document.activeElement).toBe(opener);
});

test("the check finds what it is there for", async () => {
  const bad = document.createElement("div");
  bad.innerHTML = `<button></button><input><img src="x"><div role="img"></div><div role="button" aria-checked="x">a</div>`;
  document.body.append(bad);
  const found = await findings();
  bad.remove();
  for (const rule of ["button-name", "label", "image-alt", "role-img-alt", "aria-allowed-attr"]) {
    expect(found.join("\n")).toContain(`${rule}:`);
  }
});
