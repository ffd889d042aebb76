"""Imports an exported file into Blender as an animator would and prints what arrived as a line of JSON.

Needs a Python with Blender's module `bpy`.
"""

import json
import sys
from pathlib import Path

import bpy

path = Path(sys.argv[1])
bpy.ops.wm.read_factory_settings(use_empty=True)
match path.suffix:
    case ".fbx":
        bpy.ops.import_scene.fbx(filepath=str(path))
    case ".glb":
        bpy.ops.import_scene.gltf(filepath=str(path))
    case ".bvh":
        bpy.ops.import_anim.bvh(filepath=str(path), update_scene_fps=True, update_scene_duration=True,
                                   global_scale=0.01)

scene = bpy.context.scene
armature = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")
first, last = armature.animation_data.action.frame_range


def heights(frame):
    scene.frame_set(round(frame))
    return [(armature.matrix_world @ bone.head).z for bone in armature.pose.bones]


poses = [heights(first + part * (last - first) / 20) for part in range(21)]
print(json.dumps({
    "seconds": (last - first) / (scene.render.fps / scene.render.fps_base),
    "bones": len(armature.pose.bones),
    "vertices": sum(len(mesh.vertices) for mesh in bpy.data.meshes),
    "tallest_m": max(poses[0]) - min(poses[0]),
    "moved_m": max(max(heights) - min(heights) for heights in zip(*poses)),
}))
