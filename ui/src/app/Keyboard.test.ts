import { render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FakeHost } from "../host/fake";
import { keyboard } from "../shared/keyboard.svelte";
import App from "./App.svelte";

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function () {
    this.setAttribute("open", "");
  };
});
afterEach(() => (keyboard.chosen = {}));

async function open() {
  const host = new FakeHost({ pace: 5, query: "?signedIn" });
  render(App, { host, start: { room: "settings" } });
  const person = userEvent.setup();
  const region = within(await screen.findByRole("region", { name: "Keyboard" }));
  await person.click(region.getByRole("button", { name: "Change" }));
  return { host, region, person };
}

const chosen = async (host: FakeHost) => (await host.snapshot()).settings.shortcuts;

test("keys are recorded, kept, and work from then on", async () => {
  const { host, region, person } = await open();
  await person.click(region.getByRole("button", { name: "?: Show the shortcuts" }));
  expect(document.activeElement?.textContent).toContain("Press the new keys");
  await person.keyboard("{Control>}{Shift>}K{/Shift}{/Control}");
  await waitFor(async () => expect(await chosen(host)).toEqual({ help: "Ctrl+Shift+K" }));
  expect(document.activeElement).toBe(await region.findByRole("button", { name: "Ctrl+Shift+K: Show the shortcuts" }));
  await person.keyboard("?");
  expect(screen.queryByRole("dialog")).toBeNull();
  await person.keyboard("{Control>}{Shift>}K{/Shift}{/Control}");
  const help = within(await screen.findByRole("dialog", { name: "Shortcuts" }));
  expect(help.getByText("Show the shortcuts").parentElement?.textContent).toContain("CtrlShiftK");
});

test("escape while recording leaves everything as it was", async () => {
  const { host, region, person } = await open();
  await person.click(region.getByRole("button", { name: "L: Loop" }));
  await person.keyboard("{Escape}");
  expect(region.getByRole("button", { name: "L: Loop" })).toBe(document.activeElement);
  expect(await chosen(host)).toEqual({});
});

test("a conflict is said, and solved by either of the two", async () => {
  const { host, region, person } = await open();
  await person.click(region.getByRole("button", { name: "L: Loop" }));
  await person.keyboard("b");
  expect((await region.findByRole("alert")).textContent).toContain("B is already used: Bones.");
  expect(await chosen(host)).toEqual({});
  await person.keyboard("{Control>}1{/Control}");
  expect((await region.findByRole("alert")).textContent).toContain("Ctrl+1 cannot be changed");
  await person.keyboard("b");
  await person.click(await region.findByRole("button", { name: "Use it here instead" }));
  await waitFor(async () => expect(await chosen(host)).toEqual({ loop: "B", bones: "" }));
  expect(await region.findByRole("button", { name: "None: Bones" })).toBeTruthy();
  await person.click(region.getByRole("button", { name: "Reset: Bones" }));
  await waitFor(async () => expect(await chosen(host)).toEqual({}));
  expect(region.queryByRole("button", { name: "Reset all shortcuts" })).toBeNull();
});

test("a command may have no keys, and all are reset at once", async () => {
  const { host, region, person } = await open();
  await person.click(region.getByRole("button", { name: "L: Loop" }));
  await person.click(region.getByRole("button", { name: "None" }));
  await waitFor(async () => expect(await chosen(host)).toEqual({ loop: "" }));
  await person.click(await region.findByRole("button", { name: "Reset all shortcuts" }));
  await waitFor(async () => expect(await chosen(host)).toEqual({}));
});

test("the timeline says which keys mark a part, as they were chosen", async () => {
  const host = new FakeHost({ pace: 5, query: "?signedIn" });
  render(App, { host, start: { edit: 2 } });
  expect(await screen.findByText("Drag here, or press P twice, to mark a part to regenerate")).toBeTruthy();
  keyboard.chosen = { paint: "Ctrl+P" };
  expect(await screen.findByText("Drag here, or press Ctrl+P twice, to mark a part to regenerate")).toBeTruthy();
  keyboard.chosen = { paint: "" };
  expect(await screen.findByText("Drag here to mark a part to regenerate")).toBeTruthy();
});
