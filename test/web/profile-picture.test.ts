import { expect, it } from "vitest";
import { CLOSEST, moveCrop, largestCrop, zoomCrop, zoomOf } from "#web/features/people/profile-picture/crop.ts";

const WIDE = { width: 400, height: 200 };
const LARGEST = { x: 100, y: 0, side: 200 };

it("the section of a picture begins as the largest square in the middle, of a tall one too", () => {
  expect(largestCrop(WIDE)).toEqual(LARGEST);
  expect(largestCrop({ width: 90, height: 120 })).toEqual({ x: 0, y: 15, side: 90 });
});

it("the section of a picture is moved to the edges and no further", () => {
  expect(moveCrop(LARGEST, { x: -30, y: 10 }, WIDE)).toEqual({ x: 70, y: 0, side: 200 });
  expect(moveCrop(LARGEST, { x: 999, y: -999 }, WIDE)).toEqual({ x: 200, y: 0, side: 200 });
});

it("the section of a picture comes closer around its middle or another point, and goes back to the whole", () => {
  const close = zoomCrop(LARGEST, 2, WIDE);
  expect(close).toEqual({ x: 150, y: 50, side: 100 });
  expect(zoomOf(close, WIDE)).toBe(2);
  expect(zoomCrop(LARGEST, 2, WIDE, { x: 0, y: 1 })).toEqual({ x: 100, y: 100, side: 100 });
  expect(zoomCrop(close, 1, WIDE)).toEqual(LARGEST);
});

it("the section of a picture stays within the picture wherever it is left, and neither smaller nor larger than it may be", () => {
  const corner = moveCrop(zoomCrop(LARGEST, 4, WIDE), { x: 999, y: 999 }, WIDE);
  expect(zoomCrop(corner, 1, WIDE)).toEqual({ x: 200, y: 0, side: 200 });
  expect(zoomOf(zoomCrop(LARGEST, 99, WIDE), WIDE)).toBe(CLOSEST);
  expect(zoomCrop(LARGEST, 0.1, WIDE)).toEqual(LARGEST);
});
