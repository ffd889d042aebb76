import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { FakeHost } from "../host/fake";
import App from "./App.svelte";

async function open(start: { page: "library" } | { edit: number }) {
  const host = new FakeHost({ pace: 5, query: "?signedIn" });
  render(App, { host, start });
  const user = userEvent.setup();
  return { host, user };
}

const card = (words: RegExp) => screen.findByRole("article", { name: words });
const nameOf = async (host: FakeHost, id: string) => (await host.clips()).find((clip) => clip.id === id)?.name;

test("F2 renames the focused card, and its prompt stays visible", async () => {
  const { host, user } = await open({ page: "library" });
  const firstCard = await card(/^Clip: Dances happily/);
  const play = within(firstCard).getByRole("button", { name: "Play" });
  play.focus();
  await user.keyboard("{F2}");
  const field = await within(firstCard).findByRole("textbox", { name: "Name of the clip: Dances happily" });
  expect(document.activeElement).toBe(field);
  expect(field.getAttribute("dir")).toBe("auto");
  await user.keyboard("Party\u0007{Enter}");
  const named = await card(/^Clip: Party, variant 1/);
  expect(within(named).getByText("Dances happily")).toBeTruthy();
  expect(await nameOf(host, "job-3.1")).toBe("Party");
  expect(within(named).queryByRole("textbox")).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(within(named).getByRole("button", { name: "Play" })));
});

test("an empty name restores the prompt as title, and Escape keeps the name", async () => {
  const { host, user } = await open({ page: "library" });
  await host.renameClip("job-3.1", "Party");
  const named = await card(/^Clip: Party/);
  await user.click(within(named).getByRole("button", { name: "Rename" }));
  await user.keyboard("Nothing{Escape}");
  await waitFor(() => expect(within(named).queryByRole("textbox")).toBeNull());
  expect(await nameOf(host, "job-3.1")).toBe("Party");
  await user.click(within(named).getByRole("button", { name: "Rename" }));
  await user.clear(within(named).getByRole("textbox"));
  await user.keyboard("{Enter}");
  expect(await card(/^Clip: Dances happily/)).toBeTruthy();
  expect(await nameOf(host, "job-3.1")).toBeNull();
});

test("leaving the field saves the name, as does scrolling its card out of view", async () => {
  const { host, user } = await open({ page: "library" });
  const firstCard = await card(/^Clip: Dances happily/);
  await user.click(within(firstCard).getByRole("button", { name: "Rename" }));
  await user.keyboard("Party");
  await user.click(screen.getByLabelText("Search clips"));
  expect(await card(/^Clip: Party/)).toBeTruthy();
  const secondCard = await card(/^Clip: Jumps twice/);
  await user.click(within(secondCard).getByRole("button", { name: "Rename" }));
  await user.keyboard("Hopper");
  await fireEvent.input(screen.getByLabelText("Search clips"), { target: { value: "party" } });
  await waitFor(async () => expect(await nameOf(host, "job-1.1")).toBe("Hopper"));
  expect(await nameOf(host, "job-3.1")).toBe("Party");
});

test("shows why a name is refused and keeps the field open", async () => {
  const { host, user } = await open({ page: "library" });
  const firstCard = await card(/^Clip: Dances happily/);
  host.renameClip = async () => {
    throw new Error("no disk");
  };
  await user.click(within(firstCard).getByRole("button", { name: "Rename" }));
  await user.keyboard("Party{Enter}");
  expect((await within(firstCard).findByRole("alert")).textContent).not.toBe("");
  expect(within(firstCard).getByRole("textbox")).toHaveProperty("value", "Party");
});

test("the search finds names", async () => {
  const { host, user } = await open({ page: "library" });
  await card(/^Clip: Dances happily/);
  await host.renameClip("job-3.1", "مشهد ١");
  await user.type(screen.getByLabelText("Search clips"), "مشهد");
  await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(1));
  expect(await card(/^Clip: مشهد ١/)).toBeTruthy();
});

test("F2 renames in the editor, and results are named after the clip", async () => {
  const { host, user } = await open({ edit: 3 });
  await screen.findByRole("slider", { name: "Playhead" });
  await user.keyboard("{F2}");
  await user.keyboard("Party{Enter}");
  const editor = await screen.findByRole("article", { name: "Editing: Party" });
  expect(editor.querySelector("header")?.textContent).toContain("Dances happily");
  await user.click(screen.getByRole("radio", { name: "Trim" }));
  await user.click(screen.getByRole("button", { name: "Save as new clip" }));
  await waitFor(() => expect(host.edits).toMatchObject([{ name: "Party · trimmed" }]));
  await waitFor(async () => expect((await host.clips())[0]?.name).toBe("Party · trimmed"));
});

test("the editor lists ignored parts of the prompt, with the reasons on demand", async () => {
  const { user } = await open({ edit: 2 });
  const line = await screen.findByRole("button", { name: "Not used: “hat”." });
  expect(screen.queryByText(/does not know "hat"/)).toBeNull();
  await user.click(line);
  expect(screen.getByRole("group", { name: "What was not used" }).textContent).toContain('does not know "hat" yet');
  await user.keyboard("{Escape}");
  expect(screen.queryByText(/does not know "hat"/)).toBeNull();
  expect(screen.getByRole("article", { name: /^Editing: Sneaks/ })).toBeTruthy();
});
