import { fail } from "./fake-failure";
import type { ClipView, Correction, CorrectionLayer, MessageView } from "./host";

const maxLayers = 100;
const maxKeys = 500;
const maxNameLength = 120;
const maxOffsetM = 3;

/** Layers of corrections, kept in memory and validated as in the app. */
export class FakeCorrections {
  /** Everything that was saved, in order. */
  readonly saved: { id: string; layers: CorrectionLayer[] }[] = [];
  /** Joints that no character has. */
  readonly missing = new Set<string>();
  private readonly now = new Map<string, CorrectionLayer[]>();

  of({ id }: Pick<ClipView, "id">): CorrectionLayer[] {
    return structuredClone(this.now.get(id) ?? []);
  }

  /** Saves layers; returns messages about what the character cannot show. */
  save({ id, frames }: Pick<ClipView, "id" | "frames">, layers: CorrectionLayer[]): MessageView[] {
    // only plain data crosses to the app
    const copy = structuredClone(layers);
    const problem = problemOf(copy, frames);
    if (problem) fail("badInput", `The corrections do not fit this clip: ${problem}.`);
    this.saved.push({ id, layers: copy });
    this.now.set(id, copy);
    return this.missingJointMessages(copy);
  }

  private missingJointMessages(layers: CorrectionLayer[]): MessageView[] {
    const changes = layers.filter(({ muted }) => !muted).flatMap(({ keys }) => keys.map(({ what }) => what));
    const joints = new Set(changes.flatMap((what) => (what.kind === "rotate" ? [what.joint] : [])));
    return [...joints]
      .filter((joint) => this.missing.has(joint))
      .map((joint) => ({
        code: "corrected-joint-missing",
        arguments: { joint },
        text: `The character has no joint "${joint}", so its correction has no effect.`,
      }));
  }
}

function problemOf(layers: CorrectionLayer[], frames: number): string | null {
  const found = layers.reduce((sum, { keys }) => sum + keys.length, 0);
  if (layers.length > maxLayers) return `layers: ${layers.length} layers are more than ${maxLayers}`;
  if (found > maxKeys) return `layers: ${found} keys in all layers together are more than ${maxKeys}`;
  for (const [place, { name, keys }] of layers.entries()) {
    if ([...name].length > maxNameLength) return `layers[${place}].name: ${[...name].length} characters are more than ${maxNameLength}`;
    if (/\p{Cc}/u.test(name)) return `layers[${place}].name: a name is one line without control characters`;
    const numbersBySubject = new Map<string, number>();
    for (const [number, { frame, what, before, after }] of keys.entries()) {
      const at = `layers[${place}].keys[${number}]`;
      const subject = `${subjectOf(what)} at frame ${frame}`;
      const other = numbersBySubject.get(subject);
      if (other !== undefined) return `${at}: keys[${other}] of this layer also changes ${subject}; keep one of them`;
      numbersBySubject.set(subject, number);
      if (frame >= frames) return `${at}.frame: ${frame} is past the clip's last frame ${frames - 1}`;
      if (Math.max(before, after) > frames) return `${at}: the fade is longer than the clip, ${frames}`;
      if (!isPossible(what)) return `${at}.what: it is no rotation or offset`;
    }
  }
  return null;
}

function subjectOf(what: Correction): string {
  return what.kind === "rotate" ? what.joint : `pull ${what.limb}`;
}

function isPossible(what: Correction): boolean {
  if (what.kind === "pull") {
    return Object.values(what.offset).every((part) => Math.abs(part) <= maxOffsetM);
  }
  return Math.hypot(...Object.values(what.rotation)) > 1e-6;
}
