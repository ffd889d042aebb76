import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { FakeHost } from "../host/fake";
import App from "./App.svelte";

async function open(start: { room: "library" } | { edit: number }) {
  const host = new FakeHost({ pace: 5, query: "?signedIn" });
  render(App, { host, start });
  const person = userEvent.setup();
  return { host, person };
}

const card = (words: RegExp) => screen.findByRole("article", { name: words });
const nameOf = async (host: FakeHost, id: string) => (await host.clips()).find((clip) => clip.id === id)?.name;

test("F2 renames the card that the focus is in, and its prompt stays readable", async () => {
  const { host, person } = await open({ room: "library" });
  const dances = await card(/^Clip: Dances happily/);
  const play = within(dances).getByRole("button", { name: "Play" });
  play.focus();
  await person.keyboard("{F2}");
  const field = await within(dances).findByRole("textbox", { name: "Name of the clip: Dances happily" });
  expect(document.activeElement).toBe(field);
  expect(field.getAttribute("dir")).toBe("auto");
  await person.keyboard("Party\u0007{Enter}");
  const named = await card(/^Clip: Party, variant 1/);
  expect(within(named).getByText("Dances happily")).toBeTruthy();
  expect(await nameOf(host, "job-3.1")).toBe("Party");
  expect(within(named).queryByRole("textbox")).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(within(named).getByRole("button", { name: "Play" })));
});

test("without a name a clip goes by its prompt again, and escape keeps the name", async () => {
  const { host, person } = await open({ room: "library" });
  await host.renameClip("job-3.1", "Party");
  const named = await card(/^Clip: Party/);
  await person.click(within(named).getByRole("button", { name: "Rename" }));
  await person.keyboard("Nothing{Escape}");
  await waitFor(() => expect(within(named).queryByRole("textbox")).toBeNull());
  expect(await nameOf(host, "job-3.1")).toBe("Party");
  await person.click(within(named).getByRole("button", { name: "Rename" }));
  await person.clear(within(named).getByRole("textbox"));
  await person.keyboard("{Enter}");
  expect(await card(/^Clip: Dances happily/)).toBeTruthy();
  expect(await nameOf(host, "job-3.1")).toBeNull();
});

test("leaving the field keeps what was written, and so does a card that goes out of sight", async () => {
  const { host, person } = await open({ room: "library" });
  const dances = await card(/^Clip: Dances happily/);
  await person.click(within(dances).getByRole("button", { name: "Rename" }));
  await person.keyboard("Party");
  await person.click(screen.getByLabelText("Search clips"));
  expect(await card(/^Clip: Party/)).toBeTruthy();
  const jumps = await card(/^Clip: Jumps twice/);
  await person.click(within(jumps).getByRole("button", { name: "Rename" }));
  await person.keyboard("Hopper");
  await fireEvent.input(screen.getByLabelText("Search clips"), { target: { value: "party" } });
  await waitFor(async () => expect(await nameOf(host, "job-1.1")).toBe("Hopper"));
  expect(await nameOf(host, "job-3.1")).toBe("Party");
});

test("a name that is refused is told, and the field stays", async () => {
  const { host, person } = await open({ room: "library" });
  const dances = await card(/^Clip: Dances happily/);
  host.renameClip = async () => {
    throw new Error("no disk");
  };
  await person.click(within(dances).getByRole("button", { name: "Rename" }));
  await person.keyboard("Party{Enter}");
  expect((await within(dances).findByRole("alert")).textContent).not.toBe("");
  expect(within(dances).getByRole("textbox")).toHaveProperty("value", "Party");
});

test("names are found by the search", async () => {
  const { host, person } = await open({ room: "library" });
  await card(/^Clip: Dances happily/);
  await host.renameClip("job-3.1", "مشهد ١");
  await person.type(screen.getByLabelText("Search clips"), "مشهد");
  await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(1));
  expect(await card(/^Clip: مشهد ١/)).toBeTruthy();
});

test("the editor renames by F2, and what is made there is named after it", async () => {
  const { host, person } = await open({ edit: 3 });
  await screen.findByRole("slider", { name: "Playhead" });
  await person.keyboard("{F2}");
  await person.keyboard("Party{Enter}");
  const editor = await screen.findByRole("article", { name: "Editing: Party" });
  expect(editor.querySelector("header")?.textContent).toContain("Dances happily");
  await person.click(screen.getByRole("radio", { name: "Trim" }));
  await person.click(screen.getByRole("button", { name: "Save as new clip" }));
  await waitFor(() => expect(host.edits).toMatchObject([{ name: "Party · trimmed" }]));
  await waitFor(async () => expect((await host.clips())[0]?.name).toBe("Party · trimmed"));
});

test("what was not used of a prompt stands in the editor, with the reasons on demand", async () => {
  const { person } = await open({ edit: 2 });
  const line = await screen.findByRole("button", { name: "Not used: “hat”." });
  expect(screen.queryByText(/does not know "hat"/)).toBeNull();
  await person.click(line);
  expect(screen.getByRole("group", { name: "What was not used" }).textContent).toContain('does not know "hat" yet');
  await person.keyboard("{Escape}");
  expect(screen.queryByText(/does not know "hat"/)).toBeNull();
  expect(screen.getByRole("article", { name: /^Editing: Sneaks/ })).toBeTruthy();
});
