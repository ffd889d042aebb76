import { expect, test } from "vitest";
import { HistoryCursor } from "./history";

const history = ["newest", "older", "oldest"];

test("a walk goes to the oldest prompt and back to nothing", () => {
  const cursor = new HistoryCursor();
  expect(cursor.older(history, true)).toBe("newest");
  // on the way the caret may stand anywhere
  expect(cursor.older(history, false)).toBe("older");
  expect(cursor.older(history, false)).toBe("oldest");
  expect(cursor.older(history, false)).toBeNull();
  expect(cursor.newer(history)).toBe("older");
  expect(cursor.newer(history)).toBe("newest");
  expect(cursor.newer(history)).toBe("");
  expect(cursor.newer(history)).toBeNull();
});

test("a walk begins only where it may, and where there is something", () => {
  const cursor = new HistoryCursor();
  expect(cursor.older(history, false)).toBeNull();
  expect(cursor.older([], true)).toBeNull();
  expect(cursor.newer(history)).toBeNull();
});

test("whoever writes again begins the next walk with the newest", () => {
  const cursor = new HistoryCursor();
  cursor.older(history, true);
  cursor.older(history, true);
  cursor.reset();
  expect(cursor.newer(history)).toBeNull();
  expect(cursor.older(history, true)).toBe("newest");
});
