import { describe, expect, it } from "vitest";
import type { EventRead, PromptCheck, PromptReading } from "../host";
import { quoted, understandingOf } from "./understanding";

const nothing: PromptCheck = { script: null, reading: null, skipped: [], nearest: [], warnings: [], price: 0 };

function step(name: string, timing: EventRead["timing"] = "then"): EventRead {
  return { name, words: name, timing, fields: [], isPerformed: true };
}

function reading(...events: EventRead[]): PromptReading {
  const script = JSON.stringify({ version: 2, events: events.map(({ name }) => ({ do: name })) });
  return { events, scenery: [], notUnderstood: [], script };
}

describe("the steps of a prompt", () => {
  it("are those of its reading, in words and in time", () => {
    const told = reading(step("walk"), step("wave", "together"));
    const { steps, reading: known } = understandingOf({ ...nothing, script: "v2 walk > wave while:0", reading: told }, null);
    expect(steps).toEqual([
      { words: "walk", together: false },
      { words: "wave", together: true },
    ]);
    expect(known).toEqual(told);
  });

  it("are those of its script where nothing more is known, and cannot be changed then", () => {
    const { steps, reading: known } = understandingOf({ ...nothing, script: "walk > jump x3" }, null);
    expect(steps.map(({ words }) => words)).toEqual(["walk", "jump · 3 ×"]);
    expect(known).toBeNull();
  });

  it("are those that somebody changed, with what the body can do of them", () => {
    const changed = reading(step("wave"));
    const told = { ...changed, events: [{ ...step("wave"), isPerformed: false }] };
    const { reading: known } = understandingOf({ ...nothing, reading: told }, { script: changed.script, reading: changed });
    expect(known?.events).toEqual(told.events);
    const unread = understandingOf({ ...nothing, reading: told }, { script: changed.script, reading: null });
    expect(unread.reading).toBe(told);
  });

  it("are none before anybody has looked", () => {
    expect(understandingOf(null, null)).toMatchObject({ reading: null, steps: [], remarks: [], nearest: [], meant: null });
  });
});

describe("words that are passed over", () => {
  const passed = (check: Partial<PromptCheck>) => understandingOf({ ...nothing, ...check }, null).passed;

  it("are named", () => {
    expect(passed({ script: "v2 walk", skipped: ["glorps", "blurps"] })).toBe("Passed over: “glorps”, “blurps”.");
    expect(passed({ script: "v2 walk" })).toBeNull();
  });

  it("may be all there is", () => {
    expect(passed({ skipped: ["glorps"] })).toBe("No action that Limber knows yet; not known: “glorps”.");
    expect(passed({})).toBe("No action that Limber knows yet.");
  });

  it("are quoted with commas between them", () => {
    expect(quoted(["cup", "hat"])).toBe("“cup”, “hat”");
    expect(quoted([])).toBe("");
  });
});

describe("what may have been meant", () => {
  it("takes the place of the word that it is nearest to", () => {
    const check = { ...nothing, skipped: ["purple", "jumq"], nearest: ["jump", "walk"] };
    expect(understandingOf(check, null)).toMatchObject({ nearest: ["jump", "walk"], meant: "jumq" });
  });

  it("takes no word's place where all are known", () => {
    expect(understandingOf({ ...nothing, nearest: ["jump"] }, null).meant).toBeNull();
  });
});

it("what is told with the words that are passed over is not told twice", () => {
  const warning = (code: string, text: string) => ({ code, arguments: {}, text });
  const warnings = [warning("unknown-word", "unknown"), warning("not-performed", "The body cannot do this yet.")];
  expect(understandingOf({ ...nothing, warnings }, null).remarks).toEqual(["The body cannot do this yet."]);
});
