import type { Correction } from "../../../host";
import { isCorrectable, isLimb, type Bone } from "../joints";
import type { CurveKind } from "../timeline/curve";
import type { JointCurves } from "../viewport/curves";
import type { Layers } from "./layers";
import type { HandleTool, HeldJoint } from "../viewport/joint-handle";

/** The joint that somebody works on: in the viewport, in the panel and in the curves. */
export class ChosenJoint {
  bone = $state<Bone | null>(null);
  /** What a drag in the viewport has changed so far. */
  dragged = $state.raw<Correction | null>(null);
  /** How it moves; null while that is not known. */
  curves = $state.raw<JointCurves | null>(null);
  /** The corrections that it moves with there. */
  curvesHave = $state.raw<Layers>([]);
  /** What of them is drawn. */
  curveKind = $state<CurveKind>("rotation");
  /** What is done to hands and feet; all other joints are rotated. */
  private limbTool = $state<HandleTool>("pull");

  readonly tool = $derived<HandleTool>(this.bone && isLimb(this.bone) ? this.limbTool : "rotate");
  readonly held = $derived<HeldJoint | null>(this.bone && { bone: this.bone, tool: this.tool });
  /** A correction of it that changes nothing. */
  readonly correction = $derived<Correction | null>(this.bone && unchanged(this.bone, this.tool));

  choose(bone: Bone): void {
    this.bone = bone;
    this.dragged = null;
  }

  chooseTool(tool: HandleTool): void {
    this.limbTool = tool;
  }

  /** Chooses what a correction is about. */
  chooseFor(what: Correction): void {
    const bone = what.kind === "pull" ? what.limb : what.joint;
    // other programs may have corrected joints that Limber does not know
    if (!isCorrectable(bone)) return this.leave();
    this.choose(bone);
    if (isLimb(bone)) this.limbTool = what.kind;
  }

  leave(): void {
    this.bone = this.dragged = null;
  }
}

function unchanged(bone: Bone, tool: HandleTool): Correction {
  if (tool === "pull" && isLimb(bone)) return { kind: "pull", limb: bone, offset: { left: 0, up: 0, forward: 0 } };
  return { kind: "rotate", joint: bone, rotation: { x: 0, y: 0, z: 0, w: 1 } };
}
