import { expect, test } from "vitest";
import { Latest, merged } from "./answers";

function later<Answer>() {
  let answer!: (value: Answer) => void;
  const promise = new Promise<Answer>((resolve) => (answer = resolve));
  return { promise, answer };
}

test("what was told is kept where the answer lists it, and what it does not know yet stands first", () => {
  const job = (id: string, state: string) => ({ id, state });
  const shown = [job("c", "new"), job("b", "done"), job("gone", "done")];
  const answer = [job("b", "working"), job("a", "done")];
  expect(merged(shown, { answer, newer: new Set(["b", "c"]) })).toEqual([job("c", "new"), job("b", "done"), job("a", "done")]);
});

test("an answer that a newer one overtook is not taken, and one that arrives in its turn is", async () => {
  const latest = new Latest();
  const taken: string[] = [];
  const [first, second] = [later<string>(), later<string>()];
  const asked = [first, second].map(({ promise }) => latest.take(() => promise, (answer) => taken.push(answer)));
  second.answer("new");
  await asked[1];
  first.answer("old");
  await asked[0];
  expect(taken).toEqual(["new"]);
  await latest.take(async () => "newest", (answer) => taken.push(answer));
  expect(taken).toEqual(["new", "newest"]);
});
