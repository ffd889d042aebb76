"""The canonical body: 22 joints without fingers, forward kinematics, and legs that reach for a place."""

import numpy as np

from . import rotations as r

# in the order of Limber's canonical skeleton
NAMES = ["hips", "spine", "chest", "upperChest", "neck", "head",
         "leftShoulder", "leftUpperArm", "leftLowerArm", "leftHand",
         "rightShoulder", "rightUpperArm", "rightLowerArm", "rightHand",
         "leftUpperLeg", "leftLowerLeg", "leftFoot", "leftToes",
         "rightUpperLeg", "rightLowerLeg", "rightFoot", "rightToes"]
PARENTS = [-1, 0, 1, 2, 3, 4, 3, 6, 7, 8, 3, 10, 11, 12, 0, 14, 15, 16, 0, 18, 19, 20]
MIRROR = [NAMES.index(n.replace("left", "R_").replace("right", "left").replace("R_", "right")) for n in NAMES]
LEGS = ([14, 15, 16, 17], [18, 19, 20, 21])
ARMS = ([6, 7, 8, 9], [10, 11, 12, 13])
UPPER = list(range(1, 14))

# as in crates/limber-animation/src/canonical.rs; the exporter's skeleton.json is compared with it
PLACES = np.array([
    [0, .955, 0], [0, .100, -.012], [0, .115, -.006], [0, .125, 0], [0, .150, .006], [0, .095, .018],
    [.028, .105, .012], [.142, 0, -.018], [.285, 0, 0], [.255, 0, 0],
    [-.028, .105, .012], [-.142, 0, -.018], [-.285, 0, 0], [-.255, 0, 0],
    [.092, -.035, 0], [0, -.425, 0], [0, -.410, -.012], [0, -.065, .135],
    [-.092, -.035, 0], [0, -.425, 0], [0, -.410, -.012], [0, -.065, .135]])
LEG_M = 0.835
ANKLE_M = 0.085


def forward(place, turns):
    """World positions and turns of all joints, (T, 22, 3) and (T, 22, 4)."""
    positions = np.empty(turns.shape[:-1] + (3,))
    worlds = np.empty(turns.shape)
    positions[:, 0], worlds[:, 0] = place, turns[:, 0]
    for joint in range(1, len(NAMES)):
        above = PARENTS[joint]
        worlds[:, joint] = r.multiply(worlds[:, above], turns[:, joint])
        positions[:, joint] = positions[:, above] + r.rotate(worlds[:, above], PLACES[joint])
    return positions, worlds


def reach(place, turns, side, ankle, ankle_turn):
    """Local turns in which a leg's ankle is at `ankle`, turned as `ankle_turn` (world); the knee stays in
    its plane as nearly as it can. A leg that is too short is stretched out towards the place."""
    hip, knee, foot, _ = LEGS[side]
    positions, worlds = forward(place, turns)
    thigh, shin = np.linalg.norm(PLACES[knee]), np.linalg.norm(PLACES[foot])
    from_hip = ankle - positions[:, hip]
    length = np.clip(np.linalg.norm(from_hip, axis=-1), 0.25, (thigh + shin) * 0.9995)
    a, b = positions[:, hip] - positions[:, knee], positions[:, foot] - positions[:, knee]
    # bend the knee about its own axis until the leg is as long as it must be
    cosine = np.clip((thigh**2 + shin**2 - length**2) / (2 * thigh * shin), -1, 1)
    now = np.arccos(np.clip(np.sum(r.unit(a) * r.unit(b), -1), -1, 1))
    axis = np.cross(a, b)
    side_axis = r.rotate(worlds[:, hip], np.array([-1.0, 0, 0]))
    straight = np.linalg.norm(axis, axis=-1, keepdims=True) < 1e-3 * thigh * shin
    axis = r.unit(np.where(straight, side_axis, axis))
    bend = r.exp(axis * (np.arccos(cosine) - now)[:, None])
    new_knee = r.multiply(bend, worlds[:, knee])
    reached = positions[:, knee] + r.rotate(new_knee, PLACES[foot]) - positions[:, hip]
    swing = r.between(reached, from_hip)
    new_hip, new_knee = r.multiply(swing, worlds[:, hip]), r.multiply(swing, new_knee)
    bent = turns.copy()
    bent[:, hip] = r.multiply(r.inverse(worlds[:, 0]), new_hip)
    bent[:, knee] = r.multiply(r.inverse(new_hip), new_knee)
    bent[:, foot] = r.multiply(r.inverse(new_knee), ankle_turn)
    return bent


def mirrored(place, turns):
    """The same motion in a mirror that swaps left and right."""
    flipped = turns[:, MIRROR] * np.array([1, 1, -1, -1])
    return place * np.array([-1, 1, 1]), flipped
