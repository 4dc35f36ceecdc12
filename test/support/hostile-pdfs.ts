/** PDFs made to take all time or memory of whoever reads them, each small and quick to make. */
import { cjkFont } from "./cjk-pdfs.ts";
import { deflate, joinBytes } from "./office-files.ts";
import { CATALOG, page, type Part, pdfOf } from "./pdf-objects.ts";

const encoder = new TextEncoder();
const SHOW_F2 = { dictionary: "", data: "BT /F2 12 Tf 72 700 Td <0041> Tj ET" };

/** Every hostile PDF by what it does. */
export async function hostilePdfs(): Promise<Record<string, Uint8Array>> {
  const megabytes = new Uint8Array(32 * 1024 * 1024).fill(0x20);
  const packed = await deflate(megabytes, "deflate");
  const twice = await deflate(packed, "deflate");
  const forms = Array.from({ length: 12 }, (_, level): Part => ({
    dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F1 5 0 R >> /XObject << /X ${level + 9} 0 R >> >>`,
    data: `BT /F1 9 Tf (again) Tj ET ${"/X Do ".repeat(10)}`,
  }));
  const composite = (widths: string) =>
    `<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /ToUnicode 8 0 R /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> ${widths} >>] >>`;
  const toUnicode = (body: string): Part => ({
    dictionary: "",
    data: `1 begincodespacerange <0000> <FFFF> endcodespacerange ${body}`,
  });
  const tables = Array.from({ length: 400 }, (_, n) => n);
  return {
    "pages of pages of pages": pdfOf([
      CATALOG,
      ...Array.from({ length: 50_000 }, (_, depth) => `<< /Type /Pages /Kids [${depth + 3} 0 R] /Count 1 >>`),
    ]),
    "a page tree that runs in a circle": pdfOf([CATALOG, "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2000000000 >>"]),
    "a stream that inflates to gigabytes": page({
      contents: "7 0 R ".repeat(500),
      objects: [{ dictionary: "/Filter /FlateDecode", data: packed }],
    }),
    "a stream packed twice": page({
      contents: "7 0 R ".repeat(500),
      objects: [{ dictionary: "/Filter [/FlateDecode /FlateDecode]", data: twice }],
    }),
    "a picture of gigabytes for a text": page({
      contents: "7 0 R",
      objects: [{ dictionary: "/Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 60000 /Rows 60000 >>", data: new Uint8Array(4_000) }],
    }),
    "rows of gigabytes": page({
      contents: "7 0 R",
      objects: [{ dictionary: "/Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns 200000000 >>", data: packed }],
    }),
    "a quarter of a million objects": joinBytes(page({}), encoder.encode("9 0 obj null endobj\n".repeat(250_000))),
    "nesting without end": page({ contents: "7 0 R", objects: [{ dictionary: "", data: "[".repeat(5_000_000) }] }),
    "forms that call each other ten times over": page({
      contents: "7 0 R",
      resources: "/XObject << /X 8 0 R >>",
      objects: [{ dictionary: "", data: "/X Do" }, ...forms],
    }),
    "a form that calls itself": page({
      contents: "7 0 R",
      resources: "/XObject << /X 8 0 R >>",
      objects: [
        { dictionary: "", data: "/X Do" },
        {
          dictionary: "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 8 0 R >> >>",
          data: "/X Do ".repeat(100),
        },
      ],
    }),
    "a font's table of characters without end": page({
      contents: "7 0 R",
      font: composite(""),
      objects: [SHOW_F2, toUnicode(`100 beginbfrange ${"<000000> <FFFFFE> <0041> ".repeat(100)} endbfrange`)],
    }),
    "a font's widths without end": page({
      contents: "7 0 R",
      font: composite("/W [0 2000000000 500]"),
      objects: [SHOW_F2, toUnicode("1 beginbfchar <0041> <0041> endbfchar")],
    }),
    "a letter that stands for a book": page({
      contents: "7 0 R",
      font: composite(""),
      objects: [
        { dictionary: "", data: `BT /F2 1 Tf 72 700 Td <${"0041".repeat(500_000)}> Tj ET` },
        toUnicode(`1 beginbfchar <0041> <${"0042".repeat(20_000)}> endbfchar`),
      ],
    }),
    "hundreds of fonts, each with a table of its own made of the largest one": page({
      contents: "7 0 R",
      fonts: tables.map((n) => `/T${n} ${8 + 2 * n} 0 R`).join(" "),
      objects: [
        { dictionary: "", data: tables.map((n) => `BT /T${n} 9 Tf <00004e00> Tj ET`).join("\n") },
        ...tables.flatMap((n): Part[] => [
          cjkFont(`${9 + 2 * n} 0 R`, "CNS1"),
          { dictionary: "", data: "/UniCNS-UTF32-H usecmap 1 begincidchar <00000001> 1 endcidchar" },
        ]),
      ],
    }),
  };
}
