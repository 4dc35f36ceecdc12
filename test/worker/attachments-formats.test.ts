import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { FileFormat } from "#shared/attachment-rules.ts";
import { putAttachment } from "#shared/contracts/chat/attachments.ts";
import { compound, docStreams, joinBytes, pdf, relations, xlsStream, zip } from "#test/support/office-files.ts";
import { excel5Stream, firstExcel } from "#test/support/old-workbooks.ts";
import { signIn } from "#test/support/worker.ts";
import { fromBytes } from "#worker/library/attachments/readers/byte-source.ts";
import { readFileText } from "#worker/library/attachments/readers/read-file-text.ts";
import { sniffFormat } from "#worker/library/attachments/sniff-format.ts";

const encoder = new TextEncoder();
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** What an upload of this file answers. */
async function upload(name: string, bytes: Uint8Array) {
  const client = await signIn();
  const path = `/api/chat/${crypto.randomUUID()}/attachments/${crypto.randomUUID()}`;
  const answer = await client.fetch(`${path}?name=${name}`, { method: "PUT", body: bytes });
  return putAttachment.response?.parse(await answer.json()).attachment;
}

async function textOf(format: FileFormat, bytes: Uint8Array): Promise<string> {
  const found = await readFileText(format, fromBytes(bytes), env.ASSETS);
  return found.ok ? found.text : `refused: ${found.reason}`;
}

describe("a Word or Excel file from before 2007", () => {
  const workbook = { Workbook: xlsStream("from the sheet", 1) };

  it("a Word or Excel file from before 2007 is what its root says, whatever is embedded in it and wherever that stands in its directory", async () => {
    const own = docStreams("the letter's own");
    expect(await textOf("doc", compound({ ObjectPool: { _1: workbook }, ...own }))).toBe("the letter's own");
    expect(await textOf("doc", compound({ ...own, ObjectPool: { _1: workbook } }))).toBe("the letter's own");
    const inner = { ObjectPool: { _1: { "1Table": new Uint8Array(8), ...docStreams("the inner one's") } } };
    expect(await textOf("doc", compound({ ...inner, ...own }))).toBe("the letter's own");
    expect(await textOf("doc", compound({ ...own, ...inner }))).toBe("the letter's own");
    expect(await textOf("xls", compound({ MBD0001: docStreams("a letter"), ...workbook }))).toBe("## Old\n\nfrom the sheet,1");
    expect(await textOf("doc", compound({ ObjectPool: { _1: { EncryptedPackage: new Uint8Array(1) } }, ...own }))).toBe("the letter's own");
  });

  it("a Word or Excel file from before 2007 is found by names in any case", async () => {
    const shouted = Object.entries(docStreams("the letter's own")).map(([name, bytes]) => [name.toUpperCase(), bytes]);
    expect(await textOf("doc", compound(Object.fromEntries(shouted)))).toBe("the letter's own");
    expect(await textOf("xls", compound({ WORKBOOK: xlsStream("from the sheet", 1) }))).toBe("## Old\n\nfrom the sheet,1");
  });

  it("a Word or Excel file from before 2007 that only holds others, or is of another program, is none", async () => {
    const reason = "refused: This is no Word or Excel file that can be read.";
    expect(await textOf("doc", compound({ ObjectPool: { _1: docStreams("inner") } }))).toBe(reason);
    expect(await textOf("xls", compound({ "PowerPoint Document": new Uint8Array(8) }))).toBe(reason);
  });
});

describe("a workbook from before 1997", () => {
  const sheet = { name: latin1("Bl\u00e4tter"), label: latin1("M\u00fcll"), rich: latin1("bold"), date: 34_700, result: latin1("a, b") };

  it("a workbook from before 1997 of Excel 5 or 95 is read, in the characters of its code page", async () => {
    expect(await textOf("xls", compound({ Book: excel5Stream(1252, sheet) }))).toBe('## Bl\u00e4tter\n\nM\u00fcll,1995-01-01,bold,"a, b"');
    const shiftJis = { name: new Uint8Array([0x95, 0x5c]), label: new Uint8Array([0x93, 0x8c, 0x8b, 0x9e]) };
    expect(await textOf("xls", compound({ Book: excel5Stream(932, { ...sheet, ...shiftJis }) }))).toMatch(/^## \u8868\n\n\u6771\u4eac,/);
    const mac = { label: new Uint8Array([0x80]) };
    expect(await textOf("xls", compound({ Book: excel5Stream(10_000, { ...sheet, ...mac }) }))).toContain("\n\u00c4,");
    const bare = excel5Stream(1252, sheet);
    expect(sniffFormat("a.xls", bare)).toBe("xls");
    expect(await textOf("xls", bare)).toContain("M\u00fcll,1995-01-01");
  });

  it("a workbook from before 1997 of an older Excel is taken, and refused with its age", async () => {
    const ages = { 2: "Excel 2, from 1987", 3: "Excel 3, from 1990", 4: "Excel 4, from 1992" };
    for (const version of [2, 3, 4] as const) {
      const old = firstExcel(version);
      const unread = `This workbook is too old to be read: it is in the format of ${ages[version]}.`;
      expect(await upload("a.xls", old)).toMatchObject({ kind: "spreadsheet", unread });
    }
    const broken = compound({ Book: new Uint8Array(1) });
    expect(await textOf("xls", broken)).toContain("it is in the format of Excel 95 or an older version.");
  });

  it("a workbook from before 1997 or a document of that age says so", async () => {
    const main = new Uint8Array(1024);
    main.set([0xdc, 0xa5]);
    expect(await textOf("doc", compound({ WordDocument: main }))).toContain("in the format of Word 95 or an older version.");
  });
});

it("an .xlsx file with a password says that it is protected", async () => {
  const locked = compound({ EncryptionInfo: new Uint8Array(8), EncryptedPackage: new Uint8Array(64) });
  expect(await upload("a.xlsx", locked)).toMatchObject({ kind: "spreadsheet", unread: "This file is protected by a password." });
  expect(await textOf("xlsx", locked)).toBe("refused: This file is protected by a password.");
});

it("an .xlsx file with a password says so however large it is, and a large one without that it is too large", async () => {
  const large = new Uint8Array(11 * 1024 * 1024);
  expect(await textOf("xlsx", compound({ EncryptedPackage: large, EncryptionInfo: new Uint8Array(8) }))).toBe(
    "refused: This file is protected by a password.",
  );
  const inner = { ObjectPool: { EncryptedPackage: new Uint8Array(64) } };
  expect(await textOf("xls", compound({ Workbook: large, ...inner }))).toBe("refused: Files of this type are read up to 10 MB.");
});

it("an .xlsx file with backslashes in its paths is read", async () => {
  const parts = {
    "_rels\\.rels": relations([["rId1", "officeDocument", "xl\\workbook.xml"]]),
    "xl\\workbook.xml": '<workbook><sheets><sheet name="Plan" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl\\_rels\\workbook.xml.rels": relations([["rId1", "worksheet", "worksheets\\sheet1.xml"]]),
    "xl\\sharedStrings.xml": "<sst><si><t>shared</t></si></sst>",
    "xl\\worksheets\\sheet1.xml": '<worksheet><sheetData><row><c t="s"><v>0</v></c><c><v>7</v></c></row></sheetData></worksheet>',
  };
  const file = zip(Object.entries(parts).map(([name, text]) => ({ name, bytes: encoder.encode(text) })));
  expect(await textOf("xlsx", file)).toBe("## Plan\n\nshared,7");
});

it("a PDF with bytes before its header is a PDF, and read", async () => {
  const late = joinBytes(encoder.encode("\r\n"), new Uint8Array(900), pdf("after all that"));
  expect(await upload("a.pdf", late)).toMatchObject({ kind: "pdf", unread: null });
  expect(await textOf("pdf", late)).toBe("[Page 1]\nafter all that");
});

it("a PDF with bytes before its header is none where they are those of another kind of file, or too many", () => {
  const header = encoder.encode("%PDF-1.7");
  expect(sniffFormat("a.pdf", joinBytes(new Uint8Array([0x50, 0x4b, 0x03, 0x04]), header))).toBeNull();
  expect(sniffFormat("a.pdf", joinBytes(new Uint8Array(1_024), header))).toBeNull();
  expect(sniffFormat("a.txt", joinBytes(encoder.encode("About "), header))).toBe("text");
});
