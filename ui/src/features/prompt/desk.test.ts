import { expect, test } from "vitest";
import { FakeHost } from "../../host/fake";
import { PromptDesk } from "./desk.svelte";

function desk(written: Partial<Pick<PromptDesk, "text" | "seconds" | "variants" | "seed">>): PromptDesk {
  return Object.assign(new PromptDesk(new FakeHost({ pace: 0, query: "?signedIn" })), written);
}

test("what stands on the desk is asked for without spaces around it", () => {
  const request = desk({ text: " walks ", seconds: 6, variants: 4, seed: " 42 " }).requestFor("ada");
  expect(request).toEqual({ prompt: "walks", characterId: "ada", seconds: 6, variants: 4, seed: "42" });
});

test("what was left open is for the studio to choose", () => {
  expect(desk({ text: "walks" }).requestFor("ada")).toMatchObject({ seconds: null, seed: null, variants: 1 });
});

test("nothing is asked for while a prompt, somebody who acts it or a right seed is missing", () => {
  expect(desk({ text: "  " }).requestFor("ada")).toBeNull();
  expect(desk({ text: "walks" }).requestFor(null)).toBeNull();
  expect(desk({ text: "walks", seed: "7a" }).requestFor("ada")).toBeNull();
});

test("a seed is a whole number of at most 19 digits", () => {
  const problem = (seed: string) => desk({ seed }).seedProblem;
  for (const right of ["", " 7 ", "0".repeat(19)]) expect(problem(right)).toBeNull();
  for (const wrong of ["-1", "1.5", "seven", "1 2", "0".repeat(20)]) expect(problem(wrong)).toBe("A seed is a whole number.");
});

test("steps that were changed are asked for as long as the words stay", () => {
  const changed = desk({ text: "walks " });
  changed.takeScript("walks", "{}");
  expect(changed.requestFor("ada")).toMatchObject({ script: "{}" });
  changed.text = "walks fast";
  expect(changed.requestFor("ada")).not.toHaveProperty("script");
});
