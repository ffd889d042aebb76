import { render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { HostError } from "../host";
import { FakeHost } from "../host/fake";
import App from "./App.svelte";
import type { Room } from "./state.svelte";

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function () {
    this.setAttribute("open", "");
  };
});

async function open(room: Room, heading: string, query = "?signedIn&full") {
  const host = new FakeHost({ pace: 5, query });
  render(App, { host, start: { room } });
  await screen.findByRole("heading", { name: heading });
  return { host, person: userEvent.setup() };
}

test("a server is checked before it is connected to, each service in words", async () => {
  const { host, person } = await open("settings", "Settings");
  const connect = vi.spyOn(host, "workOnServer");
  await person.click(screen.getByRole("radio", { name: "Server" }));
  await person.type(screen.getByLabelText("Address of the identity service"), "https://id.studio.example");
  await person.type(screen.getByLabelText("Address of the motion service"), "https://nowhere.example");
  await person.type(screen.getByLabelText("Client ID"), "me");
  await person.type(screen.getByLabelText("Client secret"), "secret");
  await person.click(screen.getByRole("button", { name: "Check" }));
  const found = await screen.findByRole("status", { name: "Connection check" });
  expect(found.textContent).toMatch(/Identity service: found.*version 0.1.0.*Motion service: not found.*Check the address/s);
  expect(connect).not.toHaveBeenCalled();
  await person.type(screen.getByLabelText("Client ID"), "2");
  expect(screen.queryByRole("status", { name: "Connection check" })).toBeNull();
});

test("whether others may read along is asked where it may come up, and said of that server alone", async () => {
  const { host, person } = await open("settings", "Settings");
  const connect = vi.spyOn(host, "workOnServer");
  await person.click(screen.getByRole("radio", { name: "Server" }));
  await person.type(screen.getByLabelText("Address of the identity service"), "https://id.studio.example");
  await person.type(screen.getByLabelText("Client ID"), "me");
  await person.type(screen.getByLabelText("Client secret"), "secret");
  const question = "Allow unencrypted connections to this server";
  expect(screen.queryByRole("checkbox", { name: question })).toBeNull();
  await person.type(screen.getByLabelText("Address of the motion service"), "http://motion.studio.example");
  const box = screen.getByRole("checkbox", { name: question });
  expect(box).toHaveProperty("checked", false);
  await person.click(box);
  await person.click(screen.getByRole("button", { name: "Connect" }));
  await waitFor(() => expect(connect).toHaveBeenCalledOnce());
  expect(connect.mock.calls[0]?.[0]).toMatchObject({ allowUnencrypted: true });
});

test("storage is told, and the bin is emptied after a question", async () => {
  const { host, person } = await open("settings", "Settings");
  expect(await screen.findByText("5 clips · 6.3 MB")).toBeTruthy();
  expect(screen.getByText("3 clips · 3.8 MB")).toBeTruthy();
  expect(screen.getByText("84 GB")).toBeTruthy();
  await person.click(screen.getByRole("button", { name: "Empty trash" }));
  const question = await screen.findByRole("dialog", { name: "Empty the trash?" });
  await person.click(within(question).getByRole("button", { name: "Cancel" }));
  expect(await host.binnedClips()).toHaveLength(3);
  await person.click(screen.getByRole("button", { name: "Empty trash" }));
  await person.click(await screen.findByRole("button", { name: "Delete permanently" }));
  expect(await screen.findByText("empty")).toBeTruthy();
  expect(await host.binnedClips()).toHaveLength(0);
});

test("what the studio on this computer keeps for itself is told", async () => {
  await open("settings", "Settings");
  const words = () => screen.getByText("Studio copies").nextElementSibling?.textContent;
  await waitFor(() => expect(words()).toBe("50 MB"));
});

test("nothing is told of a studio on this computer where another one is in use", async () => {
  await open("settings", "Settings", "?signedIn&full&server");
  expect(await screen.findByText("5 clips · 6.3 MB")).toBeTruthy();
  expect(screen.queryByText("Studio copies")).toBeNull();
});

test("a file for those who help is saved", async () => {
  const { host, person } = await open("settings", "Settings");
  await person.click(screen.getByRole("button", { name: "Save diagnostics" }));
  expect(await screen.findByText("Saved as limber-diagnostics.zip.")).toBeTruthy();
  vi.spyOn(host, "saveDiagnostics").mockResolvedValueOnce(null);
  await person.click(screen.getByRole("button", { name: "Close this message" }));
  await person.click(screen.getByRole("button", { name: "Save diagnostics" }));
  await waitFor(() => expect(screen.queryByText(/^Saved as/)).toBeNull());
});

test("the recordings that gaits were fitted to are credited in the words that are asked for, beside the version", async () => {
  await open("settings", "Settings");
  const about = screen.getByRole("region", { name: "About Limber 0.1.0" });
  expect(about.textContent).toMatch(/obtained from mocap\.cs\.cmu\.edu\..*NSF EIA-0196217\./);
});

test("deleted clips are seen in the bin and come back", async () => {
  const { host, person } = await open("library", "Library");
  await person.click(screen.getByRole("button", { name: "Trash" }));
  const list = await screen.findByRole("list", { name: "Deleted clips" });
  await waitFor(() => expect(list.children).toHaveLength(3));
  await person.click(within(list).getAllByRole("button", { name: /^Restore / })[0]!);
  await waitFor(() => expect(list.children).toHaveLength(2));
  expect(await host.clips()).toHaveLength(6);
  await person.click(screen.getByRole("button", { name: "Restore all" }));
  expect(await screen.findByText("The trash is empty")).toBeTruthy();
  await person.click(screen.getByRole("button", { name: "Back to library" }));
  expect(await screen.findByText("8 clips")).toBeTruthy();
});

test("a bin that cannot be emptied says why and keeps everything", async () => {
  const { host, person } = await open("library", "Library");
  const refuse = new HostError({ code: "diskRefused", message: "The bin is in use by another program.", detail: null });
  vi.spyOn(host, "emptyBin").mockRejectedValueOnce(refuse);
  await person.click(screen.getByRole("button", { name: "Trash" }));
  await person.click(await screen.findByRole("button", { name: "Empty trash" }));
  await person.click(await screen.findByRole("button", { name: "Delete permanently" }));
  expect(await screen.findByText(/in use by another program/)).toBeTruthy();
  expect(screen.getByRole("dialog", { name: "Empty the trash?" })).toBeTruthy();
});
