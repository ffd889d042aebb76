import { PropertyBinding, type AnimationClip, type Object3D } from "three";
import { ViewportError } from "./unavailable";

/** A motion, and the scene that it was made for. */
export interface Motion {
  scene: Object3D;
  animation: AnimationClip;
}

/**
 * Binds the tracks of a motion to another scene of the same character. Nodes are matched by
 * their position in the tree: GLTFLoader names nodes in the order in which they become ready, and
 * randomly where the file has no names.
 *
 * @throws ViewportError if a moving node has no counterpart. A character that did not move would
 * look like one without corrections.
 */
export function motionFor(scene: Object3D, { scene: from, animation }: Motion): AnimationClip {
  const moved = animation.clone();
  for (const track of moved.tracks) {
    const { nodeName } = PropertyBinding.parseTrackName(track.name);
    const node = PropertyBinding.findNode(from, nodeName) as Object3D | null;
    const own = node && counterpart(node, from, scene);
    if (!own) throw new ViewportError("unreadable", `it has no node ${nodeName}`);
    track.name = own.uuid + track.name.slice(track.name.lastIndexOf("."));
  }
  return moved;
}

function counterpart(node: Object3D, from: Object3D, to: Object3D): Object3D | null {
  if (node === from) return to;
  const above = node.parent && counterpart(node.parent, from, to);
  const own = above?.children[node.parent?.children.indexOf(node) ?? -1];
  const isMesh = (node as { isMesh?: boolean }).isMesh;
  return own && (own.name === node.name || isMesh) ? own : null;
}
