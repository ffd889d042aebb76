import { describe, expect, it } from "vitest";
import type { PromptReading } from "../host";
import { fieldLabel, markPerformed, stepLabel, withoutStep, withField } from "./prompt-steps";

type Event = Record<string, unknown> & { do: string };

/** A reading as the app reports it, of steps without words. */
function reading(...events: Event[]): PromptReading {
  return {
    events: events.map((event) => ({
      name: event.do,
      words: "",
      timing: "while" in event ? "together" : "then",
      fields: [],
      isPerformed: true,
    })),
    scenery: [],
    notUnderstood: [],
    script: JSON.stringify({ version: 2, events, loop: true }),
  };
}

function eventsOf({ script }: PromptReading): unknown {
  return (JSON.parse(script) as { events: unknown }).events;
}

describe("changing a step", () => {
  it("sets the value in the script and on the chip, and keeps everything else", () => {
    const before = reading({ do: "walk", prop: "cup" }, { do: "wave" });
    const changed = withField(withField(before, 1, "count", 3), 1, "side", "left");
    expect(JSON.parse(changed.script)).toEqual({
      version: 2,
      events: [{ do: "walk", prop: "cup" }, { do: "wave", count: 3, side: "left" }],
      loop: true,
    });
    expect(changed.events.map(stepLabel)).toEqual(["walk", "wave · 3 × · left"]);
    expect(before.events.map(stepLabel)).toEqual(["walk", "wave"]);
  });

  it("removes the value again", () => {
    const open = withField(withField(reading({ do: "wave" }), 0, "size", 1.5), 0, "size", null);
    expect(eventsOf(open)).toEqual([{ do: "wave" }]);
    expect(open.events.map(stepLabel)).toEqual(["wave"]);
  });
});

describe("removing a step", () => {
  it("keeps the order and the references of the others", () => {
    const before = reading({ do: "walk" }, { do: "bow" }, { do: "jump", until: 3 }, { do: "wave", continues: 2 }, { do: "nod", while: 3 });
    expect(eventsOf(withoutStep(before, 1))).toEqual([
      { do: "walk" },
      { do: "jump", until: 2 },
      { do: "wave", continues: 1 },
      { do: "nod", while: 2 },
    ]);
    expect(eventsOf(withoutStep(before, 3))).toEqual([{ do: "walk" }, { do: "bow" }, { do: "jump" }, { do: "nod" }]);
  });

  it("transfers its timing to the first dependent step, and the others to that one", () => {
    const before = reading({ do: "sit" }, { do: "walk", while: 0 }, { do: "wave", while: 1 }, { do: "nod", while: 1 }, { do: "bow", as_soon_as: 1 });
    const after = withoutStep(before, 1);
    expect(eventsOf(after)).toEqual([
      { do: "sit" },
      { do: "wave", while: 0 },
      { do: "nod", while: 1 },
      { do: "bow", while: 0 },
    ]);
    expect(after.events.map(({ timing }) => timing)).toEqual(["then", "together", "together", "together"]);
    const first = withoutStep(reading({ do: "walk" }, { do: "wave", while: 0 }), 0);
    expect(eventsOf(first)).toEqual([{ do: "wave" }]);
    expect(first.events.map(({ timing }) => timing)).toEqual(["then"]);
  });

  it("keeps the last step", () => {
    const only = reading({ do: "wave" });
    expect(withoutStep(only, 0)).toBe(only);
  });
});

describe("a chip", () => {
  it("describes measures in plain words", () => {
    const said = [["size", 0.5], ["size", 1.5], ["size", 2], ["speed", 0.6], ["degrees", 90], ["steps", 1], ["direction", "forward-left"], ["prop", "golf-club"]] as const;
    expect(said.map(([name, value]) => fieldLabel(name, value))).toEqual([
      "smaller",
      "bigger",
      "as big as possible",
      "slower",
      "90°",
      "1 step",
      "forward left",
      "golf club",
    ]);
  });

  it("marks what the engine does not perform, according to a check", () => {
    const changed = withField(reading({ do: "wave" }), 0, "size", 1.5);
    const checked = { ...changed, events: changed.events.map((event) => ({ ...event, isPerformed: false })) };
    expect(markPerformed(changed, checked).events.map(({ isPerformed }) => isPerformed)).toEqual([false]);
    expect(markPerformed(changed, reading({ do: "wave" }, { do: "bow" }))).toBe(changed);
    expect(markPerformed(changed, null)).toBe(changed);
  });
});
