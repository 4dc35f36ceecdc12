import { env } from "cloudflare:workers";
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { FileFormat } from "#shared/attachment-rules.ts";
import { putAttachment } from "#shared/contracts/chat/attachments.ts";
import { compound, deflate, docStreams, docx, joinBytes, pdf, relations, xls, xlsx, zip } from "#test/support/office-files.ts";
import { sampleOf } from "#test/support/cases.ts";
import { hostilePdfs } from "#test/support/hostile-pdfs.ts";
import { pdfOf } from "#test/support/pdf-objects.ts";
import { signIn } from "#test/support/worker.ts";
import { fromBytes } from "#worker/library/attachments/readers/byte-source.ts";
import { extractDoc } from "#worker/library/attachments/readers/extract-doc.ts";
import { TEXT_LENGTH } from "#worker/library/attachments/readers/extraction.ts";
import { readFileText } from "#worker/library/attachments/readers/read-file-text.ts";
import { runJobs } from "#worker/jobs.ts";

const encoder = new TextEncoder();
const read = (format: FileFormat, bytes: Uint8Array) => readFileText(format, fromBytes(bytes.slice()), env.ASSETS);
const TOO_MUCH = "This PDF takes too much work to be read. It may be damaged.";

/** One of each kind of limit that it runs into. */
const SAMPLE = [
  "a page tree that runs in a circle",
  "rows of gigabytes",
  "nesting without end",
  "forms that call each other ten times over",
  "a letter that stands for a book",
];

describe("a hostile PDF", async () => {
  const files = await hostilePdfs();

  it.each(sampleOf(files, SAMPLE))(
    "a hostile PDF with %s ends, with what was read before, and the next one is read as ever",
    async (_, bytes) => {
      const found = await read("pdf", bytes);
      expect(found.ok ? found.text : found.reason).toMatch(
        /^\[Page 1\]\nbefore(?:again|$)|too much work|no text in this PDF|is damaged|no PDF that can be read/,
      );
      expect(await read("pdf", pdf("as ever"))).toEqual({ ok: true, text: "[Page 1]\nas ever", isComplete: true, pages: 1 });
    },
  );

  it("a hostile PDF that is given up says so, and does not pass for whole", async () => {
    const outcome = async (name: string) => read("pdf", files[name] ?? new Uint8Array());
    for (const name of ["a stream that inflates to gigabytes", "a font's widths without end", "rows of gigabytes"]) {
      expect(await outcome(name)).toMatchObject({ ok: false, reason: TOO_MUCH });
    }
    expect(await outcome("forms that call each other ten times over")).toMatchObject({ ok: true, isComplete: false });
  });

  it("a hostile PDF keeps no other PDF from being read at the same time", async () => {
    const bomb = files["a stream that inflates to gigabytes"] ?? new Uint8Array();
    const all = await Promise.all([read("pdf", bomb), read("pdf", pdf("one")), read("pdf", pdf("two"))]);
    expect(all.map(({ ok }) => ok)).toEqual([false, true, true]);
  });

  it("a hostile PDF, or one that is locked, cut off or empty, says why there is no text", async () => {
    const catalog = "<< /Type /Catalog /Pages 2 0 R >>";
    const locked = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${"41".repeat(32)}> /U <${"42".repeat(32)}> /P -4 >> /ID [<00> <00>]`;
    const reasons = [pdfOf([catalog, "<< /Type /Pages /Kids [] /Count 0 >>"], locked), pdf("x").subarray(0, 120)];
    expect(await Promise.all(reasons.map((bytes) => read("pdf", bytes)))).toEqual([
      { ok: false, reason: "This PDF is protected by a password." },
      { ok: false, reason: "This is no PDF that can be read." },
    ]);
    expect(await read("pdf", pdfOf([catalog, "<< /Type /Pages /Kids [] /Count 0 >>"]))).toMatchObject({ ok: false });
  });

  it("a hostile PDF is kept as it came, said to be unread, and its job is done", async () => {
    const client = await signIn();
    const bytes = files["a font's widths without end"] ?? new Uint8Array();
    const path = `/api/chat/${crypto.randomUUID()}/attachments/${crypto.randomUUID()}`;
    const put = await client.fetch(`${path}?name=a.pdf`, { method: "PUT", body: bytes });
    expect(putAttachment.response?.parse(await put.json()).attachment).toMatchObject({ kind: "pdf", unread: TOO_MUCH });
    expect(new Uint8Array(await (await client.fetch(path)).arrayBuffer())).toEqual(bytes);

    const key = `chats/${crypto.randomUUID()}/attachments/a/b`;
    await env.FILES.put(key, bytes);
    const body = { kind: "file.read" as const, key, format: "pdf" as const, size: bytes.byteLength };
    const batch = createMessageBatch("polylogue-reads", [{ id: "job", timestamp: new Date(), attempts: 1, body }]);
    await runJobs(batch, env);
    expect(await getQueueResult(batch, createExecutionContext())).toMatchObject({ explicitAcks: ["job"], retryMessages: [] });
  });
});

it("a hostile Word or Excel file of a hundred thousand files is no document", async () => {
  const names = Array.from({ length: 100_000 }, (_, n) => ({ name: `word/${n}.xml`, bytes: new Uint8Array() }));
  const main = { name: "word/document.xml", bytes: encoder.encode("<w:p><w:t>in</w:t></w:p>") };
  expect(await read("docx", zip([main, ...names]))).toEqual({ ok: false, reason: "This is no Word document that can be read." });
});

it("a hostile Word or Excel file within another is not opened, and sizes that lie change nothing", async () => {
  const xml = encoder.encode("<w:p><w:t>inner</w:t></w:p>");
  const inner = zip([{ name: "word/document.xml", bytes: new Uint8Array(), packed: await deflate(xml) }]);
  expect(await read("docx", zip([{ name: "word/document.xml", bytes: inner }]))).toMatchObject({ ok: false });
  const lying = docx("<w:p><w:t>told as it is</w:t></w:p>");
  const view = new DataView(lying.buffer, lying.byteOffset, lying.byteLength);
  for (let at = 0; at + 46 <= lying.byteLength; at += 1) {
    const isEntry = view.getUint32(at, true) === 0x02014b50;
    if (isEntry) for (const size of [20, 24]) view.setUint32(at + size, 0xffffffff, true);
  }
  expect(await read("docx", lying)).toMatchObject({ ok: true, text: expect.stringContaining("told as it is") });
});

it("a hostile Word or Excel file with entities of entities expands none", async () => {
  const laughs = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join("");
  const xml = `<!DOCTYPE x [<!ENTITY l0 "ha">${laughs}]><w:document><w:p><w:t>&l9;</w:t></w:p></w:document>`;
  const found = await read("docx", zip([{ name: "word/document.xml", bytes: encoder.encode(xml) }]));
  expect(found).toEqual({ ok: true, text: "&l9;", isComplete: true });
});

it("a hostile Word or Excel file whose cells all share one long text, or hold all the paragraphs there are, costs no more than its text", async () => {
  const cells = Array.from({ length: 16_000 }, () => '<c t="s"><v>0</v></c>').join("");
  const shared = await read("xlsx", xlsx(`<row>${cells}</row>`, ["x".repeat(500_000)]));
  expect(shared.ok && shared.text.length).toBe(TEXT_LENGTH);
  const paragraphs = await read("docx", docx(`<w:tbl><w:tr><w:tc>${"<w:p><w:t>ab</w:t></w:p>".repeat(300_000)}</w:tc></w:tr></w:tbl>`));
  expect(paragraphs.ok && paragraphs.text.length).toBe(3 * 300_000 - 1);
});

it("a hostile Word or Excel file with a sheet for each request there is stops before that", async () => {
  const names = Array.from({ length: 20_000 }, (_, n) => `rId${n}`);
  const workbook = `<workbook><sheets>${names.map((id) => `<sheet name="${id}" r:id="${id}"/>`).join("")}</sheets></workbook>`;
  const parts = {
    "xl/workbook.xml": workbook,
    "xl/_rels/workbook.xml.rels": relations(names.map((id) => [id, "worksheet", "worksheets/sheet1.xml"])),
  };
  const found = await read("xlsx", xlsx('<row><c r="A1"><v>7</v></c></row>', [], parts));
  expect(found).toMatchObject({ ok: true, isComplete: false });
  expect(found.ok && found.text.split("## ")).toHaveLength(401);
});

it("a hostile Word or Excel file from before 2007 with fields in fields, or sectors of a byte, ends", async () => {
  const fields = `${"\u0013\u0014".repeat(100_000)}${"x".repeat(200_000)}`;
  const streams = docStreams(fields);
  expect(extractDoc((name) => streams[name] ?? null)).toMatchObject({ ok: true, text: "x".repeat(200_000) });
  const tiny = joinBytes(xls("x", 1), new Uint8Array(8 * 1024 * 1024));
  new DataView(tiny.buffer).setUint16(30, 0, true);
  expect(await read("xls", tiny)).toEqual({ ok: false, reason: "This file could not be read." });
});

it("a hostile Word or Excel file from before 2007 whose directory runs in circles, or is one long branch, is read as far as it goes", async () => {
  const circular = compound(docStreams("all the same"));
  const view = new DataView(circular.buffer);
  // Every entry stands beside the last one and within itself.
  for (let entry = 0; entry < 3; entry += 1) {
    view.setUint32(1024 + entry * 128 + 68, 2, true);
    view.setUint32(1024 + entry * 128 + 72, 1, true);
    if (entry > 0) view.setUint32(1024 + entry * 128 + 76, entry, true);
  }
  expect(await read("doc", circular)).toMatchObject({ ok: true, text: "all the same" });
  const storages = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`storage ${n}`, {}]));
  expect(await read("doc", compound({ ...docStreams("behind all"), ...storages }))).toMatchObject({ ok: true, text: "behind all" });
});
