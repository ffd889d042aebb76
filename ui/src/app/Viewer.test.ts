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
  return { host, person: userEvent.setup() };
}

const layer = (name: string) =>
  within(screen.getByRole("region", { name: "In the viewer" })).getByRole("button", { name });
const isShown = (name: string) => layer(name).getAttribute("aria-pressed") === "true";
const compare = () => screen.getByRole("combobox", { name: "Compare with…" }) as HTMLSelectElement;

test("a layer opens the viewer and shows itself, and is shown again after it was closed", async () => {
  const { host, person } = await open();
  expect(["Mesh", "Bones", "Contacts", "Motion trails", "Ghosts", "Floor"].map(isShown)).toEqual([true, false, false, false, false, true]);
  await person.click(layer("Motion trails"));
  await waitFor(() => expect(isShown("Motion trails")).toBe(true));
  expect(host.played).toEqual([["job-2.1"]]);
  host.closeViewer();
  expect(isShown("Motion trails")).toBe(true);
  await person.click(layer("Mesh"));
  await waitFor(() => expect(isShown("Mesh")).toBe(false));
  expect(host.played).toHaveLength(2);
});

test("keys show and hide layers, and what is done in the viewer is seen here", async () => {
  const { host, person } = await open();
  await person.keyboard("b");
  await waitFor(() => expect(isShown("Bones")).toBe(true));
  await person.keyboard("{Shift>}O{/Shift}");
  await waitFor(() => expect(isShown("Ghosts")).toBe(true));
  await person.keyboard("b");
  await waitFor(() => expect(isShown("Bones")).toBe(false));
  await host.viewerShow("contacts", true);
  await waitFor(() => expect(isShown("Contacts")).toBe(true));
});

test("another version lies over the clip, beside it, and goes away", async () => {
  const { host, person } = await open();
  const words = [...compare().options].map((option) => option.textContent);
  expect(words).toEqual([
    "Compare with…",
    "Made from: Kicks with the left leg, then punches with the right hand",
    "A person walks forward, then waves with the right hand (joined)",
  ]);
  await person.selectOptions(compare(), "job-0.1");
  await waitFor(() => expect(isShown("A/B: overlaid")).toBe(true));
  expect(host.played).toEqual([["job-2.1", "job-0.1"]]);
  expect(compare().value).toBe("job-0.1");
  await person.click(layer("A/B: overlaid"));
  await waitFor(() => expect(isShown("A/B: overlaid")).toBe(false));
  await person.click(layer("A/B: overlaid"));
  await waitFor(() => expect(compare().value).toBe("job-0.1"));
  await person.selectOptions(compare(), "");
  await waitFor(() => expect(host.played.at(-1)).toEqual(["job-2.1"]));
  expect(isShown("A/B: overlaid")).toBe(false);
});

test("A compares with what the clip was made from, N with the next", async () => {
  const { host, person } = await open();
  await person.keyboard("a");
  await waitFor(() => expect(compare().value).toBe("job-4.1"));
  await person.keyboard("n");
  await waitFor(() => expect(compare().value).toBe("job-0.1"));
  expect(host.played).toEqual([["job-2.1", "job-4.1"], ["job-2.1", "job-0.1"]]);
});

test("a clip among those in the viewer is compared without opening it anew", async () => {
  const { host, person } = await open();
  await host.playClips(["job-2.1", "job-1.1", "job-0.1"]);
  await person.selectOptions(compare(), "job-0.1");
  await waitFor(() => expect(compare().value).toBe("job-0.1"));
  expect(host.played).toHaveLength(1);
});

test("the viewer plays backwards, and the playhead follows it", async () => {
  const { host, person } = await open();
  await person.click(screen.getByRole("button", { name: "Open viewer" }));
  const backwards = vi.spyOn(host, "viewerPlayBackwards");
  await person.keyboard("{Home}j");
  const button = screen.getByRole("button", { name: "Play backwards" });
  await waitFor(() => expect(button.getAttribute("aria-pressed")).toBe("true"));
  expect(backwards).toHaveBeenCalledTimes(1);
  const stood = () => Number(screen.getByRole("slider", { name: "Playhead" }).getAttribute("aria-valuenow"));
  await waitFor(() => expect(stood()).toBeGreaterThan(100));
  const first = stood();
  await waitFor(() => expect(stood()).toBeLessThan(first));
  await person.keyboard(" ");
  await waitFor(() => expect(button.getAttribute("aria-pressed")).toBe("false"));
});

test("letters in the list of clips choose there, and do nothing else", async () => {
  const { host, person } = await open();
  compare().focus();
  await person.keyboard("bm");
  expect([isShown("Bones"), isShown("Motion trails"), host.played.length]).toEqual([false, false, 0]);
});

test("keys of the editor work in the viewer's window, and its look is the page's", async () => {
  const { host, person } = await open();
  expect(host.viewerLight).toBe(false);
  await person.click(screen.getByRole("button", { name: "Open viewer" }));
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

test("the viewer plays what is between the handles and nothing else, until the editor is left", async () => {
  const { host, person } = await open();
  const playhead = screen.getByRole("slider", { name: "Playhead" });
  const stood = () => Number(playhead.getAttribute("aria-valuenow"));
  const parts = vi.spyOn(host, "viewerRange");
  await person.keyboard("{Shift>}{ArrowRight}{/Shift}i{ArrowRight}{ArrowRight}{ArrowRight}o");
  expect(parts).not.toHaveBeenCalled();
  await person.click(screen.getByRole("button", { name: "Open viewer" }));
  await waitFor(() => expect(parts).toHaveBeenLastCalledWith({ start: 10, end: 14 }));
  await waitFor(() => expect(stood()).toBeGreaterThanOrEqual(10));
  const shown: number[] = [];
  const watcher = new MutationObserver(() => shown.push(stood()));
  watcher.observe(playhead, { attributes: true, attributeFilter: ["aria-valuenow"] });
  await waitFor(() => expect(shown.length).toBeGreaterThan(12));
  watcher.disconnect();
  expect([...new Set(shown)].sort()).toEqual([10, 11, 12, 13]);
  // outside the trim, where a paused viewer may stay
  await host.viewerPlay(false);
  await host.viewerSeek(40);
  await waitFor(() => expect(stood()).toBe(40));
  await person.keyboard("o ");
  await waitFor(() => expect(parts).toHaveBeenLastCalledWith({ start: 10, end: 41 }));
  await waitFor(() => expect(stood()).toBeLessThan(30));
  await person.keyboard("{Escape}");
  await waitFor(() => expect(parts).toHaveBeenLastCalledWith(null));
});

test("an open viewer is told to show newer corrections, and goes on from where it was", async () => {
  const { host, person } = await open();
  await person.click(screen.getByRole("button", { name: "Open viewer" }));
  await waitFor(() => expect(screen.getByRole("button", { name: "In the viewer" })).toHaveProperty("disabled", true));
  await person.keyboard("k");
  await person.keyboard("{Shift>}{ArrowRight}{/Shift}");
  const playhead = () => Number(screen.getByRole("slider", { name: "Playhead" }).getAttribute("aria-valuenow"));
  const before = playhead();
  expect(before).toBeGreaterThan(9);
  await person.click(screen.getByRole("button", { name: "Add at the playhead" }));
  await person.click(await screen.findByRole("button", { name: "Update viewer" }));
  expect(host.played).toEqual([["job-2.1"], ["job-2.1"]]);
  await waitFor(() => expect(playhead()).toBe(before));
  expect(screen.getByRole("button", { name: "Play" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "In the viewer" })).toHaveProperty("disabled", true);
});

test("a viewer that opens after a change has it already", async () => {
  const { host, person } = await open();
  await person.click(screen.getByRole("button", { name: "Add at the playhead" }));
  await waitFor(() => expect(host.corrected.kept).toHaveLength(1));
  await person.click(screen.getByRole("button", { name: "Open viewer" }));
  await screen.findByRole("button", { name: "In the viewer" });
  expect(screen.queryByRole("button", { name: "Update viewer" })).toBeNull();
});
