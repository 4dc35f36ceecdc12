import { unzipSync } from "fflate";
import { expect, it } from "vitest";
import { openArchive } from "#worker/account/account-export/zip/archive.ts";
import { centralRecord, descriptor, endRecords, localHeader } from "#worker/account/account-export/zip/format.ts";
import { safeName } from "#worker/account/account-export/zip/safe-name.ts";
import { segmentWriter } from "#worker/account/account-export/zip/segments.ts";

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const concatenated = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    concatenated.set(part, at);
    at += part.length;
  }
  return concatenated;
}

/** A ZIP of what `fill` adds. */
async function written(fill: (archive: ReturnType<typeof openArchive>) => Promise<void>): Promise<Uint8Array> {
  const writtenParts: { data: Uint8Array[]; directory: Uint8Array[] } = { data: [], directory: [] };
  const into = (where: "data" | "directory") =>
    segmentWriter((_, bytes) => Promise.resolve(void writtenParts[where].push(bytes.slice())), where);
  const [data, directory] = [into("data"), into("directory")];
  const archive = openArchive({ offset: 0, data, directory });
  await fill(archive);
  await data.finish();
  await directory.finish();
  const end = endRecords({ entries: archive.entries(), size: directory.size(), offset: data.size() });
  return joined([...writtenParts.data, ...writtenParts.directory, end]);
}

it("a ZIP is read by another reader: texts, bytes as they are, and names in UTF-8", async () => {
  const long = "ä😀x".repeat(200_000);
  const bytes = Uint8Array.from({ length: 300_000 }, (_, at) => at % 251);
  const zip = await written(async (archive) => {
    await archive.text("chats/Grüße 🎉.md", long, "2026-11-23T06:30:00.000Z");
    await archive.text("empty.txt", "");
    await archive.file("files/a.png", new Blob([bytes]).stream(), { at: new Date(0), isDeflated: false });
  });
  const entries = unzipSync(zip);
  expect(Object.keys(entries)).toEqual(["chats/Grüße 🎉.md", "empty.txt", "files/a.png"]);
  expect(new TextDecoder().decode(entries["chats/Grüße 🎉.md"])).toBe(long);
  expect(entries["files/a.png"]).toEqual(bytes);
  expect(zip.length).toBeLessThan(400_000);
});

it("a ZIP of more entries than 16 bits count has the records of ZIP64", () => {
  const at = new Date("2026-11-23T06:30:00.000Z");
  const count = 66_000;
  const data: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (let index = 0; index < count; index += 1) {
    const entry = { name: `e/${index}`, at, isDeflated: false, crc: 0, packed: 0, size: 0, offset };
    const parts = [localHeader(entry), descriptor(entry)];
    data.push(...parts);
    directory.push(centralRecord(entry));
    offset += parts.reduce((sum, { length }) => sum + length, 0);
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const names = Object.keys(unzipSync(joined([...data, ...directory, endRecords({ entries: count, size, offset })])));
  expect(names).toHaveLength(count);
  expect(names.at(-1)).toBe(`e/${count - 1}`);
});

it("a ZIP beyond 4 GB says where an entry and the directory begin in 64 bits", () => {
  const offset = 5 * 1024 ** 3;
  const entry = { name: "far", at: new Date(), isDeflated: false, crc: 1, packed: 2, size: 2, offset };
  const record = centralRecord(entry);
  const view = new DataView(record.buffer, record.byteOffset);
  expect(view.getUint32(42, true)).toBe(0xffffffff);
  expect([view.getUint16(49, true), view.getUint16(51, true)]).toEqual([1, 8]);
  expect(view.getBigUint64(53, true)).toBe(BigInt(offset));
  const end = endRecords({ entries: 1, size: record.length, offset });
  const ends = new DataView(end.buffer, end.byteOffset);
  expect(ends.getUint32(0, true)).toBe(0x06064b50);
  expect(ends.getBigUint64(48, true)).toBe(BigInt(offset));
  expect(ends.getUint32(56, true)).toBe(0x07064b50);
  expect(ends.getBigUint64(64, true)).toBe(BigInt(offset + record.length));
});

it("a name in a ZIP leads nowhere else and can be written on every system", () => {
  expect(safeName("../../etc/passwd", "file")).toBe("_.._etc_passwd");
  expect(safeName("..", "file")).toBe("file");
  expect(safeName("C:\\Windows\\a.txt", "file")).toBe("C_Windows_a.txt");
  expect(safeName("con.txt", "file")).toBe("_con.txt");
  expect(safeName("a\u0000b\u202egpj.exe", "file")).toBe("a_b_gpj.exe");
  expect(safeName("  ", "New Chat")).toBe("New Chat");
  expect(safeName("Ende. ", "file")).toBe("Ende");
  const long = safeName(`${"ü".repeat(300)}.pdf`, "file");
  expect(new TextEncoder().encode(long).length).toBeLessThanOrEqual(120);
  expect(long).toMatch(/ü\.pdf$/);
});
