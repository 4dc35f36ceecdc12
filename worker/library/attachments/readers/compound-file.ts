import { joinBytes } from "#worker/platform/join-bytes.ts";

/** Microsoft's compound files ([MS-CFB]): the container of Word and Excel files before 2007. */

export const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
/** The sizes that sectors may have ([MS-CFB] 2.2); smaller ones would make millions of a file. */
const SECTOR_BYTES: ReadonlySet<number> = new Set([512, 4096]);
const MINI_BYTES = 64;
const STREAM = 2;
const ROOT = 5;
/** Where an entry says which ones stand beside it, before and after, and which one within it ([MS-CFB] 2.6.1). */
const BEFORE_AT = 68;
const AFTER_AT = 72;
const WITHIN_AT = 76;
/** Sector numbers from here on mean the end of a chain, or none. */
export const LAST_SECTOR = 0xfffffffa;
export const DIFAT_IN_HEADER = 109;

type Entry = { name: string; type: number; start: number; size: number; beside: [number, number]; within: number };

/** The streams in a file's root, by names in any case. */
type Compound = { has: (name: string) => boolean; read: (name: string) => Uint8Array | null };

/** What lies in a compound file's root, which says what the file is: deeper down are the files embedded in it. Throws a RangeError for what is broken. */
export function openCompound(bytes: Uint8Array): Compound {
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sectorBytes = sectorBytesOf(header);
  const miniBytes = MINI_BYTES;
  const cutoff = header.getUint32(56, true);
  const sectors = Math.floor((bytes.byteLength - HEADER_BYTES) / sectorBytes) + 1;
  const sector = (index: number) => bytes.subarray((index + 1) * sectorBytes, (index + 2) * sectorBytes);

  const fat = numbersIn(joinBytes(fatSectors().map(sector)));
  const chain = (start: number) => joinBytes(follow(fat, start, sectors).map(sector));
  const entries = readEntries(chain(header.getUint32(48, true)));
  const miniFat = numbersIn(chain(header.getUint32(60, true)));
  const root = rootOf(entries);
  const mini = root ? chain(root.start) : new Uint8Array();
  const streams = streamsIn(entries);

  function fatSectors(): number[] {
    const found: number[] = [];
    for (let index = 0; index < DIFAT_IN_HEADER; index += 1) found.push(header.getUint32(76 + index * 4, true));
    let next = header.getUint32(68, true);
    for (let seen = 0; next < LAST_SECTOR && seen < sectors && found.length < DIFAT_IN_HEADER + sectors; seen += 1) {
      const more = numbersIn(sector(next));
      found.push(...more.slice(0, -1));
      next = more.at(-1) ?? LAST_SECTOR;
    }
    // Enough for all sectors: a circular list names the same ones without end.
    return found.filter((index) => index < sectors).slice(0, Math.ceil(sectors / (sectorBytes / 4)));
  }

  function read(name: string): Uint8Array | null {
    const entry = streams.get(name.toUpperCase());
    if (!entry) return null;
    if (entry.size >= cutoff) return chain(entry.start).subarray(0, entry.size);
    const limit = Math.ceil(mini.byteLength / miniBytes);
    const miniSectors = follow(miniFat, entry.start, limit).map((index) => mini.subarray(index * miniBytes, (index + 1) * miniBytes));
    return joinBytes(miniSectors).subarray(0, entry.size);
  }

  return { has: (name) => streams.has(name.toUpperCase()), read };
}

/** How large a file's sectors are, by its header. Throws a RangeError for what is no such size. */
export function sectorBytesOf(header: DataView): number {
  const sectorBytes = 2 ** header.getUint16(30, true);
  const isKnown = SECTOR_BYTES.has(sectorBytes) && 2 ** header.getUint16(32, true) === MINI_BYTES;
  if (!isKnown) throw new RangeError("There are no sectors of such a size.");
  return sectorBytes;
}

function rootOf(entries: Entry[]): Entry | undefined {
  return entries.find(({ type }) => type === ROOT);
}

/** The streams right within a directory's root, by their names in capitals. They stand in a search tree, which is walked as a whole: not every writer sorts it. */
export function streamsIn(entries: Entry[]): Map<string, Entry> {
  const streams = new Map<string, Entry>();
  // Each entry once: a hostile tree runs in a circle.
  const visited = new Set<number>();
  for (const waiting = [rootOf(entries)?.within ?? LAST_SECTOR]; waiting.length > 0;) {
    const index = waiting.pop() ?? -1;
    const entry = entries[index];
    if (!entry || visited.has(index)) continue;
    visited.add(index);
    if (entry.type === STREAM) streams.set(entry.name.toUpperCase(), entry);
    waiting.push(...entry.beside);
  }
  return streams;
}

/** A chain's sectors; one that runs in a circle ends after as many as there are. */
function follow(table: number[], start: number, limit: number): number[] {
  const chain: number[] = [];
  for (let at = start; at < LAST_SECTOR && chain.length < limit; at = table[at] ?? LAST_SECTOR) chain.push(at);
  return chain;
}

export function readEntries(directory: Uint8Array): Entry[] {
  const view = new DataView(directory.buffer, directory.byteOffset, directory.byteLength);
  const decoder = new TextDecoder("utf-16le");
  const entries: Entry[] = [];
  for (let at = 0; at + ENTRY_BYTES <= directory.byteLength; at += ENTRY_BYTES) {
    const nameBytes = Math.min(64, Math.max(0, view.getUint16(at + 64, true) - 2));
    const name = decoder.decode(directory.subarray(at, at + nameBytes));
    entries.push({
      name,
      type: view.getUint8(at + 66),
      start: view.getUint32(at + 116, true),
      size: view.getUint32(at + 120, true),
      beside: [view.getUint32(at + BEFORE_AT, true), view.getUint32(at + AFTER_AT, true)],
      within: view.getUint32(at + WITHIN_AT, true),
    });
  }
  return entries;
}

/** The 32-bit numbers that a sector of a table holds. */
export function numbersIn(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.byteLength / 4) }, (_, index) => view.getUint32(index * 4, true));
}
