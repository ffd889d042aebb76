import { render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { HostError, type Listener } from "../host";
import { FakeHost } from "../host/fake";
import App from "./App.svelte";
import { neverEndsMs } from "./test-timers";

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function () {
    this.setAttribute("open", "");
  };
});

async function open(query = "?signedIn") {
  const host = new FakeHost({ pace: 5, query });
  render(App, { host, start: { page: "characters" } });
  await screen.findByRole("article", { name: "Ada" });
  return { host, user: userEvent.setup() };
}

test("uploads become characters, and an uncertain skeleton is offered for review", async () => {
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: "Add characters" }));
  expect(await screen.findByRole("article", { name: "Upload: hero.fbx" })).toBeTruthy();
  const card = await screen.findByRole("article", { name: "hero" });
  await waitFor(() => expect(within(card).getByText("New")).toBeTruthy());
  expect(screen.queryByRole("article", { name: "Upload: hero.fbx" })).toBeNull();
  expect(await screen.findByText("hero was added. Some of its bones were guessed.")).toBeTruthy();
  await user.click(screen.getAllByRole("button", { name: "Review bones" })[0]!);
  expect(await screen.findByRole("dialog", { name: /^Bones of (hero|villain)/ })).toBeTruthy();
});

test("pauses, resumes and cancels an upload", async () => {
  const { host, user } = await open();
  host.pace = neverEndsMs;
  await user.click(screen.getByRole("button", { name: "Add characters" }));
  await user.click(await screen.findByRole("button", { name: "Pause hero.fbx" }));
  const row = screen.getByRole("article", { name: "Upload: hero.fbx" });
  await waitFor(() => expect(row.textContent).toMatch(/Paused at .* of 24 MB/));
  await user.click(within(row).getByRole("button", { name: "Cancel hero.fbx" }));
  await waitFor(() => expect(screen.queryByRole("article", { name: "Upload: hero.fbx" })).toBeNull());
  expect((await host.uploads()).map(({ name }) => name)).not.toContain("hero.fbx");
});

test("a late answer does not overwrite the final state of an upload", async () => {
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
  render(App, { host, start: { page: "characters" } });
  const row = await screen.findByRole("article", { name: "Upload: chair.glb" });
  await screen.findByText(/^Ada was added/);
  expect(within(row).getByText(/ · failed/)).toBeTruthy();
  expect(screen.queryByRole("article", { name: "Upload: pirate.glb" })).toBeNull();
});

test("shows an upload that a crash interrupted as paused with the reason, and resumes it", async () => {
  const { user } = await open("?signedIn&full");
  const row = await screen.findByRole("article", { name: "Upload: old-one.glb" });
  expect(within(row).getByRole("alert").textContent).toMatch(/not where it was/);
  expect(screen.getByRole("article", { name: "Upload: dragon-rider.fbx" }).textContent).toMatch(
    /61 MB of 184 MB · 8.4 MB\/s · 15 s left/,
  );
  const interrupted = screen.getByRole("article", { name: "Upload: pirate.glb" });
  expect(interrupted.textContent).toMatch(/31 MB of 96 MB · can’t reach the server; resumes automatically/);
  await user.click(within(row).getByRole("button", { name: "Resume old-one.glb" }));
  expect(await screen.findByRole("article", { name: "old-one" })).toBeTruthy();
});

test("shows the drop target on every page while files are dragged over the window", async () => {
  const { host, user } = await open();
  await user.click(screen.getByRole("button", { name: "Library" }));
  host.drag(true);
  expect(await screen.findByText("Drop FBX, GLB, glTF or VRM files to add them")).toBeTruthy();
  host.drag(false);
  await waitFor(() => expect(screen.queryByText(/^Drop FBX/)).toBeNull());
  host.fakeCharacters.add(["dropped.vrm"]);
  await user.click(await screen.findByRole("button", { name: "Show uploads" }));
  expect(await screen.findByRole("heading", { name: "Characters" })).toBeTruthy();
});

test("renames a character in place and deletes it after confirmation", async () => {
  const { user } = await open("?signedIn&full");
  await user.click(screen.getByRole("button", { name: "Rename Kora" }));
  const field = screen.getByRole("textbox", { name: "New name for Kora" });
  await user.clear(field);
  await user.keyboard("{Enter}");
  expect(await screen.findByText("Enter a name.")).toBeTruthy();
  await user.type(field, "Korinna{Enter}");
  expect(await screen.findByRole("article", { name: "Korinna" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Delete Korinna" }));
  const confirmation = await screen.findByRole("dialog", { name: "Delete Korinna?" });
  expect(confirmation.textContent).toMatch(/Clips and jobs made with it stay/);
  await user.click(within(confirmation).getByRole("button", { name: "Delete character" }));
  await waitFor(() => expect(screen.queryByRole("article", { name: "Korinna" })).toBeNull());
  expect(screen.queryByRole("button", { name: "Delete Ada" })).toBeNull();
});

test("keeps a character that cannot be deleted and shows why", async () => {
  const { host, user } = await open("?signedIn&full");
  const refuse = new HostError({ code: "serviceUnreachable", message: "The studio does not answer.", detail: null });
  vi.spyOn(host, "deleteCharacter").mockRejectedValueOnce(refuse);
  await user.click(screen.getByRole("button", { name: "Delete Kora" }));
  await user.click(await screen.findByRole("button", { name: "Delete character" }));
  expect(await screen.findByText("The studio does not answer.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(screen.getByRole("article", { name: "Kora" })).toBeTruthy();
});

async function review() {
  const opened = await open("?signedIn&full");
  await opened.user.click(screen.getByRole("button", { name: "Bones of Kora" }));
  const dialog = await screen.findByRole("dialog", { name: "Bones of Kora" });
  await within(dialog).findByText(/review the guessed bones/);
  return { ...opened, dialog };
}

test("the skeleton report shows names, pose, height and what to review", async () => {
  const { dialog } = await review();
  const report = within(dialog).getByRole("region", { name: "Report" });
  expect(report.textContent).toMatch(/80 %.*Part names.*A-pose.*1.72 m.*not animated.*5 on each hand/s);
  expect(within(dialog).getByRole("region", { name: "Left arm" }).textContent).toMatch(/1 to review/);
  expect(within(dialog).getAllByText("guessed from the shape")).toHaveLength(4);
});

test("selects another joint by typing, saves it and tests it", async () => {
  const { host, user, dialog } = await review();
  const joint = within(dialog).getByRole("combobox", { name: "Joint for Left lower arm" });
  await user.click(joint);
  await user.clear(joint);
  await user.type(joint, "prop{Enter}");
  expect(joint).toHaveProperty("value", "rig:Prop_R");
  expect(within(dialog).getByText("set by you")).toBeTruthy();
  await user.click(within(dialog).getByRole("button", { name: "Save and test" }));
  await waitFor(() => expect(host.fakeCharacters.tested).toEqual(["kora"]));
  expect(host.fakeCharacters.mapped.get("kora")).toEqual({ leftLowerArm: "rig:Prop_R" });
  await user.click(within(dialog).getByRole("button", { name: "Reset Left lower arm" }));
  await user.click(within(dialog).getByRole("button", { name: "Save bones" }));
  await waitFor(() => expect(host.fakeCharacters.mapped.get("kora")).toEqual({}));
  expect(within(dialog).getByText("Saved.")).toBeTruthy();
});

test("an optional bone can be mapped to no joint", async () => {
  const { host, user, dialog } = await review();
  const joint = within(dialog).getByRole("combobox", { name: "Joint for Left toes" });
  await user.click(joint);
  await user.click(within(dialog).getByRole("option", { name: "None" }));
  expect(joint).toHaveProperty("value", "");
  expect(within(dialog).getByText("none, set by you")).toBeTruthy();
  await user.click(within(dialog).getByRole("button", { name: "Save bones" }));
  await waitFor(() => expect(host.fakeCharacters.mapped.get("kora")).toEqual({ leftToes: null }));
  expect(within(dialog).getByText("none, set by you")).toBeTruthy();
  await user.click(within(dialog).getByRole("button", { name: "Reset Left toes" }));
  await user.click(within(dialog).getByRole("button", { name: "Save bones" }));
  await waitFor(() => expect(host.fakeCharacters.mapped.get("kora")).toEqual({}));
  await user.click(within(dialog).getByRole("combobox", { name: "Joint for Hips" }));
  expect(within(dialog).queryByRole("option", { name: "None" })).toBeNull();
});

test("does not save two bones on one joint", async () => {
  const { user, dialog } = await review();
  const joint = within(dialog).getByRole("combobox", { name: "Joint for Spine" });
  joint.focus();
  await user.keyboard("{ArrowDown}{ArrowUp}{Enter}");
  expect(within(dialog).getByText(/Hips and spine use the same joint/)).toBeTruthy();
  expect(within(dialog).getByRole("button", { name: "Save bones" })).toHaveProperty("disabled", true);
  await user.click(within(dialog).getByRole("button", { name: "Reset all" }));
  expect(within(dialog).queryByText(/use the same joint/)).toBeNull();
});
