import { expect, test } from "vitest";
import { angleWords, sizeProblem, sizes } from "./film";

test("every size that is offered can be filmed", () => {
  for (const { size } of sizes()) if (size) expect(sizeProblem(size)).toBeNull();
});

test("sizes that cannot be filmed say why", () => {
  expect(sizeProblem({ width: 127, height: 720 })).toMatch(/from 128 to 3840/);
  expect(sizeProblem({ width: Number.NaN, height: 720 })).toMatch(/whole numbers/);
  expect(sizeProblem({ width: 721, height: 720 })).toMatch(/even/);
  expect(sizeProblem({ width: 3842, height: 720 })).toMatch(/from 128 to 3840/);
});

test("the camera's place is told from the character's side", () => {
  expect([0, 35, -20, 90, -90].map(angleWords)).toEqual([
    "Front",
    "35° to the left",
    "20° to the right",
    "Left side",
    "Right side",
  ]);
});
