import { render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { HostError } from "../host";
import { FakeHost } from "../host/fake";
import App from "./App.svelte";

const entry = { address: "http://localhost:11434/v1", name: "small", key: null, limitS: 60, allowUnencrypted: false };

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function () {
    this.setAttribute("open", "");
  };
});

async function settings() {
  const host = new FakeHost({ pace: 5, query: "?signedIn" });
  render(App, { host, start: { page: "settings" } });
  const section = await screen.findByRole("region", { name: "Language model" });
  return { host, section: within(section), user: userEvent.setup() };
}

async function studio(connected = true) {
  const host = new FakeHost({ pace: 5, query: "?signedIn" });
  if (connected) await host.connectLanguageModel(entry);
  render(App, { host });
  const box = (await screen.findByLabelText("What should the character do?")) as HTMLTextAreaElement;
  await screen.findByText("Ada", { selector: "label span" });
  return { host, box, user: userEvent.setup() };
}

test("tests, connects and removes a model in the settings", async () => {
  const { host, section, user } = await settings();
  expect(section.getByText(/^Off\./)).toBeTruthy();
  await user.click(section.getByRole("button", { name: "Connect…" }));
  await user.type(section.getByLabelText("Server address"), entry.address);
  await user.type(section.getByLabelText("Model name"), "small");
  await user.type(section.getByLabelText("Key"), "sk-1");
  expect(host.model.asked).toEqual([]);
  await user.click(section.getByRole("button", { name: "Test" }));
  expect(await section.findByText("The model returned a valid script.")).toBeTruthy();
  const messages = section.getByRole("list", { name: "Request and response" });
  expect(within(messages).getByText("Response")).toBeTruthy();
  const connect = vi.spyOn(host, "connectLanguageModel");
  await user.click(section.getByRole("button", { name: "Connect" }));
  expect(await section.findByText(/^small at http:/)).toBeTruthy();
  expect(connect).toHaveBeenCalledWith({ ...entry, key: "sk-1" });
  expect(host.model.asked).toHaveLength(1);
  await user.click(section.getByRole("button", { name: "Change…" }));
  expect(section.getByLabelText("Key")).toHaveProperty("placeholder", "Stored in the keychain");
  await user.click(section.getByRole("button", { name: "Remove" }));
  expect(await section.findByText(/^Off\./)).toBeTruthy();
});

test("shows why an entry is invalid", async () => {
  const { host, section, user } = await settings();
  const message = "Choose a timeout from 1 to 600 seconds.";
  const connect = vi.spyOn(host, "connectLanguageModel");
  connect.mockRejectedValueOnce(new HostError({ code: "badInput", message, detail: null }));
  await user.click(section.getByRole("button", { name: "Connect…" }));
  await user.type(section.getByLabelText("Server address"), entry.address);
  await user.type(section.getByLabelText("Model name"), "small");
  const limit = section.getByLabelText("Timeout in seconds");
  await user.clear(limit);
  await user.type(limit, "soon");
  await user.click(section.getByRole("button", { name: "Connect" }));
  expect(await section.findByText(message)).toBeTruthy();
  expect(connect).toHaveBeenCalledWith({ ...entry, limitS: 0 });
});

test("offers no model where none is connected", async () => {
  const { host, box, user } = await studio(false);
  await user.type(box, "walks, then waves");
  await screen.findByText("Understood as");
  expect(screen.queryByRole("button", { name: "Read with my model" })).toBeNull();
  expect(host.model.asked).toEqual([]);
});

test("a connected model reads on request, and its script is used until the text changes", async () => {
  const { host, box, user } = await studio();
  const submit = vi.spyOn(host, "submitPrompt");
  await user.type(box, "walks, then waves");
  await screen.findByText("Understood as");
  expect(host.model.asked).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Read with my model" }));
  expect(await screen.findByText("small read the prompt. “Generate” creates this:")).toBeTruthy();
  expect(host.model.asked).toEqual(["walks, then waves"]);
  expect(submit).not.toHaveBeenCalled();
  await user.click(screen.getByRole("button", { name: /^Generate/ }));
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(1));
  const script = JSON.stringify({ version: 2, events: [{ do: "walk" }, { do: "wave" }] });
  expect(submit.mock.calls[0]?.[0]).toMatchObject({ prompt: "walks, then waves", script });
  await waitFor(() => expect(box.value).toBe(""));
  await user.type(box, "walks, then jumps");
  expect(screen.queryByText(/has read it/)).toBeNull();
  await user.click(screen.getByRole("button", { name: /^Generate/ }));
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(2));
  expect(submit.mock.calls[1]?.[0]).not.toHaveProperty("script");
});

test("shows an answer without a script, and submits nothing", async () => {
  const { host, box, user } = await studio();
  host.model.isChatty = true;
  await user.type(box, "walks");
  await user.click(screen.getByRole("button", { name: "Read with my model" }));
  expect(await screen.findByText(/did not return a usable script/)).toBeTruthy();
  await user.click(screen.getByText("Response"));
  expect(screen.getByText("What a lovely idea!")).toBeTruthy();
  expect(await host.jobs()).toEqual([]);
});

test("a model that hangs can be stopped without blocking input", async () => {
  const { host, box, user } = await studio();
  host.model.hangs = true;
  await user.type(box, "walks");
  await user.click(screen.getByRole("button", { name: "Read with my model" }));
  await waitFor(() => expect(host.model.asked).toEqual(["walks"]));
  await user.type(box, " fast");
  expect(box.value).toBe("walks fast");
  await user.click(screen.getByRole("button", { name: "Stop" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Stop" })).toBeNull());
  expect(screen.queryByText(/has read it/)).toBeNull();
});
