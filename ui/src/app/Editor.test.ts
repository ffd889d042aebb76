import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { HostError } from "../host";
import { FakeHost } from "../host/fake";
import App from "./App.svelte";
import { manualTimers } from "./test-timers";

afterEach(() => void vi.useRealTimers());

/**
 * Opens the third newest clip: 150 frames at 30 fps, made from the fifth and used in the newest.
 */
async function open(query = "?signedIn") {
  const host = new FakeHost({ pace: 5, query });
  render(App, { host, start: { edit: 2 } });
  await screen.findByRole("slider", { name: "Playhead" });
  return { host, user: userEvent.setup() };
}

const slider = (name: string) => screen.getByRole("slider", { name });
const value = (name: string) => Number(slider(name).getAttribute("aria-valuenow"));

test("a card opens the editor, and Escape returns to the page", async () => {
  const user = userEvent.setup();
  render(App, { host: new FakeHost({ pace: 5, query: "?signedIn" }), start: { page: "library" } });
  const card = await screen.findByRole("article", { name: /^Clip: Sneaks forward/ });
  await user.click(within(card).getByRole("button", { name: "Edit" }));
  expect(await screen.findByRole("article", { name: /^Editing: Sneaks forward/ })).toBeTruthy();
  await screen.findByRole("slider", { name: "Playhead" });
  await user.keyboard("{Escape}");
  expect(await screen.findByRole("heading", { name: "Library" })).toBeTruthy();
});

test("keys move the playhead, which announces seconds and frames", async () => {
  const { user } = await open();
  await user.keyboard("{Shift>}{ArrowRight}{ArrowRight}{ArrowRight}{/Shift}{ArrowRight}{ArrowLeft}");
  expect(slider("Playhead").getAttribute("aria-valuetext")).toBe("1.00 s · frame 30");
  await user.keyboard("{End}");
  expect(value("Playhead")).toBe(149);
});

test("loads a large image only where the playhead rests", async () => {
  const { host } = await open();
  const stills = vi.spyOn(host, "clipStill");
  const step = (shiftKey: boolean) => fireEvent.keyDown(document.body, { key: "ArrowRight", shiftKey });
  vi.useFakeTimers(manualTimers);
  for (let steps = 0; steps < 2; steps += 1) {
    await step(true);
    await vi.advanceTimersByTimeAsync(200);
  }
  expect(stills).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1000);
  expect(stills.mock.calls).toEqual([["job-2.1", 20]]);
  expect(document.querySelector(".square > img")).toBeTruthy();
  await step(false);
  expect(document.querySelector(".square > img")).toBeNull();
});

test("saves, undoes and restores a trim made by keys", async () => {
  const { host, user } = await open();
  await user.keyboard("{Shift>}{ArrowRight}{/Shift}i");
  expect(value("Trim start")).toBe(10);
  slider("Trim end").focus();
  await user.keyboard("{ArrowLeft}{Shift>}{ArrowLeft}{/Shift}");
  expect(value("Trim end")).toBe(138);
  await user.keyboard("{Control>}z{/Control}");
  expect(value("Trim end")).toBe(148);
  await user.keyboard("{Control>}y{/Control}");
  expect(value("Trim end")).toBe(138);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(host.drafts.get("job-2.1")).toMatchObject({ trimLeft: 10, trimRight: 11 }));
  const card = await screen.findByRole("article", { name: /^Clip: Sneaks forward/ });
  await user.click(within(card).getByRole("button", { name: "Edit" }));
  await screen.findByRole("slider", { name: "Playhead" });
  expect(value("Trim end")).toBe(138);
});

test("regenerates an interval with its prompt and opens the result", async () => {
  const { host, user } = await open();
  await user.keyboard("{Shift>}{ArrowRight}{/Shift}p{Shift>}{ArrowRight}{ArrowRight}{/Shift}p");
  expect(screen.getByRole("button", { name: "Regenerate" })).toHaveProperty("disabled", true);
  await user.type(screen.getByLabelText("Prompt for interval 1"), "waves, i p o");
  await user.click(screen.getByRole("button", { name: "Regenerate" }));
  expect(await screen.findByRole("article", { name: "Job: waves, i p o" })).toBeTruthy();
  expect(host.edits[0]).toEqual({
    clip: { id: "job-2.1", trimLeft: 0, trimRight: 0 },
    change: { kind: "paint", prompt: "waves, i p o", spans: [{ start: 10, end: 31 }] },
    variants: 1,
    inPlace: null,
  });
  expect(await screen.findByRole("article", { name: "Editing: waves, i p o" })).toBeTruthy();
  const versions = await screen.findByRole("region", { name: "Versions" });
  expect(within(versions).getByRole("button", { current: true }).textContent).toMatch(/regenerated/);
});

test("Delete removes the selected interval, and undo restores it", async () => {
  const { user } = await open();
  await user.keyboard("p{ArrowRight}p");
  expect(screen.getByLabelText("Prompt for interval 1")).toBeTruthy();
  await user.keyboard("{Delete}");
  expect(screen.queryByLabelText("Prompt for interval 1")).toBeNull();
  await user.keyboard("{Control>}z{/Control}");
  expect(screen.getByLabelText("Prompt for interval 1")).toBeTruthy();
});

test("previews and requests the bridge of a join", async () => {
  const { host, user } = await open();
  await user.click(screen.getByRole("radio", { name: "Join" }));
  expect(screen.getByText("Select a clip to join.")).toBeTruthy();
  await user.click(await screen.findByRole("radio", { name: /Dances happily/ }));
  await fireEvent.input(slider("Bridge"), { target: { value: "1" } });
  expect(screen.getByRole("img", { name: /^Result:/ }).getAttribute("aria-label")).toBe(
    "Result: This clip, 150 frames; Bridge, 30 frames; Second clip, 180 frames",
  );
  await user.click(screen.getByRole("button", { name: "Join" }));
  await waitFor(() => expect(host.edits).toHaveLength(1));
  expect(host.edits[0]?.change).toMatchObject({ kind: "join", second: { id: "job-3.1" }, bridgeSeconds: 1 });
});

test("previews and requests an overlap, limited by both clips", async () => {
  const { host, user } = await open();
  await user.click(screen.getByRole("radio", { name: "Join" }));
  await user.click(await screen.findByRole("radio", { name: /Dances happily/ }));
  await user.click(screen.getByRole("radio", { name: "Overlap" }));
  expect(screen.queryByRole("radiogroup", { name: "Number of variants" })).toBeNull();
  await fireEvent.input(slider("Overlap"), { target: { value: "30" } });
  expect(screen.getByRole("img", { name: /starts here and overlaps by 1\.0 s · 30 frames$/ })).toBeTruthy();
  expect(screen.getByRole("img", { name: /^Result:/ }).getAttribute("aria-label")).toBe(
    "Result: This clip, 120 frames; Overlap, 30 frames; Second clip, 150 frames",
  );
  slider("Trim end").focus();
  await user.keyboard("{Home}");
  expect(screen.getByText("The clips are too short for this overlap.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Join" })).toHaveProperty("disabled", true);
  await user.keyboard("{End}");
  await user.click(screen.getByRole("button", { name: "Join" }));
  await waitFor(() => expect(host.edits).toHaveLength(1));
  expect(host.edits[0]).toMatchObject({
    change: { kind: "overlap", second: { id: "job-3.1" }, overlapSeconds: 1 },
    variants: 1,
  });
});

test("the timeline counts at the chosen frame rate, and the clip keeps its own", async () => {
  const { host, user } = await open();
  const rate = screen.getByRole("combobox", { name: "Timeline frame rate" });
  expect((rate as HTMLSelectElement).selectedOptions[0]?.textContent).toBe("Clip: 30 fps");
  await user.keyboard("{Shift>}{ArrowRight}{/Shift}{ArrowRight}");
  await user.selectOptions(rate, "24");
  await waitFor(() => expect(slider("Playhead").getAttribute("aria-valuetext")).toBe("0.37 s · frame 9"));
  expect(screen.getByText("Result: 5.0 s · 120 frames")).toBeTruthy();
  expect(value("Playhead")).toBe(11);
  expect((await host.snapshot()).settings.timelineRate).toBe("24");
  await user.keyboard("{Escape}");
  const card = await screen.findByRole("article", { name: /^Clip: Sneaks forward/ });
  await user.click(within(card).getByRole("button", { name: "Edit" }));
  await waitFor(() => expect(screen.getByText("Result: 5.0 s · 120 frames")).toBeTruthy());
});

test("the playhead follows the viewer window until that is closed", async () => {
  const { host, user } = await open();
  await user.click(screen.getByRole("button", { name: "Open viewer" }));
  await waitFor(() => expect(value("Playhead")).toBeGreaterThan(2));
  await user.keyboard(" ");
  expect(await screen.findByRole("button", { name: "Play" })).toBeTruthy();
  const playheadFrame = value("Playhead");
  await user.keyboard("{ArrowRight}");
  expect(value("Playhead")).toBe(playheadFrame + 1);
  host.closeViewer();
  expect(await screen.findByRole("button", { name: "Open viewer" })).toBeTruthy();
  await user.keyboard(" ");
  await waitFor(() => expect(value("Playhead")).toBeGreaterThan(playheadFrame + 2));
});

test("versions link to the source of a clip", async () => {
  const { user } = await open();
  const versions = screen.getByRole("region", { name: "Versions" });
  await user.click(within(versions).getByRole("button", { name: /^from a prompt/ }));
  expect(await screen.findByRole("article", { name: /^Editing: Kicks/ })).toBeTruthy();
});

test("describes the quality", async () => {
  await open();
  const quality = screen.getByRole("list", { name: "Quality" });
  expect(quality.textContent).toMatch(/Feet: sliding at 0.8 cm\/s.*Floor: good/);
  // this clip was not meant to loop
  expect(quality.textContent).not.toContain("Loop");
});

test("sends speed and loop to the viewer, also after undo", async () => {
  const { host, user } = await open();
  const speeds = vi.spyOn(host, "viewerSpeed");
  await user.click(screen.getByRole("button", { name: "Open viewer" }));
  await waitFor(() => expect(speeds).toHaveBeenLastCalledWith(1));
  await fireEvent.input(slider("Speed"), { target: { value: "0.5" } });
  await waitFor(() => expect(speeds).toHaveBeenLastCalledWith(0.5));
  await user.keyboard("{Control>}z{/Control}");
  await waitFor(() => expect(speeds).toHaveBeenLastCalledWith(1));
});

test("retries or closes a clip whose details cannot be loaded", async () => {
  const host = new FakeHost({ pace: 5, query: "?signedIn" });
  const refuse = new HostError({ code: "diskRefused", message: "The clip cannot be read.", detail: null });
  vi.spyOn(host, "clipDetails").mockRejectedValueOnce(refuse);
  render(App, { host, start: { edit: 2 } });
  expect(await screen.findByRole("alert")).toHaveProperty(
    "textContent",
    expect.stringContaining("cannot be read"),
  );
  await userEvent.setup().click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("slider", { name: "Playhead" })).toBeTruthy();
});

test("shows why an edit was refused and keeps its settings", async () => {
  const { host, user } = await open();
  const refuse = new HostError({ code: "serviceRefused", message: "The studio is full.", detail: null });
  vi.spyOn(host, "editClip").mockRejectedValueOnce(refuse);
  await user.keyboard("p{ArrowRight}{ArrowRight}{ArrowRight}p");
  await user.type(screen.getByLabelText("Prompt for interval 1"), "bows");
  await user.click(screen.getByRole("button", { name: "Regenerate" }));
  expect(await screen.findByText("The studio is full.")).toBeTruthy();
  expect(screen.getByLabelText("Prompt for interval 1")).toHaveProperty("value", "bows");
});

test("shows the price of an edit on the button, and submits nothing that costs more", async () => {
  const { host, user } = await open("?signedIn&credits=5");
  await user.click(screen.getByRole("radio", { name: "Refine" }));
  expect(await screen.findByRole("button", { name: "Refine · 1.5 credits" })).toBeTruthy();
  vi.spyOn(host, "editPrice").mockResolvedValueOnce(0);
  await user.click(within(screen.getByRole("radiogroup", { name: "Number of variants" })).getByRole("radio", { name: "4" }));
  await user.click(await screen.findByRole("button", { name: "Refine" }));
  expect(await screen.findByText(/costs 6 credits\. Nothing was charged yet/)).toBeTruthy();
  expect(host.edits).toEqual([]);
  await user.click(await screen.findByRole("button", { name: "Refine · 6 credits" }));
  await waitFor(() => expect(host.edits).toHaveLength(1));
});

test("joins the second clip with its own trim, which can be changed", async () => {
  const { host, user } = await open();
  const begun = { trimLeft: 30, trimRight: 10, painted: [], inPlace: false, loops: true, speed: 1 };
  await host.keepDraft("job-3.1", begun);
  await user.click(screen.getByRole("radio", { name: "Join" }));
  await user.click(await screen.findByRole("radio", { name: /Dances happily/ }));
  expect((await screen.findByRole("slider", { name: "Starts at" })).getAttribute("aria-valuetext")).toBe(
    "1.00 s · frame 30",
  );
  await fireEvent.input(slider("Ends at"), { target: { value: "150" } });
  expect(screen.getByRole("img", { name: /^Result:/ }).getAttribute("aria-label")).toMatch(
    /Second clip, 120 frames$/,
  );
  await user.click(screen.getByRole("button", { name: "Join" }));
  await waitFor(() => expect(host.edits).toHaveLength(1));
  expect(host.edits[0]?.change).toMatchObject({ second: { id: "job-3.1", trimLeft: 30, trimRight: 30 } });
});

test("undoes, restores and shows the settings of a join", async () => {
  const { host, user } = await open();
  const isChosen = (name: string | RegExp) => (screen.getByRole("radio", { name }) as HTMLInputElement).checked;
  const sliderValue = (name: string) => (slider(name) as HTMLInputElement).value;
  const result = () => screen.getByRole("img", { name: /^Result:/ }).getAttribute("aria-label");
  const slide = async (name: string, ...values: string[]) => {
    for (const value of values) await fireEvent.input(slider(name), { target: { value } });
    await fireEvent.change(slider(name));
  };
  const undo = () => user.keyboard("{Control>}z{/Control}");
  const redo = () => user.keyboard("{Control>}{Shift>}z{/Shift}{/Control}");
  await host.keepDraft("job-3.1", { trimLeft: 30, trimRight: 0, painted: [], inPlace: false, loops: true, speed: 1 });
  await user.click(screen.getByRole("radio", { name: "Join" }));
  await user.click(await screen.findByRole("radio", { name: /Dances happily/ }));
  await screen.findByRole("slider", { name: "Starts at" });
  await slide("Starts at", "40", "50", "60");
  await slide("Bridge", "0.8", "1");
  await user.click(screen.getByRole("radio", { name: "Overlap" }));
  await slide("Overlap", "20", "30");
  const overlapping = "Result: This clip, 120 frames; Overlap, 30 frames; Second clip, 90 frames";
  expect(result()).toBe(overlapping);

  await user.click(screen.getByRole("radio", { name: "Loop" }));
  await undo();
  expect(sliderValue("Overlap")).toBe("15");
  await undo();
  expect(isChosen("Bridge")).toBe(true);
  expect(sliderValue("Bridge")).toBe("1");
  await undo();
  expect(sliderValue("Bridge")).toBe("0.5");
  await undo();
  expect(sliderValue("Starts at")).toBe("30");
  await undo();
  expect(isChosen(/Dances happily/)).toBe(false);
  expect(result()).toBe("Result: This clip, 150 frames");
  expect(screen.getByRole("button", { name: "Undo" })).toHaveProperty("disabled", true);

  for (let step = 0; step < 5; step += 1) await redo();
  expect(isChosen(/Dances happily/)).toBe(true);
  expect(isChosen("Overlap")).toBe(true);
  expect(result()).toBe(overlapping);
  expect(screen.getByRole("button", { name: "Redo" })).toHaveProperty("disabled", true);
  await user.click(screen.getByRole("button", { name: "Join" }));
  await waitFor(() => expect(host.edits).toHaveLength(1));
  expect(host.edits[0]?.change).toEqual({
    kind: "overlap",
    second: { id: "job-3.1", trimLeft: 60, trimRight: 0 },
    overlapSeconds: 1,
  });
});

test("redo restores a second clip that was removed while loading", async () => {
  const { host, user } = await open();
  const details = host.clipDetails;
  let late = (): void => undefined;
  vi.spyOn(host, "clipDetails").mockImplementationOnce(async (id) => {
    await new Promise<void>((resolve) => (late = resolve));
    return details(id);
  });
  await user.click(screen.getByRole("radio", { name: "Join" }));
  await user.click(await screen.findByRole("radio", { name: /Dances happily/ }));
  await screen.findByText("Reading the clip to join…");
  await user.keyboard("{Control>}z{/Control}");
  late();
  await screen.findByText("Select a clip to join.");
  await user.keyboard("{Control>}{Shift>}z{/Shift}{/Control}");
  expect(await screen.findByRole("slider", { name: "Starts at" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Join" })).toHaveProperty("disabled", false);
});

test("a loop can have a prompt for its bridge", async () => {
  const { host, user } = await open();
  await user.click(screen.getByRole("radio", { name: "Loop" }));
  await user.type(screen.getByLabelText("Prompt for the bridge (optional)"), "walks on");
  await user.click(screen.getByRole("button", { name: "Create loop" }));
  await waitFor(() => expect(host.edits[0]?.change).toMatchObject({ kind: "loop", prompt: "walks on" }));
});

test("saves a change right before the window closes", async () => {
  const { host, user } = await open();
  await user.keyboard("{ArrowRight}i{ArrowRight}i");
  window.dispatchEvent(new Event("pagehide"));
  expect(host.drafts.get("job-2.1")).toMatchObject({ trimLeft: 2 });
});

test("J plays backwards, K stops, and L plays; without them, L toggles the loop", async () => {
  const { user } = await open();
  // the clip would be over if this took long
  vi.useFakeTimers({ toFake: ["requestAnimationFrame", "cancelAnimationFrame", "performance"] });
  const loop = screen.getByRole("checkbox", { name: "Loop" });
  await user.keyboard("l");
  expect(loop).toHaveProperty("checked", false);
  await user.keyboard("j");
  expect(screen.getByRole("button", { name: "Play backwards" }).getAttribute("aria-pressed")).toBe("true");
  vi.advanceTimersByTime(1000);
  await waitFor(() => expect(value("Playhead")).toBeLessThan(148));
  await user.keyboard("k");
  expect(screen.getByRole("button", { name: "Play" })).toBeTruthy();
  await user.keyboard("l");
  expect(screen.getByRole("button", { name: "Pause" })).toBeTruthy();
  expect(loop).toHaveProperty("checked", false);
});

test("G shows all variants side by side in the viewer, then this one alone again", async () => {
  const { host, user } = await open();
  await user.click(screen.getByRole("radio", { name: "Refine" }));
  await user.click(screen.getByRole("radio", { name: "4" }));
  await user.click(screen.getByRole("button", { name: "Refine" }));
  await screen.findByRole("group", { name: "Variants of the same job" });
  await user.keyboard("g");
  await waitFor(() => expect(host.played.at(-1)).toHaveLength(4));
  await screen.findByRole("button", { name: "In the viewer" });
  await user.keyboard("g");
  await waitFor(() => expect(host.played.at(-1)).toHaveLength(1));
});

test("the page has one main landmark, with or without the editor", async () => {
  const { user } = await open();
  const mains = () => document.querySelectorAll("main, [role=main]");
  expect(mains()).toHaveLength(1);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("slider", { name: "Playhead" })).toBeNull());
  expect(mains()).toHaveLength(1);
});

test("the loop meter follows the handles and suggests a better end", async () => {
  const { user } = await open();
  const [meter] = screen.getAllByRole("group", { name: "Loop between the trim handles" });
  if (!meter) throw new Error("no meter");
  await waitFor(() => expect(meter.textContent).toMatch(/Pose: does not match · 14°.*Speed: does not match · 140 cm\/s/s));
  slider("Trim end").focus();
  await user.keyboard("{Shift>}{ArrowLeft}{/Shift}{ArrowLeft}{ArrowLeft}{ArrowLeft}{ArrowLeft}");
  await waitFor(() => expect(meter.textContent).toMatch(/Pose: matches · 1°.*Speed: matches · 9 cm\/s/s));
  await waitFor(() => expect(within(meter).getByRole("status").textContent).toMatch(/Pose: matches/));
  await user.keyboard("{Shift>}{ArrowRight}{/Shift}");
  await user.click(screen.getByRole("radio", { name: "Loop" }));
  await user.click(await screen.findByRole("button", { name: /^Better end/ }));
  expect(value("Trim end")).toBe(134);
  expect(await screen.findByRole("button", { name: "No better end nearby" })).toHaveProperty("disabled", true);
});

const fields: { action: string; field: string; steps: string }[] = [
  { action: "Regenerate part", field: "Prompt for interval 1", steps: "p{ArrowRight}p" },
  { action: "Join", field: "Prompt for the bridge (optional)", steps: "" },
  { action: "Loop", field: "Prompt for the bridge (optional)", steps: "" },
  { action: "Refine", field: "Different prompt (optional)", steps: "" },
];

test.each(fields)("underlines unknown words and replaces them before submission: $action", async ({ action, field, steps }) => {
  const { host, user } = await open();
  if (steps) await user.keyboard(steps);
  await user.click(screen.getByRole("radio", { name: action }));
  const box = screen.getByLabelText(field) as HTMLTextAreaElement;
  await user.type(box, "walks and glorps");
  const near = await screen.findByRole("group", { name: "Suggestions for glorps" });
  expect([...document.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual(["glorps"]);
  const status = document.getElementById(box.getAttribute("aria-describedby") ?? "");
  expect(status?.getAttribute("role")).toBe("status");
  expect(status?.textContent).toMatch(/Not used: “glorps”/);
  await user.tab();
  expect(document.activeElement).toBe(within(near).getByRole("button", { name: "wave" }));
  await user.keyboard("{Enter}");
  expect(box.value).toBe("walks and wave");
  expect(document.activeElement).toBe(box);
  await waitFor(() => expect(status?.textContent).toMatch(/^Understood as.*walk.*wave/));
  expect(document.querySelector("mark")).toBeNull();
  expect(host.edits).toEqual([]);
});

test("submits edited steps in the editor exactly as shown", async () => {
  const { host, user } = await open();
  await user.click(screen.getByRole("radio", { name: "Refine" }));
  const box = screen.getByLabelText("Different prompt (optional)") as HTMLTextAreaElement;
  await fireEvent.input(box, { target: { value: "walks, waves" } });
  for (const [step, button] of [[2, "2 ×"], [1, "Remove this step"]] as const) {
    await user.click(await screen.findByRole("button", { name: new RegExp(`^Step ${step}:`) }));
    const panel = await screen.findByRole("group", { name: new RegExp(`^Change step ${step}:`) });
    await user.click(within(panel).getByRole("button", { name: button }));
  }
  expect(box.value).toBe("walks, waves");
  await user.click(screen.getByRole("button", { name: /^Refine/ }));
  await waitFor(() => expect(host.edits).toHaveLength(1));
  expect(host.edits[0]?.change).toMatchObject({ kind: "refine", prompt: "walks, waves" });
  expect(JSON.parse(host.edits[0]?.script ?? "")).toEqual({ version: 2, events: [{ do: "wave", count: 2 }] });
});

test("in the editor, only the answer to the latest text counts", async () => {
  const { host, user } = await open();
  const check = host.checkPrompt;
  let late = (): void => undefined;
  const checks = vi.spyOn(host, "checkPrompt").mockImplementationOnce(async (request) => {
    await new Promise<void>((resolve) => (late = resolve));
    return check(request);
  });
  await user.click(screen.getByRole("radio", { name: "Refine" }));
  const box = screen.getByLabelText("Different prompt (optional)");
  // without pauses: a pause between two letters would trigger a check
  await fireEvent.input(box, { target: { value: "glorps" } });
  await waitFor(() => expect(checks).toHaveBeenCalledTimes(1));
  await fireEvent.input(box, { target: { value: "jumps" } });
  await waitFor(() => expect(checks).toHaveBeenCalledTimes(2));
  await screen.findByText("Understood as");
  late();
  await checks.mock.results[0]?.value;
  await new Promise((resolve) => setTimeout(resolve));
  expect(screen.queryByText(/glorps/)).toBeNull();
  expect(screen.getByText("Understood as")).toBeTruthy();
});

test("undo reverts a replaced word of an interval on its own", async () => {
  const { user } = await open();
  await user.keyboard("p{ArrowRight}p");
  await user.type(screen.getByLabelText("Prompt for interval 1"), "glorps");
  const near = await screen.findByRole("group", { name: "Suggestions for glorps" });
  await user.click(within(near).getByRole("button", { name: "jump" }));
  await user.keyboard(" high");
  const value = (): unknown => screen.getByLabelText("Prompt for interval 1");
  expect(value()).toHaveProperty("value", "jump high");
  for (const before of ["jump", "glorps", ""]) {
    await user.click(screen.getByRole("button", { name: "Undo" }));
    expect(value()).toHaveProperty("value", before);
  }
});

test("does not check the prompt of a bridge that is not used", async () => {
  const { host, user } = await open();
  const check = vi.spyOn(host, "checkPrompt");
  await user.click(screen.getByRole("radio", { name: "Join" }));
  // without pauses: a pause between two letters would trigger a check
  const box = screen.getByLabelText("Prompt for the bridge (optional)");
  await fireEvent.input(box, { target: { value: "glorps" } });
  await screen.findByRole("group", { name: "Suggestions for glorps" });
  await fireEvent.input(slider("Bridge"), { target: { value: "0" } });
  expect(screen.queryByRole("group", { name: "Suggestions for glorps" })).toBeNull();
  expect(document.querySelector("mark")).toBeNull();
  expect(check).toHaveBeenCalledTimes(1);
});
