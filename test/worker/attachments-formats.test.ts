import { describe, expect, it } from "vitest";
import type { FileFormat } from "#shared/attachment-rules.ts";
import { putAttachment } from "#shared/contracts/attachments.ts";
import { compound, docStreams, xlsStream } from "#test/support/office-files.ts";
import { excel5Stream, firstExcel } from "#test/support/old-workbooks.ts";
import { signIn } from "#test/support/worker.ts";
import { fromBytes } from "#worker/attachments/byte-source.ts";
import { readFileText } from "#worker/attachments/read-file-text.ts";
import { sniffFormat } from "#worker/attachments/sniff-format.ts";

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** What an upload of this file answers. */
async function upload(name: string, bytes: Uint8Array) {
  const client = await signIn();
  const path = `/api/chat/${crypto.randomUUID()}/attachments/${crypto.randomUUID()}`;
  const answer = await client.fetch(`${path}?name=${name}`, { method: "PUT", body: bytes });
  return putAttachment.response?.parse(await answer.json()).attachment;
}

async function textOf(format: FileFormat, bytes: Uint8Array): Promise<string> {
  const found = await readFileText(format, fromBytes(bytes));
  return found.ok ? found.text : `refused: ${found.reason}`;
}

describe("a Word or Excel file from before 2007", () => {
  const workbook = { Workbook: xlsStream("from the sheet", 1) };

  it("is what its root says, whatever is embedded in it and wherever that stands in its directory", async () => {
    const own = docStreams("the letter's own");
    expect(await textOf("doc", compound({ ObjectPool: { _1: workbook }, ...own }))).toBe("the letter's own");
    expect(await textOf("doc", compound({ ...own, ObjectPool: { _1: workbook } }))).toBe("the letter's own");
    const inner = { ObjectPool: { _1: { "1Table": new Uint8Array(8), ...docStreams("the inner one's") } } };
    expect(await textOf("doc", compound({ ...inner, ...own }))).toBe("the letter's own");
    expect(await textOf("doc", compound({ ...own, ...inner }))).toBe("the letter's own");
    expect(await textOf("xls", compound({ MBD0001: docStreams("a letter"), ...workbook }))).toBe("## Old\n\nfrom the sheet,1");
    expect(await textOf("doc", compound({ ObjectPool: { _1: { EncryptedPackage: new Uint8Array(1) } }, ...own }))).toBe("the letter's own");
  });

  it("is found by names in any case", async () => {
    const shouted = Object.entries(docStreams("the letter's own")).map(([name, bytes]) => [name.toUpperCase(), bytes]);
    expect(await textOf("doc", compound(Object.fromEntries(shouted)))).toBe("the letter's own");
    expect(await textOf("xls", compound({ WORKBOOK: xlsStream("from the sheet", 1) }))).toBe("## Old\n\nfrom the sheet,1");
  });

  it("that only holds others, or is of another program, is none", async () => {
    const reason = "refused: This is no Word or Excel file that can be read.";
    expect(await textOf("doc", compound({ ObjectPool: { _1: docStreams("inner") } }))).toBe(reason);
    expect(await textOf("xls", compound({ "PowerPoint Document": new Uint8Array(8) }))).toBe(reason);
  });
});

describe("a workbook from before 1997", () => {
  const sheet = { name: latin1("Bl\u00e4tter"), label: latin1("M\u00fcll"), rich: latin1("bold"), date: 34_700, result: latin1("a, b") };

  it("of Excel 5 or 95 is read, in the characters of its code page", async () => {
    expect(await textOf("xls", compound({ Book: excel5Stream(1252, sheet) }))).toBe('## Bl\u00e4tter\n\nM\u00fcll,1995-01-01,bold,"a, b"');
    const shiftJis = { name: new Uint8Array([0x95, 0x5c]), label: new Uint8Array([0x93, 0x8c, 0x8b, 0x9e]) };
    expect(await textOf("xls", compound({ Book: excel5Stream(932, { ...sheet, ...shiftJis }) }))).toMatch(/^## \u8868\n\n\u6771\u4eac,/);
    const mac = { label: new Uint8Array([0x80]) };
    expect(await textOf("xls", compound({ Book: excel5Stream(10_000, { ...sheet, ...mac }) }))).toContain("\n\u00c4,");
    const bare = excel5Stream(1252, sheet);
    expect(sniffFormat("a.xls", bare)).toBe("xls");
    expect(await textOf("xls", bare)).toContain("M\u00fcll,1995-01-01");
  });

  it("of an older Excel is taken, and refused with its age", async () => {
    const ages = { 2: "Excel 2, from 1987", 3: "Excel 3, from 1990", 4: "Excel 4, from 1992" };
    for (const version of [2, 3, 4] as const) {
      const old = firstExcel(version);
      const unread = `This workbook is too old to be read: it is in the format of ${ages[version]}.`;
      expect(await upload("a.xls", old)).toMatchObject({ kind: "spreadsheet", unread });
    }
    const broken = compound({ Book: new Uint8Array(1) });
    expect(await textOf("xls", broken)).toContain("it is in the format of Excel 95 or an older version.");
  });

  it("or a document of that age says so", async () => {
    const main = new Uint8Array(1024);
    main.set([0xdc, 0xa5]);
    expect(await textOf("doc", compound({ WordDocument: main }))).toContain("in the format of Word 95 or an older version.");
  });
});
