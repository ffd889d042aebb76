import { render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { FakeHost } from "../host/fake";
import App from "./App.svelte";

/**
 * Opens the third newest clip, which was made from the fifth, `job-4.1`, and used in the newest.
 */
async function open() {
  const host = new FakeHost({ pace: 5, query: "?signedIn" });
  render(App, { host, start: { edit: 2 } });
  await screen.findByRole("slider", { name: "Playhead" });
  return { host, user: userEvent.setup() };
}

const layer = (name: string) =>
  within(screen.getByRole("region", { name: "In the viewer" })).getByRole("button", { name });
const isShown = (name: string) => layer(name).getAttribute("aria-pressed") === "true";
const compare = () => screen.getByRole("combobox", { name: "Compare with…" }) as HTMLSelectElement;

test("showing a layer opens the viewer, also after it was closed", async () => {
  const { host, user } = await open();
  expect(["Mesh", "Bones", "Contacts", "Motion trails", "Ghosts", "Floor grid"].map(isShown)).toEqual([true, false, false, false, false, true]);
  await user.click(layer("Motion trails"));
  await waitFor(() => expect(isShown("Motion trails")).toBe(true));
  expect(host.played).toEqual([["job-2.1"]]);
  host.closeViewer();
  expect(isShown("Motion trails")).toBe(true);
  await user.click(layer("Mesh"));
  await waitFor(() => expect(isShown("Mesh")).toBe(false));
  expect(host.played).toHaveLength(2);
});

test("keys toggle layers, and changes in the viewer are reflected in the editor", async () => {
  const { host, user } = await open();
  await user.keyboard("b");
  await waitFor(() => expect(isShown("Bones")).toBe(true));
  await user.keyboard("{Shift>}O{/Shift}");
  await waitFor(() => expect(isShown("Ghosts")).toBe(true));
  await user.keyboard("b");
  await waitFor(() => expect(isShown("Bones")).toBe(false));
  await host.viewerShow("contacts", true);
  await waitFor(() => expect(isShown("Contacts")).toBe(true));
});

test("overlays another version, shows it side by side, and removes it", async () => {
  const { host, user } = await open();
  const words = [...compare().options].map((option) => option.textContent);
  expect(words).toEqual([
    "Compare with…",
    "Made from: Kicks with the left leg, then punches with the right hand",
    "A person walks forward, then waves with the right hand (joined)",
  ]);
  await user.selectOptions(compare(), "job-0.1");
  await waitFor(() => expect(isShown("A/B: overlaid")).toBe(true));
  expect(host.played).toEqual([["job-2.1", "job-0.1"]]);
  expect(compare().value).toBe("job-0.1");
  await user.click(layer("A/B: overlaid"));
  await waitFor(() => expect(isShown("A/B: overlaid")).toBe(false));
  await user.click(layer("A/B: overlaid"));
  await waitFor(() => expect(compare().value).toBe("job-0.1"));
  await user.selectOptions(compare(), "");
  await waitFor(() => expect(host.played.at(-1)).toEqual(["job-2.1"]));
  expect(isShown("A/B: overlaid")).toBe(false);
});

test("A compares with the source clip, N with the next one", async () => {
  const { host, user } = await open();
  await user.keyboard("a");
  await waitFor(() => expect(compare().value).toBe("job-4.1"));
  await user.keyboard("n");
  await waitFor(() => expect(compare().value).toBe("job-0.1"));
  expect(host.played).toEqual([["job-2.1", "job-4.1"], ["job-2.1", "job-0.1"]]);
});

test("compares with a clip that the viewer already shows without reopening it", async () => {
  const { host, user } = await open();
  await host.playClips(["job-2.1", "job-1.1", "job-0.1"]);
  await user.selectOptions(compare(), "job-0.1");
  await waitFor(() => expect(compare().value).toBe("job-0.1"));
  expect(host.played).toHaveLength(1);
});

test("the playhead follows the viewer backwards", async () => {
  const { host, user } = await open();
  await user.click(screen.getByRole("button", { name: "Open viewer" }));
  const backwards = vi.spyOn(host, "viewerPlayBackwards");
  await user.keyboard("{Home}j");
  const button = screen.getByRole("button", { name: "Play backwards" });
  await waitFor(() => expect(button.getAttribute("aria-pressed")).toBe("true"));
  expect(backwards).toHaveBeenCalledTimes(1);
  const playheadFrame = () => Number(screen.getByRole("slider", { name: "Playhead" }).getAttribute("aria-valuenow"));
  await waitFor(() => expect(playheadFrame()).toBeGreaterThan(100));
  const first = playheadFrame();
  await waitFor(() => expect(playheadFrame()).toBeLessThan(first));
  await user.keyboard(" ");
  await waitFor(() => expect(button.getAttribute("aria-pressed")).toBe("false"));
});

test("letters in the clip list select there, and do nothing else", async () => {
  const { host, user } = await open();
  compare().focus();
  await user.keyboard("bm");
  expect([isShown("Bones"), isShown("Motion trails"), host.played.length]).toEqual([false, false, 0]);
});

test("editor shortcuts work in the viewer window, which has the theme of the page", async () => {
  const { host, user } = await open();
  expect(host.viewerLight).toBe(false);
  await user.click(screen.getByRole("button", { name: "Open viewer" }));
  await host.viewerPlay(false);
  await host.viewerSeek(12);
  const begins = () => screen.getByRole("slider", { name: "Trim start" }).getAttribute("aria-valuenow");
  const press = (key: string, ctrlKey = false) => host.pressInViewer({ key, ctrlKey, shiftKey: false });
  await waitFor(() => expect(screen.getByRole("slider", { name: "Playhead" }).getAttribute("aria-valuenow")).toBe("12"));
  press("i");
  await waitFor(() => expect(begins()).toBe("12"));
  press("z", true);
  await waitFor(() => expect(begins()).toBe("0"));
  press("e", true);
  expect(await screen.findByRole("dialog")).toBeTruthy();
  press("i");
  expect(begins()).toBe("0");
});

test("the viewer plays only the trimmed part while the editor is open", async () => {
  const { host, user } = await open();
  const playhead = screen.getByRole("slider", { name: "Playhead" });
  const playheadFrame = () => Number(playhead.getAttribute("aria-valuenow"));
  const parts = vi.spyOn(host, "viewerRange");
  await user.keyboard("{Shift>}{ArrowRight}{/Shift}i{ArrowRight}{ArrowRight}{ArrowRight}o");
  expect(parts).not.toHaveBeenCalled();
  await user.click(screen.getByRole("button", { name: "Open viewer" }));
  await waitFor(() => expect(parts).toHaveBeenLastCalledWith({ start: 10, end: 14 }));
  await waitFor(() => expect(playheadFrame()).toBeGreaterThanOrEqual(10));
  const shown: number[] = [];
  const watcher = new MutationObserver(() => shown.push(playheadFrame()));
  watcher.observe(playhead, { attributes: true, attributeFilter: ["aria-valuenow"] });
  await waitFor(() => expect(shown.length).toBeGreaterThan(12));
  watcher.disconnect();
  expect([...new Set(shown)].sort()).toEqual([10, 11, 12, 13]);
  // outside the trim, where a paused viewer may stay
  await host.viewerPlay(false);
  await host.viewerSeek(40);
  await waitFor(() => expect(playheadFrame()).toBe(40));
  await user.keyboard("o ");
  await waitFor(() => expect(parts).toHaveBeenLastCalledWith({ start: 10, end: 41 }));
  await waitFor(() => expect(playheadFrame()).toBeLessThan(30));
  await user.keyboard("{Escape}");
  await waitFor(() => expect(parts).toHaveBeenLastCalledWith(null));
});

test("an open viewer reloads newer corrections and resumes where it was", async () => {
  const { host, user } = await open();
  await user.click(screen.getByRole("button", { name: "Open viewer" }));
  await waitFor(() => expect(screen.getByRole("button", { name: "In the viewer" })).toHaveProperty("disabled", true));
  await user.keyboard("k");
  await user.keyboard("{Shift>}{ArrowRight}{/Shift}");
  const playhead = () => Number(screen.getByRole("slider", { name: "Playhead" }).getAttribute("aria-valuenow"));
  const before = playhead();
  expect(before).toBeGreaterThan(9);
  await user.click(screen.getByRole("button", { name: "Add at the playhead" }));
  await user.click(await screen.findByRole("button", { name: "Update viewer" }));
  expect(host.played).toEqual([["job-2.1"], ["job-2.1"]]);
  await waitFor(() => expect(playhead()).toBe(before));
  expect(screen.getByRole("button", { name: "Play" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "In the viewer" })).toHaveProperty("disabled", true);
});

test("a viewer that opens after a change includes it", async () => {
  const { host, user } = await open();
  await user.click(screen.getByRole("button", { name: "Add at the playhead" }));
  await waitFor(() => expect(host.correctionStore.saved).toHaveLength(1));
  await user.click(screen.getByRole("button", { name: "Open viewer" }));
  await screen.findByRole("button", { name: "In the viewer" });
  expect(screen.queryByRole("button", { name: "Update viewer" })).toBeNull();
});
