import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { tick } from "svelte";
import { expect, test, vi } from "vitest";
import { HostError } from "../host";
import { FakeHost } from "../host/fake";
import App from "./App.svelte";

async function open(query = "?signedIn", draft?: FakeHost["promptDraft"]) {
  const host = new FakeHost({ pace: 5, query });
  if (draft) host.promptDraft = draft;
  render(App, { host });
  const box = (await screen.findByLabelText("What should the character do?")) as HTMLTextAreaElement;
  await screen.findByText("Ada", { selector: "label span" });
  await screen.findByRole("group", { name: "Add words" });
  return { host, box, user: userEvent.setup() };
}

function chips(steps: HTMLElement): string[] {
  const buttons = within(steps).getAllByRole("button", { name: /^Step \d:/ });
  return buttons.map((each) => (each.textContent ?? "").replaceAll(/\s+/g, " ").trim());
}

/** Types a sentence and waits until it is understood as this many steps. */
async function typeAndGetSteps(count: number, text: string) {
  const { box, user, ...rest } = await open();
  await fireEvent.input(box, { target: { value: text } });
  const steps = await screen.findByRole("list", { name: "Steps" });
  await waitFor(() => expect(chips(steps)).toHaveLength(count));
  const press = async (step: number, button: string, field?: string): Promise<void> => {
    await user.click(within(steps).getByRole("button", { name: new RegExp(`^Step ${step}:`) }));
    const panel = await within(steps).findByRole("group", { name: new RegExp(`^Change step ${step}:`) });
    const place = field ? within(panel).getByRole("group", { name: field }) : panel;
    await user.click(within(place).getByRole("button", { name: button }));
  };
  return { box, user, steps, press, ...rest };
}

test("submits steps that were removed or changed without editing the text", async () => {
  const { host, box, user, steps, press } = await typeAndGetSteps(3, "walks, then waves, then jumps");
  const submit = vi.spyOn(host, "submitPrompt");
  await press(2, "Remove this step");
  expect(chips(steps)).toEqual(["Step 1: walk “walks”", "Step 2: jump “jumps”"]);
  expect(document.activeElement).toBe(within(steps).getByRole("button", { name: /^Step 2:/ }));
  await press(2, "3 ×", "Count");
  await user.keyboard("{Escape}");
  await press(2, "bigger", "Size");
  expect(within(steps).getByRole("button", { name: "bigger", pressed: true })).toBeTruthy();
  await user.keyboard("{Escape}");
  expect(chips(steps)).toEqual(["Step 1: walk “walks”", "Step 2: jump · 3 × · bigger “jumps”"]);
  expect(box.value).toBe("walks, then waves, then jumps");
  await user.click(screen.getByRole("button", { name: "Generate" }));
  await waitFor(() => expect(submit).toHaveBeenCalledOnce());
  const [asked] = submit.mock.calls[0] ?? [];
  expect(asked?.prompt).toBe("walks, then waves, then jumps");
  expect(JSON.parse(asked?.script ?? "")).toEqual({
    version: 2,
    events: [{ do: "walk" }, { do: "jump", count: 3, size: 1.5 }],
  });
});

test("changes a step by keyboard, and cannot remove the last one", async () => {
  const { user, steps } = await typeAndGetSteps(1, "jumps");
  within(steps).getByRole("button", { name: /^Step 1:/ }).focus();
  await user.keyboard("{Enter}");
  const panel = await within(steps).findByRole("group", { name: "Change step 1: jump" });
  expect(within(panel).queryByRole("button", { name: "Remove this step" })).toBeNull();
  expect(document.activeElement).toBe(within(panel).getAllByRole("button", { name: "left" })[0]);
  await user.keyboard("{ArrowDown}{Enter}");
  expect(chips(steps)).toEqual(["Step 1: jump · right “jumps”"]);
  await user.keyboard("{Enter}{Escape}");
  expect(chips(steps)).toEqual(["Step 1: jump “jumps”"]);
  expect(document.activeElement).toBe(within(steps).getByRole("button", { name: /^Step 1:/ }));
});

test("editing the text discards edited steps, with an offer to restore both", async () => {
  const { host, box, user, steps, press } = await typeAndGetSteps(2, "walks, waves");
  await press(1, "Remove this step");
  expect(screen.getByText(/You edited the steps/)).toBeTruthy();
  const asked = vi.spyOn(host, "checkPrompt");
  await user.type(box, ", bows");
  expect(await screen.findByText(/your changes to the steps were discarded/)).toBeTruthy();
  await waitFor(() => expect(chips(steps)).toEqual(["Step 1: walk “walks”", "Step 2: wave “waves”", "Step 3: bow “bows”"]));
  expect(asked.mock.calls.every(([{ prompt, script }]) => prompt === "walks, waves" || !script)).toBe(true);
  await user.click(screen.getByRole("button", { name: "Restore prompt and changes" }));
  expect(box.value).toBe("walks, waves");
  await waitFor(() => expect(chips(steps)).toEqual(["Step 1: wave “waves”"]));
  await user.click(screen.getByRole("button", { name: "Undo changes" }));
  await waitFor(() => expect(chips(steps)).toEqual(["Step 1: walk “walks”", "Step 2: wave “waves”"]));
});

test("restores edited steps after a restart", async () => {
  const { host, press } = await typeAndGetSteps(2, "walks, waves");
  await press(1, "Remove this step");
  await waitFor(() => expect(host.promptDraft.script).toContain("wave"));
  cleanup();
  await open("?signedIn", host.promptDraft);
  const steps = await screen.findByRole("list", { name: "Steps" });
  await waitFor(() => expect(chips(steps)).toEqual(["Step 1: wave"]));
  expect(screen.getByText(/You edited the steps/)).toBeTruthy();
});

test("shows how the prompt is understood while typing", async () => {
  const { box, user } = await open();
  await user.type(box, "walks, then waves");
  const steps = await screen.findByRole("list", { name: "Steps" });
  await waitFor(() => expect(chips(steps)).toEqual(["Step 1: walk “walks”", "Step 2: wave “waves”"]));
});

test("underlines unknown words and replaces them before submission", async () => {
  const { host, box, user } = await open();
  const submit = vi.spyOn(host, "submitPrompt");
  await user.type(box, "walks and glorps");
  const near = await screen.findByRole("group", { name: "Suggestions for glorps" });
  expect(document.querySelector("mark")?.textContent).toBe("glorps");
  expect(screen.getByText(/Not used: “glorps”/)).toBeTruthy();
  await user.click(within(near).getByRole("button", { name: "jump" }));
  expect(box.value).toBe("walks and jump");
  await waitFor(() => expect(document.querySelector("mark")).toBeNull());
  expect(submit).not.toHaveBeenCalled();
});

test("only the answer to the latest text counts", async () => {
  const { host, box } = await open();
  const check = host.checkPrompt;
  let late = (): void => undefined;
  const checks = vi.spyOn(host, "checkPrompt").mockImplementationOnce(async (request) => {
    await new Promise<void>((resolve) => (late = resolve));
    return check(request);
  });
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
});

test("chips insert words in the right place, by keyboard", async () => {
  const { box, user } = await open();
  screen.getByRole("button", { name: "Action" }).focus();
  await user.keyboard("{Enter}");
  const search = await screen.findByRole("searchbox", { name: "Search actions" });
  expect(document.activeElement).toBe(search);
  await user.keyboard("wav{ArrowDown}{Enter}");
  expect(box.value).toBe("wave");
  await user.click(screen.getByRole("button", { name: "Side" }));
  await user.keyboard("{ArrowDown}{Enter}");
  await waitFor(() => expect(box.value).toBe("wave with the right hand"));
  expect(document.activeElement).toBe(box);
  await user.click(screen.getByRole("button", { name: "Count" }));
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("group", { name: "Count" })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Count" }));
});

test("shows the price on the button, and explains insufficient credits", async () => {
  const { box, user } = await open("?signedIn&credits=5");
  await user.type(box, "walks");
  expect(await screen.findByRole("button", { name: "Generate · 2 credits" })).toBeTruthy();
  expect(screen.getByText("You have 5 credits.")).toBeTruthy();
  await user.click(screen.getByRole("radio", { name: "4" }));
  const button = await screen.findByRole("button", { name: "Generate · 8 credits" });
  await waitFor(() => expect(button).toHaveProperty("disabled", true));
  expect(screen.getByText(/costs 8 credits, but you have 5 credits. Choose fewer variants/)).toBeTruthy();
});

test("asks for agreement before submitting at a higher price", async () => {
  const { host, box, user } = await open("?signedIn&credits=5");
  const newest = vi.spyOn(host, "checkPrompt");
  // the price arrives late
  newest.mockRejectedValueOnce(new Error("no answer"));
  // without pauses: a pause between two letters would trigger a check
  await fireEvent.input(box, { target: { value: "walks" } });
  await waitFor(() => expect(newest).toHaveBeenCalledTimes(1));
  await user.click(screen.getByRole("button", { name: "Generate" }));
  expect(await screen.findByText(/costs 2 credits\. Nothing was charged yet/)).toBeTruthy();
  expect(await host.jobs()).toHaveLength(0);
  await user.click(await screen.findByRole("button", { name: "Generate · 2 credits" }));
  await waitFor(async () => expect(await host.jobs()).toHaveLength(1));
});

test("keeps text and options while other pages are open", async () => {
  const { box, user } = await open();
  await user.type(box, "walks");
  await user.click(screen.getByRole("radio", { name: "6 s" }));
  await user.type(screen.getByPlaceholderText("Any"), "42");
  await user.click(screen.getByRole("button", { name: "Library" }));
  await user.click(screen.getByRole("button", { name: "Studio" }));
  expect(await screen.findByLabelText("What should the character do?")).toHaveProperty("value", "walks");
  expect(screen.getByRole("radio", { name: "6 s" })).toHaveProperty("checked", true);
  expect(screen.getByPlaceholderText("Any")).toHaveProperty("value", "42");
});

test("restores the draft, its character and its options after a restart", async () => {
  const { host, box, user } = await open();
  await user.type(box, "walks, th");
  await user.click(screen.getByRole("radio", { name: /Bruno/ }));
  await user.click(screen.getByRole("radio", { name: "6 s" }));
  await user.click(screen.getByRole("radio", { name: "4" }));
  await user.type(screen.getByPlaceholderText("Any"), "42");
  const draft = { text: "walks, th", characterId: "bruno", seconds: 6, variants: 4, seed: "42" };
  await waitFor(() => expect(host.promptDraft).toEqual(draft));
  cleanup();
  const later = await open("?signedIn", host.promptDraft);
  expect(later.box.value).toBe("walks, th");
  expect(screen.getByRole("radio", { name: /Bruno/ })).toHaveProperty("checked", true);
  expect(screen.getByRole("radio", { name: "6 s" })).toHaveProperty("checked", true);
  expect(screen.getByRole("radio", { name: "4" })).toHaveProperty("checked", true);
  expect(screen.getByPlaceholderText("Any")).toHaveProperty("value", "42");
  await later.user.clear(later.box);
  await later.user.type(later.box, "walks");
  await later.user.click(screen.getByRole("button", { name: "Generate" }));
  await waitFor(() => expect(later.host.promptDraft).toEqual({ ...draft, text: "" }));
});

test("submits the chosen start and end, and restores them after a restart", async () => {
  const { host, box, user } = await open();
  const plain = vi.spyOn(host, "submitPrompt");
  await user.type(box, "walks");
  await user.click(screen.getByRole("button", { name: "Generate" }));
  await waitFor(() => expect(plain).toHaveBeenCalledOnce());
  for (const field of ["start", "end", "loops"]) expect(plain.mock.calls[0]?.[0]).not.toHaveProperty(field);
  const checked = vi.spyOn(host, "checkPrompt");
  await user.selectOptions(screen.getByLabelText("Start"), "Mid-action");
  await user.selectOptions(screen.getByLabelText("End"), "Hold the last pose");
  await user.type(box, "waves");
  const chosen = { start: "action", end: "hold" };
  await waitFor(() => expect(checked.mock.lastCall?.[0]).toMatchObject({ prompt: "waves", ...chosen }));
  await waitFor(() => expect(host.promptDraft).toMatchObject({ text: "waves", ...chosen }));
  cleanup();
  await open("?signedIn", host.promptDraft);
  expect(screen.getByLabelText("Start")).toHaveProperty("value", "action");
  expect(screen.getByLabelText("End")).toHaveProperty("value", "hold");
});

test("a loop has neither start nor end, and is restored on reuse", async () => {
  const { host, box, user } = await open();
  const submit = vi.spyOn(host, "submitPrompt");
  await user.type(box, "walks");
  await user.selectOptions(screen.getByLabelText("End"), "Standing");
  await user.click(screen.getByRole("checkbox", { name: "Loop" }));
  expect(screen.getByLabelText("Start")).toHaveProperty("disabled", true);
  expect(screen.getByLabelText("End")).toHaveProperty("disabled", true);
  await user.click(screen.getByRole("button", { name: "Generate" }));
  await waitFor(() => expect(submit).toHaveBeenCalledOnce());
  expect(submit.mock.lastCall?.[0]).toMatchObject({ prompt: "walks", loops: true });
  expect(submit.mock.lastCall?.[0]).not.toHaveProperty("end");
  await user.click(screen.getByRole("checkbox", { name: "Loop" }));
  expect(screen.getByLabelText("End")).toHaveProperty("value", "idle");
  await user.click(screen.getByRole("button", { name: /^Queue/ }));
  await user.click(await screen.findByRole("button", { name: "Reuse prompt" }));
  expect(await screen.findByRole("checkbox", { name: "Loop" })).toHaveProperty("checked", true);
});

test("saves right before the window closes, and replaces a missing character", async () => {
  const { host, box, user } = await open("?signedIn", {
    text: "wal",
    characterId: "gone",
    seconds: 0,
    variants: 1,
    seed: "",
  });
  expect(screen.getByRole("radio", { name: /Ada/ })).toHaveProperty("checked", true);
  const keepDesk = vi.spyOn(host, "keepDesk");
  await user.type(box, "ks");
  window.dispatchEvent(new Event("pagehide"));
  await tick();
  expect(keepDesk).toHaveBeenLastCalledWith(expect.objectContaining({ text: "walks" }));
});

test("the window is told that it can close only after everything is saved", async () => {
  const { host, box } = await open();
  let finishSave = (): void => undefined;
  const pending = new Promise<undefined>((resolve) => (finishSave = () => resolve(undefined)));
  vi.spyOn(host, "keepDesk").mockReturnValueOnce(pending);
  const handedOver = vi.spyOn(host, "handedOver");
  await fireEvent.input(box, { target: { value: "walks" } });
  window.dispatchEvent(new Event("pagehide"));
  await new Promise((resolve) => setTimeout(resolve));
  expect(handedOver).not.toHaveBeenCalled();
  finishSave();
  await waitFor(() => expect(handedOver).toHaveBeenCalledOnce());
});

test("reports a disk error once", async () => {
  const { host, box, user } = await open();
  const full = new HostError({ code: "diskFull", message: "The disk is full. Make room and try again.", detail: null });
  const keepDesk = vi.spyOn(host, "keepDesk").mockRejectedValue(full);
  await user.type(box, "walks");
  await waitFor(() => expect(keepDesk.mock.calls.length).toBeGreaterThan(1));
  expect(await screen.findAllByText(/disk is full/)).toHaveLength(1);
});

test("searches, stars and uses earlier prompts and favourites by keyboard", async () => {
  const { host, box, user } = await open("?signedIn&full");
  await user.keyboard("{Control>}h{/Control}");
  const panel = await screen.findByRole("group", { name: "Prompt history and favourites" });
  expect(within(panel).getByRole("list", { name: "Favourites" }).children).toHaveLength(2);
  await user.click(within(panel).getByRole("button", { name: /^Favourite: Sneaks forward/ }));
  await waitFor(async () => expect((await host.favourites())[0]).toMatch(/^Sneaks/));
  await user.type(within(panel).getByRole("searchbox", { name: "Search prompts" }), "dances");
  await user.keyboard("{ArrowDown}{Enter}");
  expect(box.value).toBe("Dances happily");
  expect(screen.queryByRole("group", { name: "Prompt history and favourites" })).toBeNull();
  const star = screen.getByRole("button", { name: "Favourite" });
  expect(star.getAttribute("aria-pressed")).toBe("true");
  await user.click(star);
  await waitFor(() => expect(star.getAttribute("aria-pressed")).toBe("false"));
});

test("a failed suggestion request does not affect the rest", async () => {
  const host = new FakeHost({ pace: 5, query: "?signedIn" });
  const unavailable = new HostError({ code: "serviceUnreachable", message: "The studio does not answer.", detail: null });
  vi.spyOn(host, "balance").mockRejectedValue(unavailable);
  vi.spyOn(host, "checkPrompt").mockRejectedValue(unavailable);
  render(App, { host });
  expect(await screen.findByRole("group", { name: "Add words" })).toBeTruthy();
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText("What should the character do?"), "walks");
  await waitFor(() => expect(host.checkPrompt).toHaveBeenCalled());
  await user.click(screen.getByRole("button", { name: "Generate" }));
  expect(await screen.findByRole("article", { name: "Job: walks" })).toBeTruthy();
});
