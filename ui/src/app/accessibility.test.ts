import { render, screen, within } from "@testing-library/svelte";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import axe from "axe-core";
import { tick } from "svelte";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FakeHost } from "../host/fake";
import { language } from "../texts";
import { catalogues, flat } from "../texts/catalogue";
import App from "./App.svelte";
import { neverEndsMs } from "./test-timers";
import type { StartOptions } from "./app-state.svelte";

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
async function findViolations(): Promise<string[]> {
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
function findEnglishTexts(): string[] {
  const spoken = ["aria-label", "title", "placeholder", "alt", "aria-valuetext"];
  const messages = [...document.body.querySelectorAll("*")].flatMap((element) => [
    ...spoken.map((name) => element.getAttribute(name) ?? ""),
    ...[...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.textContent ?? ""),
  ]);
  return messages.map((text) => text.trim()).filter((text) => onlyEnglish.has(text));
}

const full = "?signedIn&full&credits=20";
const press = (name: string | RegExp) => async (user: UserEvent) => {
  const button = (await screen.findAllByRole("button", { name }))[0]!;
  await user.click(button);
};
const heading = (name: string) => async () => void (await screen.findByRole("heading", { name }));
const dialog = (name: string | RegExp) => async () => void (await screen.findByRole("dialog", { name }));

type Step = (user: UserEvent) => Promise<unknown>;
const screens: { name: string; query?: string; pace?: number; start?: StartOptions; steps: Step[] }[] = [
  { name: "the startup", query: "", pace: neverEndsMs, steps: [() => screen.findByText(/database/)] },
  { name: "a start-up that failed", query: "?failed", steps: [() => screen.findByRole("alert")] },
  { name: "the first sign-in", query: "", steps: [() => screen.findByRole("button", { name: "Continue on this computer" })] },
  {
    name: "the studio while a prompt is written",
    steps: [
      async (user) => user.type(await screen.findByLabelText("What should the character do?"), "walks and glorps"),
      () => screen.findByRole("group", { name: "Suggestions for glorps" }),
    ],
  },
  {
    name: "an edited step of a prompt",
    steps: [
      async (user) => user.type(await screen.findByLabelText("What should the character do?"), "walks, waves"),
      async (user) => user.click(await screen.findByRole("button", { name: /^Step 2:/ })),
      press("bigger"),
      () => screen.findByText(/You edited the steps/),
    ],
  },
  { name: "the action picker", steps: [press("Action"), () => screen.findByRole("searchbox")] },
  { name: "the prompt history", steps: [press("History"), () => screen.findByRole("list", { name: "Favourites" })] },
  { name: "the library", start: { page: "library" }, steps: [() => screen.findByRole("list", { name: "Clips" })] },
  { name: "the trash", start: { page: "library" }, steps: [press("Trash"), () => screen.findByText("Restore all")] },
  { name: "the export", start: { page: "library" }, steps: [press("Export"), dialog("Export")] },
  {
    name: "a video",
    start: { page: "library" },
    steps: [press("Render video"), dialog("Render video"), () => screen.findByRole("radio", { name: "Beach" })],
  },
  {
    name: "the characters",
    start: { page: "characters" },
    steps: [() => screen.findByRole("article", { name: "Kora" }), () => screen.findByRole("list", { name: "Uploads" })],
  },
  { name: "renaming a character", start: { page: "characters" }, steps: [press("Rename Kora"), () => screen.findByRole("textbox")] },
  { name: "a confirmation", start: { page: "characters" }, steps: [press("Delete Kora"), dialog("Delete Kora?")] },
  {
    name: "the bones of a character",
    start: { page: "characters" },
    steps: [
      press("Bones of Kora"),
      async (user) => user.click(await screen.findByRole("combobox", { name: "Joint for Spine" })),
    ],
  },
  { name: "the queue", start: { page: "queue" }, steps: [heading("Queue")] },
  { name: "the account", start: { page: "account" }, steps: [heading("Account")] },
  {
    name: "a phone as second factor",
    query: "?signedIn=ada@example.com&server",
    start: { page: "account" },
    steps: [
      press("Set up"),
      async (user) => user.click(await screen.findByRole("radio", { name: "Text message" })),
      async (user) => user.type(screen.getByLabelText("Phone number"), "+49 170 1234567"),
      press("Text me a code"),
      () => screen.findByText(/We sent a code to/),
    ],
  },
  {
    name: "the settings with a server",
    start: { page: "settings" },
    steps: [
      async (user) => user.click(await screen.findByRole("radio", { name: "Server" })),
      () => screen.findByText("Save diagnostics"),
    ],
  },
  {
    name: "the settings with a language model",
    start: { page: "settings" },
    steps: [press("Connect…"), () => screen.findByLabelText("Model name"), press("Test"), () => screen.findByText("Connect…")],
  },
  { name: "the shortcuts", steps: [press("Shortcuts"), dialog("Shortcuts")] },
  { name: "the mail", steps: [press("Mail"), dialog(/^Mail/)] },
  {
    name: "the editor with two clips in the viewer",
    start: { edit: 2 },
    steps: [
      async (user) => user.selectOptions(await screen.findByRole("combobox", { name: "Compare with…" }), "job-4.1"),
      () => screen.findByRole("button", { name: "A/B: overlaid", pressed: true }),
    ],
  },
  {
    name: "the editor with a correction",
    start: { edit: 2 },
    steps: [
      press("Add at the playhead"),
      () => screen.findByRole("group", { name: "Corrections on the timeline" }),
      async (user) => user.clear(screen.getByRole("spinbutton", { name: "Up, cm" })),
      () => screen.findByText(/^Enter a number/),
    ],
  },
  {
    name: "the keyboard while a shortcut is recorded",
    start: { page: "settings" },
    steps: [
      async () => void (await screen.findByRole("region", { name: "Keyboard" })),
      async (user) => user.click(within(screen.getByRole("region", { name: "Keyboard" })).getByRole("button", { name: "Change" })),
      press("L: Loop"),
      async (user) => user.keyboard("b"),
      () => screen.findByText(/B is already used/),
    ],
  },
  {
    name: "a prompt with a seed",
    steps: [press("More"), async (user) => user.type(await screen.findByLabelText("Seed"), "7"), () => screen.findByText("More · 1 set")],
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
      async (user) => {
        await screen.findByRole("slider", { name: "Playhead" });
        await user.click(screen.getByRole("radio", { name: "Refine" }));
        await user.type(screen.getByLabelText("Different prompt (optional)"), "walks and glorps");
      },
      () => screen.findByRole("group", { name: "Suggestions for glorps" }),
    ],
  },
  ...["Regenerate part", "Join", "Loop", "Refine", "Trim"].map((action) => ({
    name: `the editor: ${action}`,
    start: { edit: 2 },
    steps: [
      async (user: UserEvent) => {
        await screen.findByRole("slider", { name: "Playhead" });
        const choices = screen.getByRole("radiogroup", { name: "Operation" });
        await user.click(within(choices).getByRole("radio", { name: action }));
      },
    ],
  })),
];

async function show({ query = full, pace = 5, start, steps }: (typeof screens)[number]): Promise<void> {
  render(App, { host: new FakeHost({ pace, query }), start });
  const user = userEvent.setup();
  for (const step of steps) await step(user);
}

test.each(screens)("$name is accessible", async (each) => {
  await show(each);
  expect(await findViolations()).toEqual([]);
});

test.each(screens)("$name switches to German at once and stays accessible", async (each) => {
  await show(each);
  expect(findEnglishTexts()).not.toEqual([]);
  language.choose("de");
  await tick();
  expect(findEnglishTexts()).toEqual([]);
  expect(await findViolations()).toEqual([]);
});

test("a dialog returns the focus to what opened it", async () => {
  render(App, { host: new FakeHost({ pace: 5, query: full }), start: { page: "characters" } });
  const user = userEvent.setup();
  const opener = await screen.findByRole("button", { name: "Delete Kora" });
  await user.click(opener);
  await user.click(await screen.findByRole("button", { name: "Cancel" }));
  expect(document.activeElement).toBe(opener);
});

test("the check detects violations", async () => {
  const bad = document.createElement("div");
  bad.innerHTML = `<button></button><input><img src="x"><div role="img"></div><div role="button" aria-checked="x">a</div>`;
  document.body.append(bad);
  const found = await findViolations();
  bad.remove();
  for (const rule of ["button-name", "label", "image-alt", "role-img-alt", "aria-allowed-attr"]) {
    expect(found.join("\n")).toContain(`${rule}:`);
  }
});
