import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { deflate, xlsx, zip } from "#test/support/office-files.ts";
import { indexOf } from "#worker/library/passages/passage-index/stub.ts";
import { indexFile, indexText } from "#worker/library/passages/index-file.ts";
import { readTableChunks } from "#worker/library/passages/read-plain.ts";

/** Enough text between two headings for a passage of its own. */
const FILLER = "The machine stands on an even place, away from water and from whatever is hot. ".repeat(4);

const MANUAL = `# Coffee machine

${FILLER}

## Cleaning

### Descaling

Run the descaling programme every forty days with two tablets of citric acid. ${FILLER}

## Warranty

The warranty lasts thirty months from the day of purchase. ${FILLER}
`;

function place(name: string) {
  return { indexId: crypto.randomUUID(), ownerId: crypto.randomUUID(), document: { id: "manual", name } };
}

async function store(text: string): Promise<{ key: string; size: number }> {
  const key = `contexts/${crypto.randomUUID()}`;
  const bytes = new TextEncoder().encode(text);
  await env.FILES.put(key, bytes);
  return { key, size: bytes.byteLength };
}

test("a text's passages keep to its headings and are found by their words", async () => {
  const at = place("Manual.md");
  await indexText(env, at, MANUAL);
  const index = indexOf(env, at.indexId);
  const [first] = await index.search({ query: "How often do I have to descale it?", limit: 3 });
  expect(first).toMatchObject({ document: { id: "manual", name: "Manual.md" }, heading: "Coffee machine › Cleaning › Descaling" });
  expect((await index.read({ characters: 100_000 })).map(({ text }) => text).join("")).toBe(MANUAL);
  expect(await index.show({ documentId: "manual", start: first?.start ?? -1, end: first?.start ?? -1 })).toMatchObject({
    document: { name: "Manual.md" },
  });
});

test("a table's passages keep to its rows, name them and say their header", async () => {
  const rows = Array.from({ length: 400 }, (_, at) => `SKU-${at + 1},Lamp number ${at + 1},${(at + 1) * 3} EUR`);
  const file = await store(`article,name,price\n${rows.join("\n")}\n`);
  const at = place("Prices.csv");
  expect(await indexFile(env, at, { ...file, format: "csv" })).toEqual({
    ok: true,
    pages: null,
    isComplete: true,
    isOutdone: false,
    characters: file.size,
  });
  const [hit] = await indexOf(env, at.indexId).search({ query: "price of SKU 317", limit: 1 });
  expect(hit?.text).toContain("SKU-317,Lamp number 317,951 EUR\n");
  expect(hit).toMatchObject({ header: "article,name,price" });
  expect(hit?.row).toBeLessThanOrEqual(318);
  expect(hit?.last_row).toBeGreaterThanOrEqual(318);
});

test("a table without an end of line is read in pieces, and a quoted cell may hold ends of lines", async () => {
  const chunks = ["name,note\n", '"Ada","one\ntwo ""three""\nfour"\n', "x".repeat(250_000), `"${"y\n".repeat(60_000)}`];
  const blocks = [];
  const bytes = new TextEncoder().encode(chunks.join(""));
  for await (const { text } of readTableChunks({ size: bytes.length, read: async (at, length) => bytes.slice(at, at + length) }))
    blocks.push(text);
  expect(blocks.join("")).toBe(chunks.join(""));
  expect(blocks.slice(0, 2)).toEqual(chunks.slice(0, 2));
  expect(Math.max(...blocks.map(({ length }) => length))).toBeLessThanOrEqual(200_000);
});

test("a document that is written anew replaces what it held, and one that has nothing to read is gone", async () => {
  const at = place("Manual.md");
  const index = indexOf(env, at.indexId);
  await indexText(env, at, MANUAL);
  await indexText(env, at, "# Toaster\n\nIt toasts.");
  expect((await index.read({ characters: 100_000 })).map(({ text }) => text).join("")).toBe("# Toaster\n\nIt toasts.");
  expect(await index.search({ query: "warranty", limit: 3 })).toEqual([]);
  await indexText(env, at, " ");
  expect((await index.describe()).documents).toEqual([]);
});

test("a workbook is read row by row to its last one, whatever its length", async () => {
  const cell = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const row = (values: string[]) => `<row>${values.map(cell).join("")}</row>`;
  const rows = Array.from({ length: 30_000 }, (_, at) =>
    row([`order-${at + 1}`, `Customer number ${at + 1} of the northern branch`, `${at * 3} EUR`]),
  );
  const bytes = xlsx(row(["order", "customer", "sum"]) + rows.join(""));
  const key = `contexts/${crypto.randomUUID()}`;
  await env.FILES.put(key, bytes);
  const at = place("Orders.xlsx");
  const read = await indexFile(env, at, { key, format: "xlsx", size: bytes.byteLength });
  expect(read).toMatchObject({ ok: true, isComplete: true });
  const [hit] = await indexOf(env, at.indexId).search({ query: "order-29998", limit: 1 });
  expect(hit).toMatchObject({ sheet: "Plan & costs", header: "order,customer,sum" });
  expect(hit?.text).toContain("order-29998,Customer number 29998");
});

test("what unpacks to more than may be read is read as far as that, and no row is waited for without end", async () => {
  const bomb = await deflate(new TextEncoder().encode("<worksheet><sheetData>" + "<c>".repeat(1_500_000)));
  const parts = xlsx("<row><c><v>7</v></c></row>");
  const at = place("Bomb.xlsx");
  const key = `contexts/${crypto.randomUUID()}`;
  const bytes = zip([
    ...["xl/workbook.xml", "xl/_rels/workbook.xml.rels"].map((name) => ({ name, bytes: partOf(parts, name) })),
    { name: "xl/worksheets/sheet1.xml", bytes: new Uint8Array(4_500_000), packed: bomb },
  ]);
  await env.FILES.put(key, bytes);
  expect(await indexFile(env, at, { key, format: "xlsx", size: bytes.byteLength })).toMatchObject({ ok: false });
  expect((await indexOf(env, at.indexId).describe()).documents).toEqual([]);
});

/** The bytes of a part that is stored as it is. */
function partOf(archive: Uint8Array, name: string): Uint8Array {
  const text = new TextDecoder("latin1").decode(archive);
  const from = text.indexOf(name) + name.length;
  return archive.slice(from, text.indexOf("PK\u0003\u0004", from));
}
