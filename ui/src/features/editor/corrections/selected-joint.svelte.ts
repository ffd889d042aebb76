import type { Correction } from "../../../host";
import { isCorrectable, isLimb, type Bone } from "../joints";
import type { CurveKind } from "../timeline/curve";
import type { JointCurves } from "../viewport/curves";
import type { Layers } from "./layers";
import type { HandleTool, HandleTarget } from "../viewport/joint-handle";

/** The selected joint, shared by the viewport, the panel and the curves. */
export class SelectedJoint {
  bone = $state<Bone | null>(null);
  /** The change so far of a drag in the viewport. */
  dragged = $state.raw<Correction | null>(null);
  /** The joint's motion curves; null until they are known. */
  curves = $state.raw<JointCurves | null>(null);
  /** The corrections contained in these curves. */
  curvesInclude = $state.raw<Layers>([]);
  /** Which of the curves are drawn. */
  curveKind = $state<CurveKind>("rotation");
  /** The tool for hands and feet; all other joints are rotated. */
  private limbTool = $state<HandleTool>("pull");

  readonly tool = $derived<HandleTool>(this.bone && isLimb(this.bone) ? this.limbTool : "rotate");
  readonly handleTarget = $derived<HandleTarget | null>(this.bone && { bone: this.bone, tool: this.tool });
  /** A neutral correction of the joint. */
  readonly correction = $derived<Correction | null>(this.bone && unchanged(this.bone, this.tool));

  choose(bone: Bone): void {
    this.bone = bone;
    this.dragged = null;
  }

  chooseTool(tool: HandleTool): void {
    this.limbTool = tool;
  }

  /** Selects the joint of a correction. */
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
