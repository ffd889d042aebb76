import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { FakeHost } from "../host/fake";
import App from "./App.svelte";
import { onAnimationTick } from "../shared/animation-clock";
import StillPicture from "../shared/StillPicture.svelte";

beforeEach(() => {
  // happy-dom has no top layer
  HTMLDialogElement.prototype.showModal = function () {
    this.setAttribute("open", "");
  };
});

async function open(query = "?signedIn") {
  const host = new FakeHost({ pace: 5, query });
  render(App, { host, start: { page: "library" } });
  await screen.findByRole("list", { name: "Clips" });
  return { host, user: userEvent.setup() };
}

const cards = () => within(screen.getByRole("list", { name: "Clips" })).getAllByRole("article");

const labelOf = (card: HTMLElement) => card.getAttribute("aria-label") ?? "";

test("of ten thousand clips, only visible cards are in the DOM", async () => {
  await open("?signedIn&clips=10000");
  const list = screen.getByRole("list", { name: "Clips" });
  expect(list.querySelectorAll("*").length).toBeLessThanOrEqual(300);
  expect(Number.parseFloat(list.style.height)).toBeGreaterThan(500_000);
  expect(cards()[0]?.parentElement?.getAttribute("aria-setsize")).toBe("10000");
});

test("recycles card elements, but not their focus", async () => {
  const { host } = await open("?signedIn&clips=10000");
  const before = cards().map((card) => card.parentElement);
  const button = within(cards()[0] as HTMLElement).getByRole("button", { name: "Play" });
  button.focus();
  const search = screen.getByLabelText("Search clips");
  await fireEvent.input(search, { target: { value: "kicks" } });
  await waitFor(() => expect(cards().every((card) => /kicks/i.test(labelOf(card)))).toBe(true));
  expect(before).toEqual(expect.arrayContaining(cards().map((card) => card.parentElement)));
  expect(document.activeElement).not.toBe(button);
  await fireEvent.click(within(cards()[0] as HTMLElement).getByRole("button", { name: "Play" }));
  expect(labelOf(cards()[0] as HTMLElement)).toContain((await host.clips()).find((clip) => clip.id === host.played[0]?.[0])?.prompt);
});

test("requests pictures at once, and a damaged one does not break its card", async () => {
  await open();
  const card = cards()[0] as HTMLElement;
  const picture = () => card.querySelector("img");
  expect(picture()?.getAttribute("src")).toMatch(/^data:image/);
  await fireEvent.error(picture() as HTMLImageElement);
  expect(picture()).toBeNull();
  expect(within(card).getByRole("button", { name: "Play" })).toBeTruthy();
});

test("a recycled card requests its picture once scrolling pauses", async () => {
  const picture = (url: string) => ({ url, columns: 4, rows: 2, frames: 8, durationMs: 1000 });
  const { container, rerender } = render(StillPicture, { picture: picture("one.png"), cell: 0, label: "One" });
  const image = container.querySelector("img") as HTMLImageElement;
  await fireEvent.load(image);
  expect(image.className).not.toContain("coming");
  await rerender({ picture: picture("two.png") });
  expect(image.getAttribute("src")).toBe("one.png");
  expect(image.className).toContain("coming");
  await waitFor(() => expect(image.getAttribute("src")).toBe("two.png"));
});

test("Delete moves selected clips to the trash, and undo restores them", async () => {
  const { host, user } = await open();
  await user.click(screen.getByRole("checkbox", { name: /^Clip: Dances happily/ }));
  expect(screen.getByText("1 of 5 selected")).toBeTruthy();
  await user.keyboard("{Delete}");
  await waitFor(() => expect(cards()).toHaveLength(4));
  expect(await host.clips()).toHaveLength(4);
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(() => expect(cards()).toHaveLength(5));
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
});

test("drags a clip out as a file, together with all selected ones", async () => {
  const { host, user } = await open();
  const drag = (name: string) =>
    fireEvent.dragStart(within(cards()[0] as HTMLElement).getByTitle(name));
  await drag("Play, or drag it into another program");
  expect(host.dragged).toEqual({ ids: ["job-0.1"], format: "glb" });
  await user.keyboard("{Control>}a{/Control}");
  await fireEvent.dragStart(within(cards()[0] as HTMLElement).getByRole("button", { name: "Save as FBX" }));
  expect(host.dragged?.ids).toHaveLength(5);
  expect(host.dragged?.format).toBe("fbx");
});

test("ignores selected clips that the search hides", async () => {
  const { host, user } = await open();
  await user.keyboard("{Control>}a{/Control}");
  expect(screen.getByText("5 of 5 selected")).toBeTruthy();
  await user.type(screen.getByLabelText("Search clips"), "ada >4s");
  await user.click(screen.getByRole("button", { name: "Delete" }));
  await waitFor(async () => expect(await host.clips()).toHaveLength(4));
});

test("exports several clips for several programs, each with its own trim", async () => {
  const { host, user } = await open();
  const details = await host.clipDetails("job-3.1");
  const draft = { trimLeft: 5, trimRight: 10, painted: [], inPlace: false, loops: true, speed: 1 };
  await host.keepDraft("job-3.1", draft);
  expect(details.draft).toBeNull();
  await user.click(screen.getByRole("checkbox", { name: /^Clip: Dances happily/ }));
  await user.click(screen.getByRole("checkbox", { name: /^Clip: Jumps twice/ }));
  const bar = screen.getByRole("toolbar", { name: "Clips" });
  await user.click(within(bar).getByRole("button", { name: "Export" }));
  const dialog = await screen.findByRole("dialog", { name: "Export" });
  expect(within(dialog).getByText("2 clips, 1 of them trimmed")).toBeTruthy();
  await user.click(within(dialog).getByRole("checkbox", { name: /^Skeleton only/ }));
  await user.click(within(dialog).getByRole("radio", { name: "60" }));
  await user.click(within(dialog).getByRole("button", { name: /export/ }));
  expect(await within(dialog).findByText("4 files were written to “Motions”.")).toBeTruthy();
  expect(host.exports).toEqual([
    {
      clips: [
        { id: "job-1.1", trimLeft: 0, trimRight: 0 },
        { id: "job-3.1", trimLeft: 5, trimRight: 10 },
      ],
      presets: ["blender", "bvh"],
      inPlace: false,
      fps: 60,
    },
  ]);
  await user.click(within(dialog).getByRole("button", { name: "Show in folder" }));
  expect(await screen.findByText(/no folders to show/)).toBeTruthy();
});

test("cannot export without a target program", async () => {
  const { user } = await open();
  await user.click(within(cards()[0]!).getByRole("button", { name: "Export" }));
  const dialog = await screen.findByRole("dialog", { name: "Export" });
  await user.click(within(dialog).getByRole("checkbox", { name: /^Blender/ }));
  expect(within(dialog).getByText("Select at least one program.")).toBeTruthy();
  expect(within(dialog).getByRole("button", { name: /export/ })).toHaveProperty("disabled", true);
});

test("the library is unchanged after the editor closes", async () => {
  const { user } = await open();
  await user.type(screen.getByLabelText("Search clips"), "then");
  const edit = within(cards()[1]!).getByRole("button", { name: "Edit" });
  await user.click(edit);
  await screen.findByRole("slider", { name: "Playhead" });
  await user.keyboard("{Escape}");
  await waitFor(() => expect(document.activeElement).toBe(edit));
  expect(screen.getByLabelText("Search clips")).toHaveProperty("value", "then");
});

test("Ctrl+Z restores deleted clips", async () => {
  const { user } = await open();
  await user.keyboard("{Control>}a{/Control}{Delete}");
  expect(await screen.findByText("No clips yet")).toBeTruthy();
  await user.keyboard("{Control>}z{/Control}");
  expect(await screen.findByText("5 clips")).toBeTruthy();
});

test("plays selected clips side by side, up to the viewer's limit", async () => {
  const { host, user } = await open("?signedIn&clips=12");
  await user.click(screen.getAllByRole("checkbox", { name: /^Clip: Dances happily/ })[0]!);
  expect(screen.queryByRole("button", { name: "Play side by side" })).toBeNull();
  await user.click(screen.getAllByRole("checkbox", { name: /^Clip: Jumps twice/ })[0]!);
  await user.click(screen.getByRole("button", { name: "Play side by side" }));
  expect(host.played).toEqual([["job-1.1", "job-3.1"]]);
  await user.keyboard("{Control>}a{/Control}");
  expect(screen.queryByRole("button", { name: "Play side by side" })).toBeNull();
});

test("adds a tag to selected clips, filters by it, and removes it", async () => {
  const { host, user } = await open();
  await user.click(screen.getByRole("checkbox", { name: /^Clip: Dances happily/ }));
  await user.click(screen.getByRole("button", { name: "Tags" }));
  await user.type(screen.getByRole("textbox", { name: "New tag" }), "Dance");
  await user.click(screen.getByRole("button", { name: "Add" }));
  expect(await screen.findByRole("checkbox", { name: "Dance" })).toBeTruthy();
  await user.selectOptions(screen.getByRole("combobox", { name: "Show only clips with this tag" }), "Dance");
  await waitFor(() => expect(cards().map(labelOf)).toEqual(["Clip: Dances happily, variant 1"]));
  expect(within(cards()[0] as HTMLElement).getByText(/#Dance/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Tags" }));
  await user.click(screen.getByRole("checkbox", { name: "Dance" }));
  await waitFor(() => expect(cards().length).toBe(5));
  expect((await host.clips()).flatMap((clip) => clip.tags)).not.toContain("Dance");
});

test("filters clips by date, and can show all again if there are none", async () => {
  const { user } = await open();
  await user.selectOptions(screen.getByRole("combobox", { name: "Filter by date" }), "between");
  await fireEvent.input(await screen.findByLabelText("To"), { target: { value: "2020-01-01" } });
  expect(await screen.findByText("No clip matches these filters.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Show all" }));
  await waitFor(() => expect(cards().length).toBe(5));
});

test.each(["?clips=2", "?failed&clips=2"])("without a session, clips can be viewed, played and exported: %s", async (query) => {
  const host = new FakeHost({ pace: 5, query });
  render(App, { host });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Library · 2 clips" }));
  await user.click(within(cards()[0] as HTMLElement).getByRole("button", { name: "Play" }));
  await waitFor(() => expect(host.played.length).toBe(1));
  expect(screen.queryByRole("button", { name: "Edit" })).toBeNull();
  expect(screen.queryByRole("button", { name: /^Render/ })).toBeNull();
  await user.click(within(cards()[0] as HTMLElement).getByRole("button", { name: "Export" }));
  await user.click(await screen.findByRole("button", { name: "Choose folder and export" }));
  await waitFor(() => expect(host.exports.length).toBe(1));
  await user.click(await screen.findByRole("button", { name: "Close" }));
  await user.click(screen.getByRole("button", { name: "Back to sign-in" }));
  expect(await screen.findByRole("button", { name: "Library · 2 clips" })).toBeTruthy();
});

const spriteCellAt = (card: HTMLElement) => {
  const { left = "", top = "" } = card.querySelector("img")?.style ?? {};
  return `${left} ${top}`;
};

test("only the picture under the pointer or of the focused card plays", async () => {
  await open();
  const [first, second] = cards() as [HTMLElement, HTMLElement];
  const stage = first.querySelector('[role="presentation"]') as HTMLElement;
  const before = spriteCellAt(first);
  expect(spriteCellAt(second)).toBe(before);
  await fireEvent.pointerEnter(stage);
  await waitFor(() => expect(spriteCellAt(first)).not.toBe(before));
  expect(spriteCellAt(second)).toBe(before);
  await fireEvent.pointerLeave(stage);
  await waitFor(() => expect(spriteCellAt(first)).toBe(before));
  const button = within(second).getByRole("button", { name: "Export" });
  const byKeyboard = vi.spyOn(button, "matches").mockImplementation((selector) => selector === ":focus-visible");
  await fireEvent.focusIn(button);
  expect(byKeyboard).toHaveBeenCalledWith(":focus-visible");
  await waitFor(() => expect(spriteCellAt(second)).not.toBe(before));
  await fireEvent.focusOut(button);
  await waitFor(() => expect(spriteCellAt(second)).toBe(before));
});

test("no picture plays with reduced motion", async () => {
  const media = vi.spyOn(window, "matchMedia").mockImplementation(
    (query) => ({ matches: query.includes("reduce"), addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList,
  );
  await open();
  const [first] = cards() as [HTMLElement];
  const before = spriteCellAt(first);
  await fireEvent.pointerEnter(first.querySelector('[role="presentation"]') as HTMLElement);
  const tick = vi.fn();
  const leave = onAnimationTick(tick);
  await waitFor(() => expect(tick.mock.calls.length).toBeGreaterThan(2));
  leave();
  expect(spriteCellAt(first)).toBe(before);
  media.mockRestore();
});

test("the card lists ignored parts of the prompt, with the reasons on demand", async () => {
  await open();
  const [card, without] = ["Sneaks forward, then runs", "Dances happily"].map((prompt) =>
    screen.getByRole("article", { name: new RegExp(`^Clip: ${prompt}`) }),
  ) as [HTMLElement, HTMLElement];
  const line = within(card).getByText("Not used: “hat”.");
  expect(line.title).toBe('Limber does not know "hat" yet and left it out.');
  expect(within(without).queryByText(/^Not used/)).toBeNull();
});
