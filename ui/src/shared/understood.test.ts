import { describe, expect, it } from "vitest";

import { understood } from "./understood";

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

  it("has nothing to say about nothing", () => {
    expect(understood("")).toEqual([]);
  });
});
