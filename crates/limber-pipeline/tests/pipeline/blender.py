"""Imports files into Blender as an animator would and reports how the hips move.

Needs a Python with Blender's module `bpy`. Reads requests from standard input and writes answers to standard output,
one line of JSON per file.
"""

import json
import sys
from pathlib import Path

import bpy

IMPORTERS = {
    ".fbx": [
        lambda path: bpy.ops.import_scene.fbx(filepath=path),
        lambda path: bpy.ops.import_scene.fbx(filepath=path, automatic_bone_orientation=True),
        # the FBX importer of newer versions
        lambda path: bpy.ops.wm.fbx_import(filepath=path),
    ],
    ".glb": [lambda path: bpy.ops.import_scene.gltf(filepath=path)],
    ".bvh": [
        lambda path: bpy.ops.import_anim.bvh(
            filepath=path, update_scene_fps=True, update_scene_duration=True, global_scale=0.01
        )
    ],
}


def seen(path, hips, importer):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    importer(path)
    scene = bpy.context.scene
    armature = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")
    action = armature.animation_data.action
    first, last = action.frame_range
    bone = armature.pose.bones[hips]
    places = []
    for part in range(41):
        frame = first + part * (last - first) / 40
        scene.frame_set(int(frame), subframe=frame - int(frame))
        places.append(armature.matrix_world @ bone.head)
    keys = [key.co.x for curve in action.fcurves for key in curve.keyframe_points]
    above, chain = bone.parent, []
    while above:
        chain.append(above.name)
        above = above.parent
    return {
        "low": min(place.z for place in places),
        "high": max(place.z for place in places),
        "seconds": (last - first) / (scene.render.fps / scene.render.fps_base),
        "off_frame": sum(abs(key - round(key)) > 1e-3 for key in keys),
        "above": chain,
    }


for line in sys.stdin:
    asked = json.loads(line)
    found = [
        seen(asked["path"], asked["hips"], importer)
        for importer in IMPORTERS[Path(asked["path"]).suffix]
    ]
    print(json.dumps({"path": asked["path"], "found": found}), flush=True)
