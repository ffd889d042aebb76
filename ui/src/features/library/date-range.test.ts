import { expect, test } from "vitest";
import { dateRange } from "./date-range";

const none = { from: "", until: "" };
const now = new Date(2026, 2, 30, 14, 30);
const at = (year: number, month: number, day: number) => new Date(year, month - 1, day).getTime();

test("days begin at local midnight", () => {
  expect(dateRange("ever", now, none)).toEqual({ from: null, until: null });
  expect(dateRange("today", now, none)).toEqual({ from: at(2026, 3, 30), until: null });
  expect(dateRange("week", now, none)).toEqual({ from: at(2026, 3, 24), until: null });
  expect(dateRange("month", now, none)).toEqual({ from: at(2026, 3, 1), until: null });
});

test("includes both days of a range, either of which may be open", () => {
  const days = { from: "2026-02-01", until: "2026-02-28" };
  expect(dateRange("between", now, days)).toEqual({ from: at(2026, 2, 1), until: at(2026, 3, 1) });
  expect(dateRange("between", now, { from: "", until: "2026-02-28" }).from).toBeNull();
  expect(dateRange("between", now, { from: "2026-02-01", until: "" }).until).toBeNull();
});
