import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { FakeHost } from "../host/fake";
import App from "./App.svelte";

beforeEach(() => {
  // happy-dom has no top layer
  HTMLDialogElement.prototype.showModal = function () {
    this.setAttribute("open", "");
  };
});

/** Opens the export dialog for two clips, with BVH selected as well. */
async function open() {
  const host = new FakeHost({ pace: 5, query: "?signedIn" });
  render(App, { host, start: { page: "library" } });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("checkbox", { name: /^Clip: Dances happily/ }));
  await user.click(screen.getByRole("checkbox", { name: /^Clip: Jumps twice/ }));
  await user.click(within(screen.getByRole("toolbar", { name: "Clips" })).getByRole("button", { name: "Export" }));
  const dialog = await screen.findByRole("dialog", { name: "Export" });
  await user.click(within(dialog).getByRole("checkbox", { name: /^Skeleton only/ }));
  const go = () => user.click(within(dialog).getByRole("button", { name: "Choose folder and export" }));
  return { host, user, dialog, go, inside: within(dialog) };
}

/** Makes the export stop at this file until the returned function is called. */
function pauseAtFile(host: FakeHost, file: number): () => void {
  let release = () => {};
  const wait = new Promise<void>((resolve) => (release = resolve));
  host.beforeExportedFile = (done) => (done === file ? wait : Promise.resolve());
  return release;
}

const namesIn = (list: HTMLElement) => within(list).getAllByRole("listitem").map((item) => item.textContent);

test("an export shows the current file, and only its button ends it", async () => {
  const { host, dialog, go, inside } = await open();
  const release = pauseAtFile(host, 2);
  await go();
  expect(await inside.findByText(/^3 of 4 · \w+/)).toBeTruthy();
  const bar = inside.getByRole("progressbar", { name: /^3 of 4 · \w+/ });
  expect(bar.getAttribute("aria-valuenow")).toBe("50");
  expect(inside.queryByRole("button", { name: "Close" })).toBeNull();
  expect(inside.queryByRole("button", { name: "Choose folder and export" })).toBeNull();
  await fireEvent.click(dialog);
  expect(await fireEvent.keyDown(document.body, { key: "Escape" })).toBe(false);
  expect(await fireEvent(dialog, new Event("cancel", { cancelable: true }))).toBe(false);
  expect(dialog.isConnected).toBe(true);
  release();
  expect(await inside.findByText("4 files were written to “Motions”.")).toBeTruthy();
  expect(inside.queryByRole("progressbar")).toBeNull();
  await fireEvent.click(inside.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("a cancelled export shows how many files were written, and can be restarted", async () => {
  const { host, user, go, inside } = await open();
  const release = pauseAtFile(host, 1);
  await go();
  await inside.findByText(/^2 of 4 · /);
  await user.click(inside.getByRole("button", { name: "Cancel" }));
  expect(inside.getByRole("button", { name: "Cancel" })).toHaveProperty("disabled", true);
  release();
  expect(await inside.findByText("Cancelled. 1 of 4 files was written to “Motions”.")).toBeTruthy();
  expect(namesIn(inside.getByRole("list", { name: "Files" }))).toHaveLength(1);
  expect(inside.getByRole("button", { name: "Show in folder" })).toBeTruthy();
  await go();
  expect(await inside.findByText("4 files were written to “Motions”.")).toBeTruthy();
});

test("on a full disk, shows what was written, what was not, and why", async () => {
  const { host, go, inside } = await open();
  host.maxFiles = 3;
  await go();
  expect(await inside.findByText(/^The disk is full, so Limber could not write the file/)).toBeTruthy();
  expect(inside.getByText("3 of 4 files were written to “Motions”.")).toBeTruthy();
  expect(namesIn(inside.getByRole("list", { name: "Files" }))).toHaveLength(3);
  expect(inside.getByText("1 file was not written:")).toBeTruthy();
  const missing = namesIn(inside.getByRole("list", { name: "Files that were not written" }));
  expect(missing).toEqual([expect.stringMatching(/bvh$/)]);
});

test("closing the dialog while a folder is being chosen cancels the export", async () => {
  const { host, go, inside } = await open();
  let begun = 0;
  host.exportClips = async () => {
    begun += 1;
    return new Promise(() => {});
  };
  let cancelled = 0;
  host.cancelExport = async () => void (cancelled += 1);
  await go();
  await waitFor(() => expect(begun).toBe(1));
  await fireEvent.click(inside.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(cancelled).toBe(1);
});
