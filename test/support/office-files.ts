/** Small files of the types that people attach, made here, so a test says what is in them. */

const encoder = new TextEncoder();

type Entry = { name: string; bytes: Uint8Array; packed?: Uint8Array };

/** Joins byte arrays. */
export function joinBytes(...byteArrays: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(byteArrays.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const byteArray of byteArrays) {
    joined.set(byteArray, at);
    at += byteArray.byteLength;
  }
  return joined;
}

/** Numbers of two or four bytes, the lowest first. */
export function fields(...values: [bytes: 2 | 4, value: number][]): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.reduce((sum, [bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [bytes, value] of values) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
}

/** A zip archive; an entry with `packed` bytes is marked as deflated. Checksums are left out, as no reader of ours looks at them. */
export function zip(entries: Entry[]): Uint8Array {
  const byteArrays: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const { name, bytes, packed } of entries) {
    const title = encoder.encode(name);
    const body = packed ?? bytes;
    const sizes: [2 | 4, number][] = [
      [4, 0],
      [4, body.byteLength],
      [4, bytes.byteLength],
      [2, title.byteLength],
      [2, 0],
    ];
    const start: [2 | 4, number][] = [
      [2, 20],
      [2, 0],
      [2, packed ? 8 : 0],
      [4, 0],
    ];
    const local = joinBytes(fields([4, 0x04034b50], ...start, ...sizes), title, body);
    directory.push(joinBytes(fields([4, 0x02014b50], [2, 20], ...start, ...sizes, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]), title));
    byteArrays.push(local);
    at += local.byteLength;
  }
  const central = joinBytes(...directory);
  const end = fields([4, 0x06054b50], [2, 0], [2, 0], [2, entries.length], [2, entries.length], [4, central.byteLength], [4, at], [2, 0]);
  return joinBytes(...byteArrays, central, end);
}

/** Bytes deflated, as zip archives hold them unless another format is asked for. */
export async function deflate(bytes: Uint8Array, format: "deflate-raw" | "deflate" = "deflate-raw"): Promise<Uint8Array> {
  const packed = new Blob([joinBytes(bytes)]).stream().pipeThrough(new CompressionStream(format));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

function texts(parts: Record<string, string>): Entry[] {
  return Object.entries(parts).map(([name, text]) => ({ name, bytes: encoder.encode(text) }));
}

/** A Word document whose body is this XML; `parts` are further ones by their names. */
export function docx(body: string, parts: Record<string, string> = {}): Uint8Array {
  return zip(
    texts({ "[Content_Types].xml": "<Types/>", "word/document.xml": `<w:document><w:body>${body}</w:body></w:document>`, ...parts }),
  );
}

/** The part that names a document's main part. */
export function mainRelation(path: string): string {
  return relations([["rId1", "officeDocument", path]]);
}

/** A part of relations: ids, kinds and targets. */
export function relations(list: readonly [id: string, kind: string, target: string][]): string {
  const type = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  return `<Relationships>${list.map(([id, kind, target]) => `<Relationship Id="${id}" Type="${type}/${kind}" Target="${target}"/>`).join("")}</Relationships>`;
}

/** An Excel workbook of one sheet with these rows of XML; `strings` are its shared strings, cell style 1 shows dates; `parts` take the place of those of their names. */
export function xlsx(rows: string, strings: string[] = [], parts: Record<string, string> = {}): Uint8Array {
  return zip(
    texts({
      "xl/workbook.xml": '<workbook><sheets><sheet name="Plan &amp; costs" sheetId="1" r:id="rId1"/></sheets></workbook>',
      "xl/_rels/workbook.xml.rels": '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
      "xl/sharedStrings.xml": `<sst>${strings.map((text) => `<si><t>${text}</t></si>`).join("")}</sst>`,
      "xl/styles.xml": '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
      "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      ...parts,
    }),
  );
}

/** A PDF of one page with this text, plain letters only. */
export function pdf(text: string): Uint8Array {
  return pdfOfPages([text]);
}

/** A PDF with a page for each of these texts, plain letters only. */
export function pdfOfPages(pages: readonly string[]): Uint8Array {
  const contents = pages.map((text) => `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`);
  const kids = pages.map((_, at) => `${4 + 2 * at} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...contents.flatMap((content, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + 2 * at} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ]),
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return String(at).padStart(10, "0");
  });
  const table = offsets.map((at) => `${at} 00000 n \n`).join("");
  const size = objects.length + 1;
  return encoder.encode(
    `${file}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF`,
  );
}

/** A sound PDF of so many bytes: pages of text, and on each of them a picture that takes its share. */
export function largePdf(pages: readonly string[], size: number): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(size);
  const offsets: number[] = [];
  let at = 0;
  const write = (text: string) => {
    at += encoder.encodeInto(text, file.subarray(at)).written;
  };
  const object = (text: string, more?: () => void) => {
    offsets.push(at);
    write(`${offsets.length} 0 obj\n${text}`);
    more?.();
    write("\nendobj\n");
  };
  const [each, picture] = [4, Math.floor(size / pages.length) - 2_048];
  const first = (page: number) => 4 + each * page;
  write("%PDF-1.4\n");
  object("<< /Type /Catalog /Pages 2 0 R >>");
  object(`<< /Type /Pages /Kids [${pages.map((_, page) => `${first(page)} 0 R`).join(" ")}] /Count ${pages.length} >>`);
  object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  for (const [page, text] of pages.entries()) {
    const [own, content] = [first(page), `BT /F1 12 Tf 72 720 Td (${text}) Tj ET /I1 Do`];
    const resources = `<< /Font << /F1 3 0 R >> /XObject << /I1 ${own + 2} 0 R >> >>`;
    object(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${own + 1} 0 R /Resources ${resources} >>`);
    object(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
    object(
      `<< /Type /XObject /Subtype /Image /Width 64 /Height 64 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length ${picture} >>\nstream\n`,
      () => {
        file.fill(0x41 + (page % 26), at, at + picture);
        at += picture;
        write("\nendstream");
      },
    );
    object("<< >>");
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const count = offsets.length + 1;
  const start = at;
  write(`xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`);
  return file.subarray(0, at);
}

/** What stands at the beginning of a PNG of this size; enough for what only reads sizes. */
export function png(width: number, height: number): Uint8Array {
  const chunk = new DataView(new ArrayBuffer(25));
  chunk.setUint32(0, 13);
  chunk.setUint32(4, 0x49484452);
  chunk.setUint32(8, width);
  chunk.setUint32(12, height);
  chunk.setUint8(16, 8);
  chunk.setUint8(17, 2);
  return joinBytes(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), new Uint8Array(chunk.buffer));
}

const SECTOR = 512;
const END = 0xfffffffe;
const NONE = 0xffffffff;
const ENTRIES_A_SECTOR = 4;

/** What lies in a compound file by names: streams, and storages with their own. */
type Storage = { [name: string]: Uint8Array | Storage };
type Stored = { name: string; bytes: Uint8Array | null; within: number; after: number };

/** A compound file with these streams and storages, the directory last; each stream is padded to the 4,096 bytes from which one has sectors of its own. */
export function compound(storage: Storage): Uint8Array {
  const root: Stored = { name: "Root Entry", bytes: null, within: NONE, after: NONE };
  const list = [root];
  root.within = addEntries(list, storage);
  const directorySectors = Math.ceil(list.length / ENTRIES_A_SECTOR);
  const contents = list.reduce((sum, { bytes }) => sum + (bytes?.byteLength ?? 0) / SECTOR, directorySectors);
  const { tables, lists } = tablesFor(contents);
  const fat: number[] = [...Array.from({ length: tables }, () => 0xfffffffd), ...Array.from({ length: lists }, () => 0xfffffffc)];
  const addChain = (sectors: number) => {
    const first = fat.length;
    for (let index = 1; index <= sectors; index += 1) fat.push(index === sectors ? END : first + index);
    return first;
  };
  const entries = list.map((stored, index) => {
    const type = index === 0 ? 5 : stored.bytes ? 2 : 1;
    const size = stored.bytes?.byteLength ?? 0;
    return entry(stored, { type, start: stored.bytes ? addChain(size / SECTOR) : END, size });
  });
  const directoryAt = addChain(directorySectors);
  const directory = joinBytes(...entries, new Uint8Array(directorySectors * SECTOR - entries.length * 128));
  const inLists = Array.from({ length: lists }, (_, at) => {
    const from = IN_HEADER + at * (NUMBERS - 1);
    return [...numbersFrom(from, Math.min(from + NUMBERS - 1, tables), NUMBERS - 1), at === lists - 1 ? END : tables + at + 1];
  });
  return joinBytes(
    compoundHeader({ tables, lists, directoryAt }),
    numbers(fat, tables * NUMBERS),
    numbers(inLists.flat(), lists * NUMBERS),
    ...list.flatMap(({ bytes }) => bytes ?? []),
    directory,
  );
}

/** Numbers of four bytes, which a sector holds 128 of; the header has room for the first 109 sectors of the table. */
const NUMBERS = SECTOR / 4;
const IN_HEADER = 109;

/** How many sectors a table has that lists these, itself and the lists of its own sectors. */
function tablesFor(contents: number): { tables: number; lists: number } {
  for (let tables = 1; ; tables += 1) {
    const lists = Math.max(0, Math.ceil((tables - IN_HEADER) / (NUMBERS - 1)));
    if (tables * NUMBERS >= contents + tables + lists) return { tables, lists };
  }
}

function numbersFrom(from: number, to: number, length: number): number[] {
  return Array.from({ length }, (_, index) => (from + index < to ? from + index : NONE));
}

function numbers(list: number[], length: number): Uint8Array {
  const bytes = new Uint8Array(length * 4).fill(0xff);
  const view = new DataView(bytes.buffer);
  for (const [index, number] of list.entries()) view.setUint32(index * 4, number, true);
  return bytes;
}

/** Adds a storage's entries, each beside the one before it, and answers the last one's number. */
function addEntries(list: Stored[], storage: Storage): number {
  let after = NONE;
  for (const [name, value] of Object.entries(storage)) {
    const bytes = value instanceof Uint8Array ? padded(value) : null;
    const within = value instanceof Uint8Array ? NONE : addEntries(list, value);
    list.push({ name, bytes, within, after });
    after = list.length - 1;
  }
  return after;
}

function padded(bytes: Uint8Array): Uint8Array {
  const size = Math.max(4096, Math.ceil(bytes.byteLength / SECTOR) * SECTOR);
  return joinBytes(bytes, new Uint8Array(size - bytes.byteLength));
}

function compoundHeader({ tables, lists, directoryAt }: { tables: number; lists: number; directoryAt: number }): Uint8Array {
  const bytes = new Uint8Array(SECTOR).fill(0xff, 76);
  bytes.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  const view = new DataView(bytes.buffer);
  view.setUint16(30, 9, true);
  view.setUint16(32, 6, true);
  view.setUint32(44, tables, true);
  view.setUint32(48, directoryAt, true);
  view.setUint32(56, 4096, true);
  view.setUint32(60, END, true);
  view.setUint32(68, lists === 0 ? END : tables, true);
  bytes.set(numbers(numbersFrom(0, tables, IN_HEADER), IN_HEADER), 76);
  return bytes;
}

function entry({ name, within, after }: Stored, { type, start, size }: { type: number; start: number; size: number }): Uint8Array {
  const bytes = new Uint8Array(128);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < name.length; index += 1) view.setUint16(index * 2, name.charCodeAt(index), true);
  view.setUint16(64, (name.length + 1) * 2, true);
  view.setUint8(66, type);
  view.setUint32(68, NONE, true);
  view.setUint32(72, after, true);
  view.setUint32(76, within, true);
  view.setUint32(116, start, true);
  view.setUint32(120, size, true);
  return bytes;
}

/** A Word 97 document of one piece of text. */
export function doc(text: string): Uint8Array {
  return compound(docStreams(text));
}

/** The streams of such a document. */
export function docStreams(text: string): Record<string, Uint8Array> {
  const from = 1024;
  const main = new Uint8Array(from + text.length * 2);
  const view = new DataView(main.buffer);
  view.setUint16(0, 0xa5ec, true);
  const clx = joinBytes(new Uint8Array([2]), fields([4, 16], [4, 0], [4, text.length], [2, 0], [4, from], [2, 0]));
  view.setUint32(0x01a2, 0, true);
  view.setUint32(0x01a6, clx.byteLength, true);
  for (let index = 0; index < text.length; index += 1) view.setUint16(from + index * 2, text.charCodeAt(index), true);
  return { WordDocument: main, "0Table": clx };
}

/** One record of an old workbook. */
export function record(id: number, data: Uint8Array): Uint8Array {
  return joinBytes(fields([2, id], [2, data.byteLength]), data);
}

/** An Excel 97 workbook of one sheet `Old` with a text in A1 and a number in B1. */
export function xls(text: string, value: number): Uint8Array {
  return compound({ Workbook: xlsStream(text, value) });
}

/** The stream of such a workbook. */
export function xlsStream(text: string, value: number): Uint8Array {
  const double = new Uint8Array(new Float64Array([value]).buffer);
  const bof = (kind: number) => record(0x0809, fields([2, 0x0600], [2, kind], [4, 0], [4, 0], [4, 0]));
  const label = encoder.encode(text);
  const globals = (sheetAt: number) =>
    joinBytes(
      bof(5),
      record(0x0085, joinBytes(fields([4, sheetAt], [2, 0]), new Uint8Array([3, 0]), encoder.encode("Old"))),
      record(0x00fc, joinBytes(fields([4, 1], [4, 1], [2, label.byteLength]), new Uint8Array([0]), label)),
      record(0x000a, new Uint8Array()),
    );
  const sheet = joinBytes(
    bof(0x10),
    record(0x00fd, fields([2, 0], [2, 0], [2, 0], [4, 0])),
    record(0x0203, joinBytes(fields([2, 0], [2, 1], [2, 0]), double)),
    record(0x000a, new Uint8Array()),
  );
  return joinBytes(globals(globals(0).byteLength), sheet);
}
