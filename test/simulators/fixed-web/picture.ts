import { createHash } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";

const WIDTH = 480;
const HEIGHT = 320;

type Colour = readonly [number, number, number];

/** A small landscape as a PNG, its colours and hills made from the name: the same name is the same picture. */
export function drawPicture(name: string): Buffer {
  const seed = createHash("sha256").update(name).digest();
  const part = (index: number): number => (seed[index] ?? 0) / 255;
  const sky: Colour = [120 + part(0) * 110, 150 + part(1) * 80, 200 + part(2) * 50];
  const land: Colour = [40 + part(3) * 120, 70 + part(4) * 110, 50 + part(5) * 90];
  const sun = { x: WIDTH * (0.2 + 0.6 * part(6)), y: HEIGHT * (0.15 + 0.25 * part(7)), radius: 22 + 18 * part(8) };
  const rows = Buffer.alloc(HEIGHT * (1 + WIDTH * 3));
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      const hill =
        HEIGHT * (0.62 + 0.1 * Math.sin((x / WIDTH) * (3 + 5 * part(9)) + part(10) * 6) + 0.05 * Math.sin(x / (18 + 30 * part(11))));
      const isSun = Math.hypot(x - sun.x, y - sun.y) < sun.radius;
      const colour: Colour =
        y > hill ? shade(land, 1 - (y - hill) / HEIGHT) : isSun ? [255, 240, 200] : shade(sky, 0.75 + (0.25 * y) / HEIGHT);
      rows.set(colour, y * (1 + WIDTH * 3) + 1 + x * 3);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]);
}

function shade([red, green, blue]: Colour, light: number): Colour {
  return [red * light, green * light, blue * light];
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}
