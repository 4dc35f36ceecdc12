/** Workbooks as Excel wrote them before 1997. */
import { fields, joinBytes, record } from "./office-files.ts";

const BOF = 0x0809;
const EXCEL_5 = 0x0500;
const EOF = record(0x000a, new Uint8Array());

/** A sheet of such a workbook: texts are bytes of the book's code page. */
type Sheet = { name: Uint8Array; label: Uint8Array; rich: Uint8Array; date: number; result: Uint8Array };

/** The stream of an Excel 5 workbook of one sheet: a text, a date, a text with formats and a formula whose result is a text. */
export function excel5Stream(codePage: number, { name, label, rich, date, result }: Sheet): Uint8Array {
  const begin = (kind: number) => record(BOF, fields([2, EXCEL_5], [2, kind], [4, 0]));
  const code = new TextEncoder().encode("d/m/yy");
  const globals = (sheetAt: number) =>
    joinBytes(
      begin(0x0005),
      record(0x0042, fields([2, codePage])),
      record(0x041e, joinBytes(fields([2, 164]), new Uint8Array([code.byteLength]), code)),
      record(0x00e0, fields([2, 0], [2, 0], [4, 0], [4, 0], [4, 0])),
      record(0x00e0, fields([2, 0], [2, 164], [4, 0], [4, 0], [4, 0])),
      record(0x0085, joinBytes(fields([4, sheetAt], [2, 0]), new Uint8Array([name.byteLength]), name)),
      EOF,
    );
  const text = (id: number, column: number, bytes: Uint8Array, after = new Uint8Array()) =>
    record(id, joinBytes(fields([2, 0], [2, column], [2, 0], [2, bytes.byteLength]), bytes, after));
  const sheet = joinBytes(
    begin(0x0010),
    text(0x0204, 0, label),
    record(0x0203, joinBytes(fields([2, 0], [2, 1], [2, 1]), new Uint8Array(new Float64Array([date]).buffer))),
    text(0x00d6, 2, rich, new Uint8Array([1, 0, 0])),
    record(0x0006, joinBytes(fields([2, 0], [2, 3], [2, 0], [2, 0], [4, 0], [2, 0xffff]), new Uint8Array(8))),
    record(0x0207, joinBytes(fields([2, result.byteLength]), result)),
    EOF,
  );
  return joinBytes(globals(globals(0).byteLength), sheet);
}

/** The beginning of a workbook of one of the first versions of Excel, which had one sheet and no file around it. */
export function firstExcel(version: 2 | 3 | 4): Uint8Array {
  const ids = { 2: 0x0009, 3: 0x0209, 4: 0x0409 };
  const rest = version === 2 ? [] : [0, 0];
  return joinBytes(record(ids[version], new Uint8Array([version, 0, 0x10, 0, ...rest])), EOF);
}
