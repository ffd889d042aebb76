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
  render(App, { host, start: { page: "settings" } });
  const user = userEvent.setup();
  const region = within(await screen.findByRole("region", { name: "Keyboard" }));
  await user.click(region.getByRole("button", { name: "Change" }));
  return { host, region, user };
}

const chosen = async (host: FakeHost) => (await host.snapshot()).settings.shortcuts;

test("records and saves shortcuts, which work at once", async () => {
  const { host, region, user } = await open();
  await user.click(region.getByRole("button", { name: "?: Show the shortcuts" }));
  expect(document.activeElement?.textContent).toContain("Press the new keys");
  await user.keyboard("{Control>}{Shift>}K{/Shift}{/Control}");
  await waitFor(async () => expect(await chosen(host)).toEqual({ help: "Ctrl+Shift+K" }));
  expect(document.activeElement).toBe(await region.findByRole("button", { name: "Ctrl+Shift+K: Show the shortcuts" }));
  await user.keyboard("?");
  expect(screen.queryByRole("dialog")).toBeNull();
  await user.keyboard("{Control>}{Shift>}K{/Shift}{/Control}");
  const help = within(await screen.findByRole("dialog", { name: "Shortcuts" }));
  expect(help.getByText("Show the shortcuts").parentElement?.textContent).toContain("CtrlShiftK");
});

test("Escape while recording changes nothing", async () => {
  const { host, region, user } = await open();
  await user.click(region.getByRole("button", { name: "L: Loop" }));
  await user.keyboard("{Escape}");
  expect(region.getByRole("button", { name: "L: Loop" })).toBe(document.activeElement);
  expect(await chosen(host)).toEqual({});
});

test("reports a conflict, which can be resolved either way", async () => {
  const { host, region, user } = await open();
  await user.click(region.getByRole("button", { name: "L: Loop" }));
  await user.keyboard("b");
  expect((await region.findByRole("alert")).textContent).toContain("B is already used: Bones.");
  expect(await chosen(host)).toEqual({});
  await user.keyboard("{Control>}1{/Control}");
  expect((await region.findByRole("alert")).textContent).toContain("Ctrl+1 cannot be changed");
  await user.keyboard("b");
  await user.click(await region.findByRole("button", { name: "Use it here instead" }));
  await waitFor(async () => expect(await chosen(host)).toEqual({ loop: "B", bones: "" }));
  expect(await region.findByRole("button", { name: "None: Bones" })).toBeTruthy();
  await user.click(region.getByRole("button", { name: "Reset: Bones" }));
  await waitFor(async () => expect(await chosen(host)).toEqual({}));
  expect(region.queryByRole("button", { name: "Reset all shortcuts" })).toBeNull();
});

test("a command can have no shortcut, and all can be reset at once", async () => {
  const { host, region, user } = await open();
  await user.click(region.getByRole("button", { name: "L: Loop" }));
  await user.click(region.getByRole("button", { name: "Clear" }));
  await waitFor(async () => expect(await chosen(host)).toEqual({ loop: "" }));
  await user.click(await region.findByRole("button", { name: "Reset all shortcuts" }));
  await waitFor(async () => expect(await chosen(host)).toEqual({}));
});

test("the timeline shows the custom shortcut for marking an interval", async () => {
  const host = new FakeHost({ pace: 5, query: "?signedIn" });
  render(App, { host, start: { edit: 2 } });
  expect(await screen.findByText("Drag here, or press P twice, to mark a part to regenerate")).toBeTruthy();
  keyboard.chosen = { paint: "Ctrl+P" };
  expect(await screen.findByText("Drag here, or press Ctrl+P twice, to mark a part to regenerate")).toBeTruthy();
  keyboard.chosen = { paint: "" };
  expect(await screen.findByText("Drag here to mark a part to regenerate")).toBeTruthy();
});
