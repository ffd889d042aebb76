import { expect, test } from "vitest";
import { span } from "./when";

const none = { from: "", until: "" };
const now = new Date(2026, 2, 30, 14, 30);
const at = (year: number, month: number, day: number) => new Date(year, month - 1, day).getTime();

test("days begin at midnight of this computer", () => {
  expect(span("ever", now, none)).toEqual({ from: null, until: null });
  expect(span("today", now, none)).toEqual({ from: at(2026, 3, 30), until: null });
  expect(span("week", now, none)).toEqual({ from: at(2026, 3, 24), until: null });
  expect(span("month", now, none)).toEqual({ from: at(2026, 3, 1), until: null });
});

test("both days of a span belong to it, and one of them may be left open", () => {
  const days = { from: "2026-02-01", until: "2026-02-28" };
  expect(span("between", now, days)).toEqual({ from: at(2026, 2, 1), until: at(2026, 3, 1) });
  expect(span("between", now, { from: "", until: "2026-02-28" }).from).toBeNull();
  expect(span("between", now, { from: "2026-02-01", until: "" }).until).toBeNull();
});
