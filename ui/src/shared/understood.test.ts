import { describe, expect, it } from "vitest";

import { isMeantToLoop, understood } from "./understood";

describe("a script as chips", () => {
  it("tells every act with its arguments, in order", () => {
    expect(understood("walk dir:backward tempo:0.6 > jump x3 > turn side:left angle:90deg")).toEqual([
      { words: "walk · backward · slowly", together: false },
      { words: "jump · 3 ×", together: false },
      { words: "turn · left · 90°", together: false },
    ]);
  });

  it("marks what happens at the same time", () => {
    expect(understood("walk path:left-circle:1 for:2.5m + raise-arms manner:happy")).toEqual([
      { words: "walk · left circle 1 · 2.5 m", together: false },
      { words: "raise arms · happy", together: true },
    ]);
  });

  it("reads the version of now, with what happens at the same time", () => {
    const script = "v2 walk direction:forward > jump count:3 size:1.5 > raise.elbow manners:happy=1,tired=0.5 while:1 | loop:true";
    expect(understood(script)).toEqual([
      { words: "walk · forward", together: false },
      { words: "jump · 3 × · big", together: false },
      { words: "raise elbow · happy, tired", together: true },
    ]);
    expect(understood("v2 wave")).toEqual([{ words: "wave", together: false }]);
  });

  it("leaves out what is said of the clip as a whole", () => {
    expect(understood("walk dir:forward loop:true end:hold")).toEqual([{ words: "walk · forward", together: false }]);
  });

  it("has nothing to say about nothing", () => {
    expect(understood("")).toEqual([]);
  });
});

describe("a clip that is meant to loop", () => {
  it("is one that was looped, or whose prompt or options asked for it", () => {
    expect(isMeantToLoop({ change: "looped", script: null })).toBe(true);
    expect(isMeantToLoop({ change: null, script: "walk dir:forward loop:true" })).toBe(true);
    expect(isMeantToLoop({ change: null, script: "v2 walk | loop:true end:hold" })).toBe(true);
    expect(isMeantToLoop({ change: "cut", script: "walk dir:forward" })).toBe(false);
    expect(isMeantToLoop({ change: null, script: null })).toBe(false);
  });
});
