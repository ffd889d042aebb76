import { figure } from "./fake-examples";
import { fail, sentence } from "./fake-failure";
import { exampleRig } from "./fake-rig";
import type { CharacterView, RigView, UploadView, UploadState } from "./host";

type Tell = (upload: UploadView) => void;

const megabyte = 1_000_000;
const steps = 8;

/** The fake's characters and uploads. */
export class FakeCharacters {
  /** Assigned joints, for tests. */
  readonly mapped = new Map<string, Record<string, string | null>>();
  readonly tested: string[] = [];
  private list: CharacterView[] = [
    { id: "ada", name: "Ada", picture: figure("#ffb088"), own: false, rig: null },
    { id: "bruno", name: "Bruno", picture: figure("#8fb8ff"), own: false, rig: null },
  ];
  private files: UploadView[] = [];
  private readonly pace: () => number;
  private readonly tell: Tell;
  private count = 0;

  constructor(pace: () => number, tell: Tell) {
    this.pace = pace;
    this.tell = tell;
  }

  /** Fills the list as after weeks: the user's own character, and uploads in every state. */
  fill(): void {
    this.list.push({ id: "kora", name: "Kora", picture: figure("#9fd6a6"), own: true, rig: "mixamo" });
    const gone = {
      code: "notFound" as const,
      message: sentence("The file is not where it was. Put it back and resume, or cancel."),
      detail: null,
    };
    const refused = {
      code: "serviceRefused" as const,
      message: sentence("No human body was found in “chair.glb”: hips, spine and head are missing. Choose a file with a skeleton."),
      detail: null,
    };
    this.files = [
      upload("u-1", "dragon-rider.fbx", 184, { state: "sending", sent: 61 * megabyte, bytesPerSecond: 8.4 * megabyte }),
      upload("u-2", "mira.vrm", 42, { state: "paused", sent: 20 * megabyte, error: null }),
      upload("u-3", "old-one.glb", 12, { state: "paused", sent: 3 * megabyte, error: gone }),
      upload("u-6", "pirate.glb", 96, { state: "interrupted", sent: 31 * megabyte }),
      upload("u-4", "soldier.glb", 7.5, { state: "checking" }),
      upload("u-5", "chair.glb", 2.1, { state: "failed", error: refused }),
    ];
  }

  characters(): CharacterView[] {
    return [...this.list];
  }

  /** Oldest first. */
  uploads(): UploadView[] {
    return [...this.files].reverse();
  }

  /** Simulates files chosen in the dialog or dropped on the window. */
  add(names: string[]): UploadView[] {
    const added = names.map((name) => {
      this.count += 1;
      return upload(`upload-${this.count}`, name, 24, { state: "waiting" });
    });
    this.files = [...added, ...this.files];
    for (const each of added) {
      this.tell(each);
      void this.send(each.id);
    }
    return added;
  }

  pause(id: string): void {
    const { state } = this.fileOf(id);
    if (state.state === "sending" || state.state === "interrupted" || state.state === "waiting") {
      const sent = "sent" in state ? state.sent : 0;
      this.change(id, { state: "paused", sent, error: null });
    }
  }

  resume(id: string): void {
    const { state } = this.fileOf(id);
    if (state.state !== "paused") return;
    this.change(id, { state: "sending", sent: state.sent, bytesPerSecond: 8 * megabyte });
    void this.send(id);
  }

  dismiss(id: string): void {
    this.files = this.files.filter((each) => each.id !== id);
  }

  rename(id: string, name: string): void {
    if (name.trim() === "") fail("badInput", "Enter a name.");
    this.list = this.list.map((each) => (each.id === id ? { ...each, name } : each));
  }

  delete(id: string): void {
    this.list = this.list.filter((each) => each.id !== id);
  }

  rig(id: string): RigView {
    return exampleRig(this.mapped.get(id) ?? {});
  }

  map(id: string, joints: Record<string, string | null>): RigView {
    this.mapped.set(id, joints);
    return this.rig(id);
  }

  private async send(id: string): Promise<void> {
    for (let step = 1; step <= steps; step += 1) {
      await new Promise((resolve) => setTimeout(resolve, this.pace()));
      const file = this.files.find((each) => each.id === id);
      if (!file || (file.state.state !== "sending" && file.state.state !== "waiting")) return;
      const before = file.state.state === "sending" ? file.state.sent : 0;
      const sent = Math.min(before + file.bytes / steps, file.bytes);
      this.change(id, { state: "sending", sent, bytesPerSecond: 8 * megabyte });
      if (sent >= file.bytes) break;
    }
    this.change(id, { state: "checking" });
    await new Promise((resolve) => setTimeout(resolve, this.pace()));
    this.finish(id);
  }

  private finish(id: string): void {
    const { name } = this.fileOf(id);
    const characterId = `own-${id}`;
    const plain = name.replace(/\.\w+$/, "");
    this.list.push({ id: characterId, name: plain, picture: figure("#d0b3ff"), own: true, rig: "part names" });
    this.change(id, { state: "done", characterId });
  }

  private fileOf(id: string): UploadView {
    return this.files.find((each) => each.id === id) ?? fail("notFound", "This upload is no longer in the list.");
  }

  private change(id: string, state: UploadState): void {
    this.files = this.files.map((each) => (each.id === id ? { ...each, state } : each));
    const changed = this.files.find((each) => each.id === id);
    if (changed) this.tell(changed);
  }
}

function upload(id: string, name: string, megabytes: number, state: UploadState): UploadView {
  return { id, name, bytes: Math.round(megabytes * megabyte), state };
}
