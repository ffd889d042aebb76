import { expect, test } from "vitest";
import { cameraAngleLabel, sizeProblem, sizes } from "./video-options";

test("every offered size is valid", () => {
  for (const { size } of sizes()) if (size) expect(sizeProblem(size)).toBeNull();
});

test("explains invalid sizes", () => {
  expect(sizeProblem({ width: 127, height: 720 })).toMatch(/from 128 to 3840/);
  expect(sizeProblem({ width: Number.NaN, height: 720 })).toMatch(/whole numbers/);
  expect(sizeProblem({ width: 721, height: 720 })).toMatch(/even/);
  expect(sizeProblem({ width: 3842, height: 720 })).toMatch(/from 128 to 3840/);
});

test("the camera angle is described from the character's point of view", () => {
  expect([0, 35, -20, 90, -90].map(cameraAngleLabel)).toEqual([
    "Front",
    "35° to the left",
    "20° to the right",
    "Left side",
    "Right side",
  ]);
});
