import type { ByteSource } from "./byte-source.ts";
import {
  HEADER_BYTES,
  openCompound,
  DIFAT_IN_HEADER,
  LAST_SECTOR,
  numbersIn,
  readEntries,
  sectorBytesOf,
  streamsIn,
} from "./compound-file.ts";
import { extractDoc } from "./extract-doc.ts";
import { extractXls } from "./extract-xls.ts";
import type { Extraction } from "./extraction.ts";
import { contentOf } from "#worker/library/attachments/sniff-format.ts";
import { joinBytes } from "#worker/platform/join-bytes.ts";

/** What Office wraps a newer file in when it has a password. */
const WRAPPED = "EncryptedPackage";

/** The answer to a file that only its password opens. */
export const PROTECTED: Extraction = { ok: false, reason: "This file is protected by a password." };

/** True for a newer file that has a password, however large it is. */
export async function isProtected(source: ByteSource): Promise<boolean> {
  return contentOf(await source.read(0, HEADER_BYTES)) === "compound" && (await readRootNames(source)).has(WRAPPED.toUpperCase());
}

/** The text of a Word or Excel file as they were before 2007; what else lies in it, files put into others too, is not its text. */
export function extractOldOffice(bytes: Uint8Array): Extraction {
  if (contentOf(bytes) === "biff") return extractXls(bytes);
  const { has, read } = openCompound(bytes);
  if (has(WRAPPED)) return PROTECTED;
  if (has("WordDocument")) return extractDoc(read);
  const workbook = read("Workbook") ?? read("Book");
  return workbook ? extractXls(workbook) : { ok: false, reason: "This is no Word or Excel file that can be read." };
}

/** Sectors of the longest directory that is read: some hundred entries, where a protected file has about ten. */
const DIRECTORY_SECTORS = 64;

/** The names, in capitals, of the streams in the root of a compound file that is too large to be read whole: only its directory is read. */
async function readRootNames(source: ByteSource): Promise<ReadonlySet<string>> {
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
