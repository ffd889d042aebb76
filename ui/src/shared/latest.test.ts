import { expect, test } from "vitest";
import { Latest, merged } from "./latest";

function later<Answer>() {
  let answer!: (value: Answer) => void;
  const promise = new Promise<Answer>((resolve) => (answer = resolve));
  return { promise, answer };
}

test("keeps updated items that the answer contains, and puts unknown ones first", () => {
  const job = (id: string, state: string) => ({ id, state });
  const shown = [job("c", "new"), job("b", "done"), job("gone", "done")];
  const answer = [job("b", "working"), job("a", "done")];
  expect(merged(shown, { answer, newer: new Set(["b", "c"]) })).toEqual([job("c", "new"), job("b", "done"), job("a", "done")]);
});

test("drops an answer that a newer one has overtaken, and uses answers that arrive in order", async () => {
  const latest = new Latest();
  const taken: string[] = [];
  const [first, second] = [later<string>(), later<string>()];
  const asked = [first, second].map(({ promise }) => latest.run(() => promise, (answer) => taken.push(answer)));
  second.answer("new");
  await asked[1];
  first.answer("old");
  await asked[0];
  expect(taken).toEqual(["new"]);
  await latest.run(async () => "newest", (answer) => taken.push(answer));
  expect(taken).toEqual(["new", "newest"]);
});
