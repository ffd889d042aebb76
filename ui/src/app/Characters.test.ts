import { render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { HostError, type Listener } from "../host";
import { FakeHost } from "../host/fake";
import App from "./App.svelte";
import { never } from "./patience";

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function () {
    this.setAttribute("open", "");
  };
});

async function open(query = "?signedIn") {
  const host = new FakeHost({ pace: 5, query });
  render(App, { host, start: { room: "characters" } });
  await screen.findByRole("article", { name: "Ada" });
  return { host, person: userEvent.setup() };
}

test("files that are chosen become characters, and a doubtful skeleton is offered for review", async () => {
  const { person } = await open();
  await person.click(screen.getByRole("button", { name: "Add characters" }));
  expect(await screen.findByRole("article", { name: "Upload: hero.fbx" })).toBeTruthy();
  const card = await screen.findByRole("article", { name: "hero" });
  await waitFor(() => expect(within(card).getByText("New")).toBeTruthy());
  expect(screen.queryByRole("article", { name: "Upload: hero.fbx" })).toBeNull();
  expect(await screen.findByText("hero was added. Some of its bones were guessed.")).toBeTruthy();
  await person.click(screen.getAllByRole("button", { name: "Review bones" })[0]!);
  expect(await screen.findByRole("dialog", { name: /^Bones of (hero|villain)/ })).toBeTruthy();
});

test("an upload is paused, goes on, and is cancelled", async () => {
  const { host, person } = await open();
  host.pace = never;
  await person.click(screen.getByRole("button", { name: "Add characters" }));
  await person.click(await screen.findByRole("button", { name: "Pause hero.fbx" }));
  const row = screen.getByRole("article", { name: "Upload: hero.fbx" });
  await waitFor(() => expect(row.textContent).toMatch(/Paused at .* of 24 MB/));
  await person.click(within(row).getByRole("button", { name: "Cancel hero.fbx" }));
  await waitFor(() => expect(screen.queryByRole("article", { name: "Upload: hero.fbx" })).toBeNull());
  expect((await host.uploads()).map(({ name }) => name)).not.toContain("hero.fbx");
});

test("how an upload ended is not overruled by an answer that was on its way before", async () => {
  const host = new FakeHost({ pace: 5, query: "?signedIn&full" });
  const uploads = await host.uploads();
  const refused = uploads.find(({ name }) => name === "chair.glb")!;
  const begun = { ...refused, state: { state: "sending", sent: 0, bytesPerSecond: 0 } } as const;
  const added = uploads.find(({ name }) => name === "pirate.glb")!;
  let listener: Listener | undefined;
  const listen = host.listen.bind(host);
  host.listen = (own) => listen((listener = own));
  host.uploads = async () => {
    listener?.upload(refused);
    listener?.upload({ ...added, state: { state: "done", characterId: "ada" } });
    return [begun, added];
  };
  render(App, { host, start: { room: "characters" } });
  const row = await screen.findByRole("article", { name: "Upload: chair.glb" });
  await screen.findByText(/^Ada was added/);
  expect(within(row).getByText(/ · failed/)).toBeTruthy();
  expect(screen.queryByRole("article", { name: "Upload: pirate.glb" })).toBeNull();
});

test("what a crash interrupted stands there paused and says why; resume brings it in", async () => {
  const { person } = await open("?signedIn&full");
  const row = await screen.findByRole("article", { name: "Upload: old-one.glb" });
  expect(within(row).getByRole("alert").textContent).toMatch(/not where it was/);
  expect(screen.getByRole("article", { name: "Upload: dragon-rider.fbx" }).textContent).toMatch(
    /61 MB of 184 MB · 8.4 MB\/s · 15 s left/,
  );
  const cut = screen.getByRole("article", { name: "Upload: pirate.glb" });
  expect(cut.textContent).toMatch(/31 MB of 96 MB · can’t reach the server; resumes automatically/);
  await person.click(within(row).getByRole("button", { name: "Resume old-one.glb" }));
  expect(await screen.findByRole("article", { name: "old-one" })).toBeTruthy();
});

test("files held over the window show where they can be let go, in any room", async () => {
  const { host, person } = await open();
  await person.click(screen.getByRole("button", { name: "Library" }));
  host.drag(true);
  expect(await screen.findByText("Drop FBX, GLB, glTF or VRM files to add them")).toBeTruthy();
  host.drag(false);
  await waitFor(() => expect(screen.queryByText(/^Drop FBX/)).toBeNull());
  host.cast.add(["dropped.vrm"]);
  await person.click(await screen.findByRole("button", { name: "Show uploads" }));
  expect(await screen.findByRole("heading", { name: "Characters" })).toBeTruthy();
});

test("an own character is renamed in place, and deleted after a question", async () => {
  const { person } = await open("?signedIn&full");
  await person.click(screen.getByRole("button", { name: "Rename Kora" }));
  const field = screen.getByRole("textbox", { name: "New name for Kora" });
  await person.clear(field);
  await person.keyboard("{Enter}");
  expect(await screen.findByText("Enter a name.")).toBeTruthy();
  await person.type(field, "Korinna{Enter}");
  expect(await screen.findByRole("article", { name: "Korinna" })).toBeTruthy();
  await person.click(screen.getByRole("button", { name: "Delete Korinna" }));
  const question = await screen.findByRole("dialog", { name: "Delete Korinna?" });
  expect(question.textContent).toMatch(/Clips and jobs made with it stay/);
  await person.click(within(question).getByRole("button", { name: "Delete character" }));
  await waitFor(() => expect(screen.queryByRole("article", { name: "Korinna" })).toBeNull());
  expect(screen.queryByRole("button", { name: "Delete Ada" })).toBeNull();
});

test("a character that cannot be deleted says why and stays", async () => {
  const { host, person } = await open("?signedIn&full");
  const refuse = new HostError({ code: "serviceUnreachable", message: "The studio does not answer.", detail: null });
  vi.spyOn(host, "deleteCharacter").mockRejectedValueOnce(refuse);
  await person.click(screen.getByRole("button", { name: "Delete Kora" }));
  await person.click(await screen.findByRole("button", { name: "Delete character" }));
  expect(await screen.findByText("The studio does not answer.")).toBeTruthy();
  await person.click(screen.getByRole("button", { name: "Cancel" }));
  expect(screen.getByRole("article", { name: "Kora" })).toBeTruthy();
});

async function review() {
  const opened = await open("?signedIn&full");
  await opened.person.click(screen.getByRole("button", { name: "Bones of Kora" }));
  const dialog = await screen.findByRole("dialog", { name: "Bones of Kora" });
  await within(dialog).findByText(/review the guessed bones/);
  return { ...opened, dialog };
}

test("the report tells names, pose, height and what to look at in words", async () => {
  const { dialog } = await review();
  const report = within(dialog).getByRole("region", { name: "Report" });
  expect(report.textContent).toMatch(/80 %.*Part names.*A-pose.*1.72 m.*not animated.*5 on each hand/s);
  expect(within(dialog).getByRole("region", { name: "Left arm" }).textContent).toMatch(/1 to review/);
  expect(within(dialog).getAllByText("guessed from the shape")).toHaveLength(4);
});

test("another joint is chosen by its letters, saved and tried", async () => {
  const { host, person, dialog } = await review();
  const joint = within(dialog).getByRole("combobox", { name: "Joint for Left lower arm" });
  await person.click(joint);
  await person.clear(joint);
  await person.type(joint, "prop{Enter}");
  expect(joint).toHaveProperty("value", "rig:Prop_R");
  expect(within(dialog).getByText("set by you")).toBeTruthy();
  await person.click(within(dialog).getByRole("button", { name: "Save and test" }));
  await waitFor(() => expect(host.cast.tested).toEqual(["kora"]));
  expect(host.cast.mapped.get("kora")).toEqual({ leftLowerArm: "rig:Prop_R" });
  await person.click(within(dialog).getByRole("button", { name: "Reset Left lower arm" }));
  await person.click(within(dialog).getByRole("button", { name: "Save bones" }));
  await waitFor(() => expect(host.cast.mapped.get("kora")).toEqual({}));
  expect(within(dialog).getByText("Saved.")).toBeTruthy();
});

test("a bone that a character can do without may be said to have no joint", async () => {
  const { host, person, dialog } = await review();
  const joint = within(dialog).getByRole("combobox", { name: "Joint for Left toes" });
  await person.click(joint);
  await person.click(within(dialog).getByRole("option", { name: "None" }));
  expect(joint).toHaveProperty("value", "");
  expect(within(dialog).getByText("none, set by you")).toBeTruthy();
  await person.click(within(dialog).getByRole("button", { name: "Save bones" }));
  await waitFor(() => expect(host.cast.mapped.get("kora")).toEqual({ leftToes: null }));
  expect(within(dialog).getByText("none, set by you")).toBeTruthy();
  await person.click(within(dialog).getByRole("button", { name: "Reset Left toes" }));
  await person.click(within(dialog).getByRole("button", { name: "Save bones" }));
  await waitFor(() => expect(host.cast.mapped.get("kora")).toEqual({}));
  await person.click(within(dialog).getByRole("combobox", { name: "Joint for Hips" }));
  expect(within(dialog).queryByRole("option", { name: "None" })).toBeNull();
});

test("two bones on one joint are not saved", async () => {
  const { person, dialog } = await review();
  const joint = within(dialog).getByRole("combobox", { name: "Joint for Spine" });
  joint.focus();
  await person.keyboard("{ArrowDown}{ArrowUp}{Enter}");
  expect(within(dialog).getByText(/Hips and spine use the same joint/)).toBeTruthy();
  expect(within(dialog).getByRole("button", { name: "Save bones" })).toHaveProperty("disabled", true);
  await person.click(within(dialog).getByRole("button", { name: "Reset all" }));
  expect(within(dialog).queryByText(/use the same joint/)).toBeNull();
});
