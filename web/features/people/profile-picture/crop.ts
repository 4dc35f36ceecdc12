/** A square of a picture, in the picture's own pixels. */
export type Crop = { x: number; y: number; side: number };
export type Sides = { width: number; height: number };

/** So many times closer than the whole of the shorter side. */
export const CLOSEST = 5;

/** The largest square in the middle. */
export function largestCrop({ width, height }: Sides): Crop {
  const side = Math.min(width, height);
  return { x: (width - side) / 2, y: (height - side) / 2, side };
}

/** The square moved by so many of the picture's pixels, never beyond its edges. */
export function moveCrop({ x, y, side }: Crop, by: { x: number; y: number }, picture: Sides): Crop {
  return { x: between(x + by.x, 0, picture.width - side), y: between(y + by.y, 0, picture.height - side), side };
}

/** How close a square is: 1 for the largest. */
export function zoomOf({ side }: Crop, { width, height }: Sides): number {
  return Math.min(width, height) / side;
}

/** The square `zoom` times closer than the largest; the point at `around` (0 to 1 of the square) stays where it is, as far as the edges let it. */
export function zoomCrop(crop: Crop, zoom: number, picture: Sides, around = { x: 0.5, y: 0.5 }): Crop {
  const side = Math.min(picture.width, picture.height) / between(zoom, 1, CLOSEST);
  const grown = crop.side - side;
  return moveCrop({ x: crop.x, y: crop.y, side }, { x: grown * around.x, y: grown * around.y }, picture);
}

function between(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
