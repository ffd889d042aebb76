import { render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { HostError } from "../host";
import { FakeHost } from "../host/fake";
import App from "./App.svelte";
import type { PageId } from "./app-state.svelte";

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function () {
    this.setAttribute("open", "");
  };
});

async function open(page: PageId, heading: string, query = "?signedIn&full") {
  const host = new FakeHost({ pace: 5, query });
  render(App, { host, start: { page } });
  await screen.findByRole("heading", { name: heading });
  return { host, user: userEvent.setup() };
}

test("checks a server, each service separately, before connecting", async () => {
  const { host, user } = await open("settings", "Settings");
  const connect = vi.spyOn(host, "workOnServer");
  await user.click(screen.getByRole("radio", { name: "Server" }));
  await user.type(screen.getByLabelText("Address of the account service"), "https://id.studio.example");
  await user.type(screen.getByLabelText("Address of the motion service"), "https://nowhere.example");
  await user.type(screen.getByLabelText("Client ID"), "me");
  await user.type(screen.getByLabelText("Client secret"), "secret");
  await user.click(screen.getByRole("button", { name: "Check" }));
  const found = await screen.findByRole("status", { name: "Connection check" });
  expect(found.textContent).toMatch(/Account service: found.*version 0.1.0.*Motion service: not found.*Check the address/s);
  expect(connect).not.toHaveBeenCalled();
  await user.type(screen.getByLabelText("Client ID"), "2");
  expect(screen.queryByRole("status", { name: "Connection check" })).toBeNull();
});

test("asks about unencrypted connections only where they may occur, and only for that server", async () => {
  const { host, user } = await open("settings", "Settings");
  const connect = vi.spyOn(host, "workOnServer");
  await user.click(screen.getByRole("radio", { name: "Server" }));
  await user.type(screen.getByLabelText("Address of the account service"), "https://id.studio.example");
  await user.type(screen.getByLabelText("Client ID"), "me");
  await user.type(screen.getByLabelText("Client secret"), "secret");
  const confirmation = "Allow unencrypted connections to this server";
  expect(screen.queryByRole("checkbox", { name: confirmation })).toBeNull();
  await user.type(screen.getByLabelText("Address of the motion service"), "http://motion.studio.example");
  const box = screen.getByRole("checkbox", { name: confirmation });
  expect(box).toHaveProperty("checked", false);
  await user.click(box);
  await user.click(screen.getByRole("button", { name: "Connect" }));
  await waitFor(() => expect(connect).toHaveBeenCalledOnce());
  expect(connect.mock.calls[0]?.[0]).toMatchObject({ allowUnencrypted: true });
});

test("shows the storage, and empties the trash after confirmation", async () => {
  const { host, user } = await open("settings", "Settings");
  expect(await screen.findByText("5 clips · 6.3 MB")).toBeTruthy();
  expect(screen.getByText("3 clips · 3.8 MB")).toBeTruthy();
  expect(screen.getByText("84 GB")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Empty trash" }));
  const confirmation = await screen.findByRole("dialog", { name: "Empty the trash?" });
  await user.click(within(confirmation).getByRole("button", { name: "Cancel" }));
  expect(await host.binnedClips()).toHaveLength(3);
  await user.click(screen.getByRole("button", { name: "Empty trash" }));
  await user.click(await screen.findByRole("button", { name: "Delete permanently" }));
  expect(await screen.findByText("empty")).toBeTruthy();
  expect(await host.binnedClips()).toHaveLength(0);
});

test("shows how much space the local studio uses", async () => {
  await open("settings", "Settings");
  const words = () => screen.getByText("Studio copies").nextElementSibling?.textContent;
  await waitFor(() => expect(words()).toBe("50 MB"));
});

test("shows nothing about the local studio while another one is in use", async () => {
  await open("settings", "Settings", "?signedIn&full&server");
  expect(await screen.findByText("5 clips · 6.3 MB")).toBeTruthy();
  expect(screen.queryByText("Studio copies")).toBeNull();
});

test("saves a diagnostics file", async () => {
  const { host, user } = await open("settings", "Settings");
  await user.click(screen.getByRole("button", { name: "Save diagnostics" }));
  expect(await screen.findByText("Saved as limber-diagnostics.zip.")).toBeTruthy();
  vi.spyOn(host, "saveDiagnostics").mockResolvedValueOnce(null);
  await user.click(screen.getByRole("button", { name: "Close this message" }));
  await user.click(screen.getByRole("button", { name: "Save diagnostics" }));
  await waitFor(() => expect(screen.queryByText(/^Saved as/)).toBeNull());
});

test("shows the required credits of motion capture recordings next to the version", async () => {
  await open("settings", "Settings");
  const about = screen.getByRole("region", { name: "About Limber 0.1.0" });
  expect(about.textContent).toMatch(/obtained from mocap\.cs\.cmu\.edu\..*NSF EIA-0196217\./);
});

test("shows deleted clips in the trash and restores them", async () => {
  const { host, user } = await open("library", "Library");
  await user.click(screen.getByRole("button", { name: "Trash" }));
  const list = await screen.findByRole("list", { name: "Deleted clips" });
  await waitFor(() => expect(list.children).toHaveLength(3));
  await user.click(within(list).getAllByRole("button", { name: /^Restore / })[0]!);
  await waitFor(() => expect(list.children).toHaveLength(2));
  expect(await host.clips()).toHaveLength(6);
  await user.click(screen.getByRole("button", { name: "Restore all" }));
  expect(await screen.findByText("The trash is empty")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Back to library" }));
  expect(await screen.findByText("8 clips")).toBeTruthy();
});

test("shows why the trash cannot be emptied and keeps its contents", async () => {
  const { host, user } = await open("library", "Library");
  const refuse = new HostError({ code: "diskRefused", message: "The bin is in use by another program.", detail: null });
  vi.spyOn(host, "emptyBin").mockRejectedValueOnce(refuse);
  await user.click(screen.getByRole("button", { name: "Trash" }));
  await user.click(await screen.findByRole("button", { name: "Empty trash" }));
  await user.click(await screen.findByRole("button", { name: "Delete permanently" }));
  expect(await screen.findByText(/in use by another program/)).toBeTruthy();
  expect(screen.getByRole("dialog", { name: "Empty the trash?" })).toBeTruthy();
});
