import { describe, expect, it } from "vitest";
import type { PromptReading } from "../host";
import { fieldWords, performedAs, stepWords, without, withField } from "./steps";

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

describe("a step that is changed", () => {
  it("has another value in the script and on its chip, and everything else stays", () => {
    const before = reading({ do: "walk", prop: "cup" }, { do: "wave" });
    const changed = withField(withField(before, 1, "count", 3), 1, "side", "left");
    expect(JSON.parse(changed.script)).toEqual({
      version: 2,
      events: [{ do: "walk", prop: "cup" }, { do: "wave", count: 3, side: "left" }],
      loop: true,
    });
    expect(changed.events.map(stepWords)).toEqual(["walk", "wave · 3 × · left"]);
    expect(before.events.map(stepWords)).toEqual(["walk", "wave"]);
  });

  it("is open again without the value", () => {
    const open = withField(withField(reading({ do: "wave" }), 0, "size", 1.5), 0, "size", null);
    expect(eventsOf(open)).toEqual([{ do: "wave" }]);
    expect(open.events.map(stepWords)).toEqual(["wave"]);
  });
});

describe("a step that is removed", () => {
  it("leaves the others in their order, and what they say of each other right", () => {
    const before = reading({ do: "walk" }, { do: "bow" }, { do: "jump", until: 3 }, { do: "wave", continues: 2 }, { do: "nod", while: 3 });
    expect(eventsOf(without(before, 1))).toEqual([
      { do: "walk" },
      { do: "jump", until: 2 },
      { do: "wave", continues: 1 },
      { do: "nod", while: 2 },
    ]);
    expect(eventsOf(without(before, 3))).toEqual([{ do: "walk" }, { do: "bow" }, { do: "jump" }, { do: "nod" }]);
  });

  it("leaves its place in time to the first that went along with it, with the others along with that", () => {
    const before = reading({ do: "sit" }, { do: "walk", while: 0 }, { do: "wave", while: 1 }, { do: "nod", while: 1 }, { do: "bow", as_soon_as: 1 });
    const after = without(before, 1);
    expect(eventsOf(after)).toEqual([
      { do: "sit" },
      { do: "wave", while: 0 },
      { do: "nod", while: 1 },
      { do: "bow", while: 0 },
    ]);
    expect(after.events.map(({ timing }) => timing)).toEqual(["then", "together", "together", "together"]);
    const first = without(reading({ do: "walk" }, { do: "wave", while: 0 }), 0);
    expect(eventsOf(first)).toEqual([{ do: "wave" }]);
    expect(first.events.map(({ timing }) => timing)).toEqual(["then"]);
  });

  it("stays when it is the last one", () => {
    const only = reading({ do: "wave" });
    expect(without(only, 0)).toBe(only);
  });
});

describe("what a chip says", () => {
  it("tells measures as people say them", () => {
    const said = [["size", 0.5], ["size", 1.5], ["size", 2], ["speed", 0.6], ["degrees", 90], ["steps", 1], ["direction", "forward-left"], ["prop", "golf-club"]] as const;
    expect(said.map(([name, value]) => fieldWords(name, value))).toEqual([
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

  it("knows what the body cannot do once the studio has said so", () => {
    const changed = withField(reading({ do: "wave" }), 0, "size", 1.5);
    const told = { ...changed, events: changed.events.map((event) => ({ ...event, isPerformed: false })) };
    expect(performedAs(changed, told).events.map(({ isPerformed }) => isPerformed)).toEqual([false]);
    expect(performedAs(changed, reading({ do: "wave" }, { do: "bow" }))).toBe(changed);
    expect(performedAs(changed, null)).toBe(changed);
  });
});
