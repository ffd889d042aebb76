import { fail } from "./fake-failure";
import type { ClipShown, Correction, CorrectionLayer, Told } from "./host";

const mostLayers = 100;
const mostKeys = 500;
const longestName = 120;
const longestOffsetM = 3;

/** Layers of corrections, kept in memory and validated as in the app. */
export class FakeCorrections {
  /** Everything that was saved, in order. */
  readonly kept: { id: string; layers: CorrectionLayer[] }[] = [];
  /** Joints that no character has. */
  readonly missing = new Set<string>();
  private readonly now = new Map<string, CorrectionLayer[]>();

  of({ id }: Pick<ClipShown, "id">): CorrectionLayer[] {
    return structuredClone(this.now.get(id) ?? []);
  }

  /** Saves layers; returns messages about what the character cannot show. */
  keep({ id, frames }: Pick<ClipShown, "id" | "frames">, layers: CorrectionLayer[]): Told[] {
    // only plain data crosses to the app
    const crossed = structuredClone(layers);
    const wrong = fault(crossed, frames);
    if (wrong) fail("badInput", `The corrections do not fit this clip: ${wrong}.`);
    this.kept.push({ id, layers: crossed });
    this.now.set(id, crossed);
    return this.lacking(crossed);
  }

  private lacking(layers: CorrectionLayer[]): Told[] {
    const whats = layers.filter(({ muted }) => !muted).flatMap(({ keys }) => keys.map(({ what }) => what));
    const joints = new Set(whats.flatMap((what) => (what.kind === "rotate" ? [what.joint] : [])));
    return [...joints]
      .filter((joint) => this.missing.has(joint))
      .map((joint) => ({
        code: "corrected-joint-missing",
        arguments: { joint },
        text: `The character has no joint "${joint}", so its correction has no effect.`,
      }));
  }
}

function fault(layers: CorrectionLayer[], frames: number): string | null {
  const found = layers.reduce((sum, { keys }) => sum + keys.length, 0);
  if (layers.length > mostLayers) return `layers: ${layers.length} layers are more than ${mostLayers}`;
  if (found > mostKeys) return `layers: ${found} keys in all layers together are more than ${mostKeys}`;
  for (const [place, { name, keys }] of layers.entries()) {
    if ([...name].length > longestName) return `layers[${place}].name: ${[...name].length} characters are more than ${longestName}`;
    if (/\p{Cc}/u.test(name)) return `layers[${place}].name: a name is one line without control characters`;
    const said = new Map<string, number>();
    for (const [number, { frame, what, before, after }] of keys.entries()) {
      const at = `layers[${place}].keys[${number}]`;
      const subject = `${subjectOf(what)} at frame ${frame}`;
      const other = said.get(subject);
      if (other !== undefined) return `${at}: keys[${other}] of this layer is about ${subject} too; keep one of them`;
      said.set(subject, number);
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
    return Object.values(what.offset).every((part) => Math.abs(part) <= longestOffsetM);
  }
  return Math.hypot(...Object.values(what.rotation)) > 1e-6;
}
