"""Contact sheets: a guide above what became of it, frame by frame, and what the joints' courses look like."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from . import body

COLOURS = {"left": "#d0342c", "right": "#225cc8", "": "#282830"}


def sheet(rows, path, moments=14, courses=("leftHand", "head", "hips")):
    """`rows`: name and clip, of one length each; the figures are seen from the right and from the front."""
    figure, axes = plt.subplots(2 * len(rows) + 1, 1, figsize=(22, 4.2 * len(rows) + 3),
                                gridspec_kw={"height_ratios": [2] * (2 * len(rows)) + [1.6]})
    for number, (name, clip) in enumerate(rows):
        positions, _ = body.forward(clip.place, clip.turns)
        for view, across in enumerate((2, 0)):
            axis = axes[2 * number + view]
            for column, frame in enumerate(np.linspace(0, len(clip) - 1, moments).astype(int)):
                figure_at(axis, positions[frame], across, column * 1.3)
            axis.axhline(0, color="#ccc", lw=1)
            axis.set_aspect("equal")
            axis.set_ylim(-0.05, 2.0)
            axis.set_xlim(-0.8, moments * 1.3)
            axis.set_axis_off()
            axis.set_title(f"{name}, {'side' if view == 0 else 'front'}", loc="left", fontsize=9)
    for number, (name, clip) in enumerate(rows):
        positions, _ = body.forward(clip.place, clip.turns)
        for joint in courses:
            course = positions[:, body.NAMES.index(joint)] - positions[:, 0] * (joint != "hips")
            axes[-1].plot(course[:, 1], ["-", "--", ":"][number % 3], label=f"{joint} {name}", lw=1)
    axes[-1].legend(fontsize=7, ncols=len(rows) * len(courses))
    figure.tight_layout()
    figure.savefig(path, dpi=60)
    plt.close(figure)


def figure_at(axis, joints, across, shift):
    """One stick figure, its hips over a place of the row."""
    level = (joints[:, across] - joints[0, across]) * (1 if across == 2 else -1) + shift
    for joint in range(1, len(body.NAMES)):
        above = body.PARENTS[joint]
        side = next(s for s in ("left", "right", "") if body.NAMES[joint].startswith(s))
        axis.plot([level[above], level[joint]], [joints[above, 1], joints[joint, 1]], color=COLOURS[side], lw=1.6)
    axis.add_patch(plt.Circle((level[5], joints[5, 1] + 0.1), 0.1, fill=False, color=COLOURS[""]))
