import { expect, test } from "vitest";
import { contactsAt } from "./contacts";

test("a foot point is in contact from the first frame of a span up to its end, exclusive", () => {
  const tracks = [
    { point: "leftHeel" as const, spans: [{ start: 0, end: 2 }, { start: 5, end: 6 }] },
    { point: "rightToe" as const, spans: [{ start: 1, end: 4 }] },
  ];
  expect(contactsAt(tracks, 0)).toEqual(["leftHeel"]);
  expect(contactsAt(tracks, 1.9)).toEqual(["leftHeel", "rightToe"]);
  expect(contactsAt(tracks, 2)).toEqual(["rightToe"]);
  expect(contactsAt(tracks, 4)).toEqual([]);
  expect(contactsAt(tracks, 5)).toEqual(["leftHeel"]);
  expect(contactsAt([], 5)).toEqual([]);
});
