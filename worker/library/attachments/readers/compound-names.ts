import type { ByteSource } from "./byte-source.ts";
import { DIFAT_IN_HEADER, HEADER_BYTES, LAST_SECTOR, numbersIn, readEntries, sectorBytesOf, streamsIn } from "./compound-file.ts";
import { joinBytes } from "#worker/platform/join-bytes.ts";

/** Sectors of the longest directory that is read: some hundred entries, where a protected file has about ten. */
const DIRECTORY_SECTORS = 64;

/** The names, in capitals, of the streams in the root of a compound file that is too large to be read whole: only its directory is read. */
export async function readRootNames(source: ByteSource): Promise<ReadonlySet<string>> {
  const head = await source.read(0, HEADER_BYTES);
  const header = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const sectorBytes = sectorBytesOf(header);
  const sectors = Math.floor((source.size - HEADER_BYTES) / sectorBytes);
  const inSector = sectorBytes / 4;
  const readSector = (index: number) => source.read((index + 1) * sectorBytes, sectorBytes);

  /** Which sector holds a part of the table of sectors ([MS-CFB] 2.5): the first ones stand in the header, the others in sectors that are chained. */
  async function tableSector(part: number): Promise<number> {
    if (part < DIFAT_IN_HEADER) return header.getUint32(76 + part * 4, true);
    let list = header.getUint32(68, true);
    for (let left = part - DIFAT_IN_HEADER; list < sectors; left -= inSector - 1) {
      const numbers = numbersIn(await readSector(list));
      if (left < inSector - 1) return numbers[left] ?? LAST_SECTOR;
      list = numbers.at(-1) ?? LAST_SECTOR;
    }
    return LAST_SECTOR;
  }

  const table = new Map<number, number[]>();
  async function next(index: number): Promise<number> {
    const part = Math.floor(index / inSector);
    const known = table.get(part);
    if (known) return known[index % inSector] ?? LAST_SECTOR;
    const at = await tableSector(part);
    const numbers = at < sectors ? numbersIn(await readSector(at)) : [];
    table.set(part, numbers);
    return numbers[index % inSector] ?? LAST_SECTOR;
  }

  const directory: Uint8Array[] = [];
  for (let at = header.getUint32(48, true); at < sectors && directory.length < DIRECTORY_SECTORS; at = await next(at)) {
    directory.push(await readSector(at));
  }
  return new Set(streamsIn(readEntries(joinBytes(directory))).keys());
}
