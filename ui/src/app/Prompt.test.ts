import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { tick } from "svelte";
import { expect, test, vi } from "vitest";
import { HostError } from "../host";
import { FakeHost } from "../host/fake";
import App from "./App.svelte";

async function open(query = "?signedIn", left?: FakeHost["desk"]) {
  const host = new FakeHost({ pace: 5, query });
  if (left) host.desk = left;
  render(App, { host });
  const box = (await screen.findByLabelText("What should the character do?")) as HTMLTextAreaElement;
  await screen.findByText("Ada", { selector: "label span" });
  await screen.findByRole("group", { name: "Add words" });
  return { host, box, person: userEvent.setup() };
}

function chips(steps: HTMLElement): string[] {
  const buttons = within(steps).getAllByRole("button", { name: /^Step \d:/ });
  return buttons.map((each) => (each.textContent ?? "").replaceAll(/\s+/g, " ").trim());
}

/** Types a sentence and waits until it is understood as this many steps. */
async function understoodAs(count: number, text: string) {
  const { box, person, ...rest } = await open();
  await fireEvent.input(box, { target: { value: text } });
  const steps = await screen.findByRole("list", { name: "Steps" });
  await waitFor(() => expect(chips(steps)).toHaveLength(count));
  const press = async (step: number, button: string, field?: string): Promise<void> => {
    await person.click(within(steps).getByRole("button", { name: new RegExp(`^Step ${step}:`) }));
    const panel = await within(steps).findByRole("group", { name: new RegExp(`^Change step ${step}:`) });
    const place = field ? within(panel).getByRole("group", { name: field }) : panel;
    await person.click(within(place).getByRole("button", { name: button }));
  };
  return { box, person, steps, press, ...rest };
}

test("a step is removed and another changed without touching the words, and exactly that is handed in", async () => {
  const { host, box, person, steps, press } = await understoodAs(3, "walks, then waves, then jumps");
  const handedIn = vi.spyOn(host, "submitPrompt");
  await press(2, "Remove this step");
  expect(chips(steps)).toEqual(["Step 1: walk “walks”", "Step 2: jump “jumps”"]);
  expect(document.activeElement).toBe(within(steps).getByRole("button", { name: /^Step 2:/ }));
  await press(2, "3 ×", "Count");
  await person.keyboard("{Escape}");
  await press(2, "bigger", "Size");
  expect(within(steps).getByRole("button", { name: "bigger", pressed: true })).toBeTruthy();
  await person.keyboard("{Escape}");
  expect(chips(steps)).toEqual(["Step 1: walk “walks”", "Step 2: jump · 3 × · bigger “jumps”"]);
  expect(box.value).toBe("walks, then waves, then jumps");
  await person.click(screen.getByRole("button", { name: "Generate" }));
  await waitFor(() => expect(handedIn).toHaveBeenCalledOnce());
  const [asked] = handedIn.mock.calls[0] ?? [];
  expect(asked?.prompt).toBe("walks, then waves, then jumps");
  expect(JSON.parse(asked?.script ?? "")).toEqual({
    version: 2,
    events: [{ do: "walk" }, { do: "jump", count: 3, size: 1.5 }],
  });
});

test("a step is changed by keys alone, and the last one cannot be removed", async () => {
  const { person, steps } = await understoodAs(1, "jumps");
  within(steps).getByRole("button", { name: /^Step 1:/ }).focus();
  await person.keyboard("{Enter}");
  const panel = await within(steps).findByRole("group", { name: "Change step 1: jump" });
  expect(within(panel).queryByRole("button", { name: "Remove this step" })).toBeNull();
  expect(document.activeElement).toBe(within(panel).getAllByRole("button", { name: "left" })[0]);
  await person.keyboard("{ArrowDown}{Enter}");
  expect(chips(steps)).toEqual(["Step 1: jump · right “jumps”"]);
  await person.keyboard("{Enter}{Escape}");
  expect(chips(steps)).toEqual(["Step 1: jump “jumps”"]);
  expect(document.activeElement).toBe(within(steps).getByRole("button", { name: /^Step 1:/ }));
});

test("other words drop what was changed and say so, and the words come back with it", async () => {
  const { host, box, person, steps, press } = await understoodAs(2, "walks, waves");
  await press(1, "Remove this step");
  expect(screen.getByText(/You edited the steps/)).toBeTruthy();
  const asked = vi.spyOn(host, "checkPrompt");
  await person.type(box, ", bows");
  expect(await screen.findByText(/your changes to the steps were discarded/)).toBeTruthy();
  await waitFor(() => expect(chips(steps)).toEqual(["Step 1: walk “walks”", "Step 2: wave “waves”", "Step 3: bow “bows”"]));
  expect(asked.mock.calls.every(([{ prompt, script }]) => prompt === "walks, waves" || !script)).toBe(true);
  await person.click(screen.getByRole("button", { name: "Restore prompt and changes" }));
  expect(box.value).toBe("walks, waves");
  await waitFor(() => expect(chips(steps)).toEqual(["Step 1: wave “waves”"]));
  await person.click(screen.getByRole("button", { name: "Undo changes" }));
  await waitFor(() => expect(chips(steps)).toEqual(["Step 1: walk “walks”", "Step 2: wave “waves”"]));
});

test("changed steps are there after a restart", async () => {
  const { host, press } = await understoodAs(2, "walks, waves");
  await press(1, "Remove this step");
  await waitFor(() => expect(host.desk.script).toContain("wave"));
  cleanup();
  await open("?signedIn", host.desk);
  const steps = await screen.findByRole("list", { name: "Steps" });
  await waitFor(() => expect(chips(steps)).toEqual(["Step 1: wave"]));
  expect(screen.getByText(/You edited the steps/)).toBeTruthy();
});

test("how the prompt is understood shows while it is written", async () => {
  const { box, person } = await open();
  await person.type(box, "walks, then waves");
  const steps = await screen.findByRole("list", { name: "Steps" });
  await waitFor(() => expect(chips(steps)).toEqual(["Step 1: walk “walks”", "Step 2: wave “waves”"]));
});

test("a word that is not known is underlined and replaced before anything is handed in", async () => {
  const { host, box, person } = await open();
  const handedIn = vi.spyOn(host, "submitPrompt");
  await person.type(box, "walks and glorps");
  const near = await screen.findByRole("group", { name: "Suggestions for glorps" });
  expect(document.querySelector("mark")?.textContent).toBe("glorps");
  expect(screen.getByText(/Not used: “glorps”/)).toBeTruthy();
  await person.click(within(near).getByRole("button", { name: "jump" }));
  expect(box.value).toBe("walks and jump");
  await waitFor(() => expect(document.querySelector("mark")).toBeNull());
  expect(handedIn).not.toHaveBeenCalled();
});

test("only the answer to the newest text counts", async () => {
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

test("chips write words where they belong, by keys alone", async () => {
  const { box, person } = await open();
  screen.getByRole("button", { name: "Action" }).focus();
  await person.keyboard("{Enter}");
  const search = await screen.findByRole("searchbox", { name: "Search actions" });
  expect(document.activeElement).toBe(search);
  await person.keyboard("wav{ArrowDown}{Enter}");
  expect(box.value).toBe("wave");
  await person.click(screen.getByRole("button", { name: "Side" }));
  await person.keyboard("{ArrowDown}{Enter}");
  await waitFor(() => expect(box.value).toBe("wave with the right hand"));
  expect(document.activeElement).toBe(box);
  await person.click(screen.getByRole("button", { name: "Count" }));
  await person.keyboard("{Escape}");
  expect(screen.queryByRole("group", { name: "Count" })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Count" }));
});

test("the price stands on the button, and what cannot be afforded is explained", async () => {
  const { box, person } = await open("?signedIn&credits=5");
  await person.type(box, "walks");
  expect(await screen.findByRole("button", { name: "Generate · 2 credits" })).toBeTruthy();
  expect(screen.getByText("You have 5 credits.")).toBeTruthy();
  await person.click(screen.getByRole("radio", { name: "4" }));
  const button = await screen.findByRole("button", { name: "Generate · 8 credits" });
  await waitFor(() => expect(button).toHaveProperty("disabled", true));
  expect(screen.getByText(/costs 8 credits, and you have 5 credits. Choose fewer variants/)).toBeTruthy();
});

test("what turns out dearer than was seen is not handed in before somebody agrees", async () => {
  const { host, box, person } = await open("?signedIn&credits=5");
  const newest = vi.spyOn(host, "checkPrompt");
  // the price arrives late
  newest.mockRejectedValueOnce(new Error("no answer"));
  // without pauses: a pause between two letters would trigger a check
  await fireEvent.input(box, { target: { value: "walks" } });
  await waitFor(() => expect(newest).toHaveBeenCalledTimes(1));
  await person.click(screen.getByRole("button", { name: "Generate" }));
  expect(await screen.findByText(/costs 2 credits\. Nothing was charged yet/)).toBeTruthy();
  expect(await host.jobs()).toHaveLength(0);
  await person.click(await screen.findByRole("button", { name: "Generate · 2 credits" }));
  await waitFor(async () => expect(await host.jobs()).toHaveLength(1));
});

test("text and options stay while rooms change", async () => {
  const { box, person } = await open();
  await person.type(box, "walks");
  await person.click(screen.getByRole("radio", { name: "6 s" }));
  await person.type(screen.getByPlaceholderText("Any"), "42");
  await person.click(screen.getByRole("button", { name: "Library" }));
  await person.click(screen.getByRole("button", { name: "Studio" }));
  expect(await screen.findByLabelText("What should the character do?")).toHaveProperty("value", "walks");
  expect(screen.getByRole("radio", { name: "6 s" })).toHaveProperty("checked", true);
  expect(screen.getByPlaceholderText("Any")).toHaveProperty("value", "42");
});

test("a sentence that was begun, who acts it and what was chosen for it are there after a restart", async () => {
  const { host, box, person } = await open();
  await person.type(box, "walks, th");
  await person.click(screen.getByRole("radio", { name: /Bruno/ }));
  await person.click(screen.getByRole("radio", { name: "6 s" }));
  await person.click(screen.getByRole("radio", { name: "4" }));
  await person.type(screen.getByPlaceholderText("Any"), "42");
  const begun = { text: "walks, th", characterId: "bruno", seconds: 6, variants: 4, seed: "42" };
  await waitFor(() => expect(host.desk).toEqual(begun));
  cleanup();
  const later = await open("?signedIn", host.desk);
  expect(later.box.value).toBe("walks, th");
  expect(screen.getByRole("radio", { name: /Bruno/ })).toHaveProperty("checked", true);
  expect(screen.getByRole("radio", { name: "6 s" })).toHaveProperty("checked", true);
  expect(screen.getByRole("radio", { name: "4" })).toHaveProperty("checked", true);
  expect(screen.getByPlaceholderText("Any")).toHaveProperty("value", "42");
  await later.person.clear(later.box);
  await later.person.type(later.box, "walks");
  await later.person.click(screen.getByRole("button", { name: "Generate" }));
  await waitFor(() => expect(later.host.desk).toEqual({ ...begun, text: "" }));
});

test("how a clip begins and ends is handed in where somebody chose it, and is there after a restart", async () => {
  const { host, box, person } = await open();
  const plain = vi.spyOn(host, "submitPrompt");
  await person.type(box, "walks");
  await person.click(screen.getByRole("button", { name: "Generate" }));
  await waitFor(() => expect(plain).toHaveBeenCalledOnce());
  for (const field of ["start", "end", "loops"]) expect(plain.mock.calls[0]?.[0]).not.toHaveProperty(field);
  const checked = vi.spyOn(host, "checkPrompt");
  await person.selectOptions(screen.getByLabelText("Start"), "Mid-action");
  await person.selectOptions(screen.getByLabelText("End"), "Hold the last pose");
  await person.type(box, "waves");
  const chosen = { start: "action", end: "hold" };
  await waitFor(() => expect(checked.mock.lastCall?.[0]).toMatchObject({ prompt: "waves", ...chosen }));
  await waitFor(() => expect(host.desk).toMatchObject({ text: "waves", ...chosen }));
  cleanup();
  await open("?signedIn", host.desk);
  expect(screen.getByLabelText("Start")).toHaveProperty("value", "action");
  expect(screen.getByLabelText("End")).toHaveProperty("value", "hold");
});

test("a loop neither begins nor ends, and comes back with what is used again", async () => {
  const { host, box, person } = await open();
  const handedIn = vi.spyOn(host, "submitPrompt");
  await person.type(box, "walks");
  await person.selectOptions(screen.getByLabelText("End"), "Standing");
  await person.click(screen.getByRole("checkbox", { name: "Loop" }));
  expect(screen.getByLabelText("Start")).toHaveProperty("disabled", true);
  expect(screen.getByLabelText("End")).toHaveProperty("disabled", true);
  await person.click(screen.getByRole("button", { name: "Generate" }));
  await waitFor(() => expect(handedIn).toHaveBeenCalledOnce());
  expect(handedIn.mock.lastCall?.[0]).toMatchObject({ prompt: "walks", loops: true });
  expect(handedIn.mock.lastCall?.[0]).not.toHaveProperty("end");
  await person.click(screen.getByRole("checkbox", { name: "Loop" }));
  expect(screen.getByLabelText("End")).toHaveProperty("value", "idle");
  await person.click(screen.getByRole("button", { name: /^Queue/ }));
  await person.click(await screen.findByRole("button", { name: "Reuse prompt" }));
  expect(await screen.findByRole("checkbox", { name: "Loop" })).toHaveProperty("checked", true);
});

test("a window that closes right after a letter keeps it, and who is gone falls back to who is there", async () => {
  const { host, box, person } = await open("?signedIn", {
    text: "wal",
    characterId: "gone",
    seconds: 0,
    variants: 1,
    seed: "",
  });
  expect(screen.getByRole("radio", { name: /Ada/ })).toHaveProperty("checked", true);
  const keep = vi.spyOn(host, "keepDesk");
  await person.type(box, "ks");
  window.dispatchEvent(new Event("pagehide"));
  await tick();
  expect(keep).toHaveBeenLastCalledWith(expect.objectContaining({ text: "walks" }));
});

test("a window that closes hears of it once everything is kept, and not before", async () => {
  const { host, box } = await open();
  let kept = (): void => undefined;
  const pending = new Promise<undefined>((resolve) => (kept = () => resolve(undefined)));
  vi.spyOn(host, "keepDesk").mockReturnValueOnce(pending);
  const told = vi.spyOn(host, "handedOver");
  await fireEvent.input(box, { target: { value: "walks" } });
  window.dispatchEvent(new Event("pagehide"));
  await new Promise((resolve) => setTimeout(resolve));
  expect(told).not.toHaveBeenCalled();
  kept();
  await waitFor(() => expect(told).toHaveBeenCalledOnce());
});

test("a disk that keeps nothing says so once", async () => {
  const { host, box, person } = await open();
  const full = new HostError({ code: "diskFull", message: "The disk is full. Make room and try again.", detail: null });
  const keep = vi.spyOn(host, "keepDesk").mockRejectedValue(full);
  await person.type(box, "walks");
  await waitFor(() => expect(keep.mock.calls.length).toBeGreaterThan(1));
  expect(await screen.findAllByText(/disk is full/)).toHaveLength(1);
});

test("earlier prompts and favourites are searched, starred and used by keys", async () => {
  const { host, box, person } = await open("?signedIn&full");
  await person.keyboard("{Control>}h{/Control}");
  const panel = await screen.findByRole("group", { name: "Prompt history and favourites" });
  expect(within(panel).getByRole("list", { name: "Favourites" }).children).toHaveLength(2);
  await person.click(within(panel).getByRole("button", { name: /^Favourite: Sneaks forward/ }));
  await waitFor(async () => expect((await host.favourites())[0]).toMatch(/^Sneaks/));
  await person.type(within(panel).getByRole("searchbox", { name: "Search prompts" }), "dances");
  await person.keyboard("{ArrowDown}{Enter}");
  expect(box.value).toBe("Dances happily");
  expect(screen.queryByRole("group", { name: "Prompt history and favourites" })).toBeNull();
  const star = screen.getByRole("button", { name: "Favourite" });
  expect(star.getAttribute("aria-pressed")).toBe("true");
  await person.click(star);
  await waitFor(() => expect(star.getAttribute("aria-pressed")).toBe("false"));
});

test("what cannot be had while writing leaves the rest alone", async () => {
  const host = new FakeHost({ pace: 5, query: "?signedIn" });
  const away = new HostError({ code: "serviceUnreachable", message: "The studio does not answer.", detail: null });
  vi.spyOn(host, "balance").mockRejectedValue(away);
  vi.spyOn(host, "checkPrompt").mockRejectedValue(away);
  render(App, { host });
  expect(await screen.findByRole("group", { name: "Add words" })).toBeTruthy();
  const person = userEvent.setup();
  await person.type(await screen.findByLabelText("What should the character do?"), "walks");
  await waitFor(() => expect(host.checkPrompt).toHaveBeenCalled());
  await person.click(screen.getByRole("button", { name: "Generate" }));
  expect(await screen.findByRole("article", { name: "Job: walks" })).toBeTruthy();
});
