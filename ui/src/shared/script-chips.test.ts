import { describe, expect, it } from "vitest";

import { shouldLoop, scriptChips } from "./script-chips";

describe("a script as chips", () => {
  it("lists all actions with their arguments, in order", () => {
    expect(scriptChips("walk dir:backward tempo:0.6 > jump x3 > turn side:left angle:90deg")).toEqual([
      { words: "walk · backward · slowly", together: false },
      { words: "jump · 3 ×", together: false },
      { words: "turn · left · 90°", together: false },
    ]);
  });

  it("marks simultaneous actions", () => {
    expect(scriptChips("walk path:left-circle:1 for:2.5m + raise-arms manner:happy")).toEqual([
      { words: "walk · left circle 1 · 2.5 m", together: false },
      { words: "raise arms · happy", together: true },
    ]);
  });

  it("reads version 2, with simultaneous actions", () => {
    const script = "v2 walk direction:forward > jump count:3 size:1.5 > raise.elbow manners:happy=1,tired=0.5 while:1 | loop:true";
    expect(scriptChips(script)).toEqual([
      { words: "walk · forward", together: false },
      { words: "jump · 3 × · big", together: false },
      { words: "raise elbow · happy, tired", together: true },
    ]);
    expect(scriptChips("v2 wave")).toEqual([{ words: "wave", together: false }]);
  });

  it("omits what applies to the whole clip", () => {
    expect(scriptChips("walk dir:forward loop:true end:hold")).toEqual([{ words: "walk · forward", together: false }]);
  });

  it("is empty for an empty script", () => {
    expect(scriptChips("")).toEqual([]);
  });
});

describe("a clip is meant to loop", () => {
  it("if it was looped, or its prompt or options asked for it", () => {
    expect(shouldLoop({ change: "looped", script: null })).toBe(true);
    expect(shouldLoop({ change: null, script: "walk dir:forward loop:true" })).toBe(true);
    expect(shouldLoop({ change: null, script: "v2 walk | loop:true end:hold" })).toBe(true);
    expect(shouldLoop({ change: "cut", script: "walk dir:forward" })).toBe(false);
    expect(shouldLoop({ change: null, script: null })).toBe(false);
  });
});
