import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { FakeHost } from "../host/fake";
import App from "./App.svelte";

/** Opens the third newest clip in the editor: 150 frames at 30 fps. */
async function open() {
  const host = new FakeHost({ pace: 5, query: "?signedIn" });
  render(App, { host, start: { edit: 2 } });
  await screen.findByRole("slider", { name: "Playhead" });
  return { host, user: userEvent.setup() };
}

const editing = () => screen.getByRole("article", { name: /^Editing:/ });
const makeButton = (name: string) => screen.getByRole("button", { name });
/** Why the button is disabled. */
const reason = (button: HTMLElement) => document.getElementById(button.getAttribute("aria-describedby") ?? "")?.textContent;

/** Holds back the last step of jobs until the returned function is called. */
function holdSubmission(host: FakeHost): () => void {
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const edit = host.editClip.bind(host);
  host.editClip = async (...request) => {
    const clips = host.clipsOf;
    host.clipsOf = async (ids) => {
      await gate;
      return clips(ids);
    };
    return edit(...request);
  };
  return release;
}

test("Ctrl+Enter submits, and the result opens automatically", async () => {
  const { host, user } = await open();
  await user.click(screen.getByRole("radio", { name: "Trim" }));
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(host.edits).toHaveLength(1));
  const versions = () => screen.getByRole("region", { name: "Versions" });
  await waitFor(() => expect(within(versions()).getByRole("button", { current: true }).textContent).toMatch(/trimmed/));
  expect(document.activeElement).toBe(within(editing()).getByRole("heading", { level: 1 }));
});

test("does not open the result if the user started something else", async () => {
  const { host, user } = await open();
  const release = holdSubmission(host);
  await user.click(screen.getByRole("radio", { name: "Trim" }));
  await user.click(makeButton("Save as new clip"));
  await waitFor(() => expect(host.edits).toHaveLength(1));
  await user.click(screen.getByRole("radio", { name: "Refine" }));
  release();
  expect(await screen.findByRole("button", { name: "Open the result" })).toBeTruthy();
  expect(screen.getByRole("radio", { name: "Refine" })).toHaveProperty("checked", true);
});

test("arrow keys move the second clip of a join first, and undo restores the order", async () => {
  const { host, user } = await open();
  await user.click(screen.getByRole("radio", { name: "Join" }));
  await user.click(await screen.findByRole("radio", { name: /Dances happily/ }));
  const order = await screen.findByRole("list", { name: "Order of the clips" });
  const rows = () => within(order).getAllByRole("button").map((each) => each.getAttribute("aria-label"));
  expect(rows()[0]).toMatch(/^Sneaks forward, then runs: 1 of 2/);
  within(order).getAllByRole("button")[1]?.focus();
  await user.keyboard("{ArrowUp}");
  expect(rows()[0]).toMatch(/^Dances happily: 1 of 2/);
  await waitFor(() => expect(document.activeElement?.getAttribute("aria-label")).toMatch(/^Dances happily/));
  const result = () => screen.getByRole("img", { name: /^Result:/ }).getAttribute("aria-label");
  expect(result()).toBe("Result: Other clip, 180 frames; Bridge, 15 frames; This clip, 150 frames");
  await user.keyboard("{Control>}z{/Control}");
  expect(rows()[0]).toMatch(/^Sneaks forward/);
  await user.keyboard("{Control>}y{/Control}");
  await user.click(makeButton("Join"));
  await waitFor(() => expect(host.edits).toHaveLength(1));
  expect(host.edits[0]).toMatchObject({
    clip: { id: "job-3.1", trimLeft: 0, trimRight: 0 },
    change: { kind: "join", second: { id: "job-2.1", trimLeft: 0, trimRight: 0 } },
  });
});

test("reorders the parts of a join by dragging", async () => {
  const { user } = await open();
  await user.click(screen.getByRole("radio", { name: "Join" }));
  await user.click(await screen.findByRole("radio", { name: /Dances happily/ }));
  const order = await screen.findByRole("list", { name: "Order of the clips" });
  const handles = () => within(order).getAllByRole("button");
  const heights = () => [...order.children].forEach((row, at) => {
    row.getBoundingClientRect = () => ({ top: 40 * at, bottom: 40 * at + 40 }) as DOMRect;
  });
  heights();
  await fireEvent.pointerDown(handles()[0] as HTMLElement);
  await fireEvent.pointerMove(window, { clientY: 45 });
  expect(handles()[0]?.getAttribute("aria-label")).toMatch(/^Sneaks/);
  await fireEvent.pointerMove(window, { clientY: 70 });
  await waitFor(() => expect(handles()[0]?.getAttribute("aria-label")).toMatch(/^Dances/));
  heights();
  await fireEvent.pointerUp(window);
  await fireEvent.pointerMove(window, { clientY: 5 });
  expect(handles()[0]?.getAttribute("aria-label")).toMatch(/^Dances/);
});

test("reports a prompt without any action before submission", async () => {
  const { host, user } = await open();
  await user.click(screen.getByRole("radio", { name: "Refine" }));
  const words = screen.getByLabelText("Different prompt (optional)");
  await user.type(words, "a flurb");
  const make = makeButton("Refine");
  await waitFor(() => expect(make).toHaveProperty("disabled", true));
  expect(reason(make)).toBe("The prompt contains no action that Limber can perform.");
  await user.keyboard("{Control>}{Enter}{/Control}");
  await user.type(words, " walks");
  await waitFor(() => expect(make).toHaveProperty("disabled", false));
  expect(host.edits).toHaveLength(0);
});

test("reports intervals that are too short and results that are too long before submission", async () => {
  const { user } = await open();
  await user.keyboard("p{ArrowRight}{ArrowRight}p");
  await user.type(screen.getByLabelText("Prompt for interval 1"), "waves");
  const paint = makeButton("Regenerate");
  expect(reason(paint)).toBe("The interval is too short; mark at least 4 frames.");
  expect(paint).toHaveProperty("disabled", true);
  (document.activeElement as HTMLElement).blur();
  screen.getByRole("slider", { name: "End of interval 1" }).focus();
  await user.keyboard("{ArrowRight}");
  expect(reason(paint) ?? "").toBe("");
  expect(paint).toHaveProperty("disabled", false);
  await user.click(screen.getByRole("radio", { name: "Loop" }));
  await fireEvent.input(screen.getByRole("slider", { name: "Cycles" }), { target: { value: "20" } });
  expect(reason(makeButton("Create loop"))).toBe("The result would last 108.0 s; a clip lasts at most 60 s.");
});
