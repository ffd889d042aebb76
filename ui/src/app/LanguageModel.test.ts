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
  render(App, { host, start: { room: "settings" } });
  const section = await screen.findByRole("region", { name: "Language model" });
  return { host, section: within(section), person: userEvent.setup() };
}

async function studio(connected = true) {
  const host = new FakeHost({ pace: 5, query: "?signedIn" });
  if (connected) await host.connectLanguageModel(entry);
  render(App, { host });
  const box = (await screen.findByLabelText("What should the character do?")) as HTMLTextAreaElement;
  await screen.findByText("Ada", { selector: "label span" });
  return { host, box, person: userEvent.setup() };
}

test("a model is tried, connected and forgotten in the settings", async () => {
  const { host, section, person } = await settings();
  expect(section.getByText(/^Off\./)).toBeTruthy();
  await person.click(section.getByRole("button", { name: "Connect…" }));
  await person.type(section.getByLabelText("Server address"), entry.address);
  await person.type(section.getByLabelText("Model name"), "small");
  await person.type(section.getByLabelText("Key"), "sk-1");
  expect(host.model.asked).toEqual([]);
  await person.click(section.getByRole("button", { name: "Test" }));
  expect(await section.findByText("The model returned a valid script.")).toBeTruthy();
  const said = section.getByRole("list", { name: "Request and response" });
  expect(within(said).getByText("Response")).toBeTruthy();
  const connect = vi.spyOn(host, "connectLanguageModel");
  await person.click(section.getByRole("button", { name: "Connect" }));
  expect(await section.findByText(/^small at http:/)).toBeTruthy();
  expect(connect).toHaveBeenCalledWith({ ...entry, key: "sk-1" });
  expect(host.model.asked).toHaveLength(1);
  await person.click(section.getByRole("button", { name: "Change…" }));
  expect(section.getByLabelText("Key")).toHaveProperty("placeholder", "Stored in the keychain");
  await person.click(section.getByRole("button", { name: "Remove" }));
  expect(await section.findByText(/^Off\./)).toBeTruthy();
});

test("an entry that cannot be used says why", async () => {
  const { host, section, person } = await settings();
  const message = "Choose a timeout from 1 to 600 seconds.";
  const connect = vi.spyOn(host, "connectLanguageModel");
  connect.mockRejectedValueOnce(new HostError({ code: "badInput", message, detail: null }));
  await person.click(section.getByRole("button", { name: "Connect…" }));
  await person.type(section.getByLabelText("Server address"), entry.address);
  await person.type(section.getByLabelText("Model name"), "small");
  const limit = section.getByLabelText("Timeout in seconds");
  await person.clear(limit);
  await person.type(limit, "soon");
  await person.click(section.getByRole("button", { name: "Connect" }));
  expect(await section.findByText(message)).toBeTruthy();
  expect(connect).toHaveBeenCalledWith({ ...entry, limitS: 0 });
});

test("where no model is connected nothing offers one", async () => {
  const { host, box, person } = await studio(false);
  await person.type(box, "walks, then waves");
  await screen.findByText("Understood as");
  expect(screen.queryByRole("button", { name: "Read with my model" })).toBeNull();
  expect(host.model.asked).toEqual([]);
});

test("a connected model reads when somebody presses, and its script is what is generated until the text changes", async () => {
  const { host, box, person } = await studio();
  const handedIn = vi.spyOn(host, "submitPrompt");
  await person.type(box, "walks, then waves");
  await screen.findByText("Understood as");
  expect(host.model.asked).toEqual([]);
  await person.click(screen.getByRole("button", { name: "Read with my model" }));
  expect(await screen.findByText("small read the prompt. Generate creates this:")).toBeTruthy();
  expect(host.model.asked).toEqual(["walks, then waves"]);
  expect(handedIn).not.toHaveBeenCalled();
  await person.click(screen.getByRole("button", { name: /^Generate/ }));
  await waitFor(() => expect(handedIn).toHaveBeenCalledTimes(1));
  const script = JSON.stringify({ version: 2, events: [{ do: "walk" }, { do: "wave" }] });
  expect(handedIn.mock.calls[0]?.[0]).toMatchObject({ prompt: "walks, then waves", script });
  await waitFor(() => expect(box.value).toBe(""));
  await person.type(box, "walks, then jumps");
  expect(screen.queryByText(/has read it/)).toBeNull();
  await person.click(screen.getByRole("button", { name: /^Generate/ }));
  await waitFor(() => expect(handedIn).toHaveBeenCalledTimes(2));
  expect(handedIn.mock.calls[1]?.[0]).not.toHaveProperty("script");
});

test("a model that answers no script says so, shows what it said, and queues nothing", async () => {
  const { host, box, person } = await studio();
  host.model.isChatty = true;
  await person.type(box, "walks");
  await person.click(screen.getByRole("button", { name: "Read with my model" }));
  expect(await screen.findByText(/did not return a usable script/)).toBeTruthy();
  await person.click(screen.getByText("Response"));
  expect(screen.getByText("What a lovely idea!")).toBeTruthy();
  expect(await host.jobs()).toEqual([]);
});

test("a model that hangs can be stopped, and typing goes on meanwhile", async () => {
  const { host, box, person } = await studio();
  host.model.hangs = true;
  await person.type(box, "walks");
  await person.click(screen.getByRole("button", { name: "Read with my model" }));
  await waitFor(() => expect(host.model.asked).toEqual(["walks"]));
  await person.type(box, " fast");
  expect(box.value).toBe("walks fast");
  await person.click(screen.getByRole("button", { name: "Stop" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Stop" })).toBeNull());
  expect(screen.queryByText(/has read it/)).toBeNull();
});
