import { PropertyBinding, type AnimationClip, type Object3D } from "three";
import { ViewportError } from "./unavailable";

/** A movement, and the nodes that it was made for. */
export interface Motion {
  scene: Object3D;
  animation: AnimationClip;
}

/**
 * The movement for another scene of the same character. GLTFLoader names nodes, and tracks after them, in the order in
 * which they happen to be ready, and by chance where the file has no names; so nodes are found by their places.
 *
 * @throws ViewportError if there is none in the place of a node that moves. A character that did not move would look
 * like one that was not corrected.
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
