import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { type Part, pdfOf } from "#test/support/pdf-objects.ts";
import { fromBytes } from "#worker/library/attachments/readers/byte-source.ts";
import { readFileText } from "#worker/library/attachments/readers/read-file-text.ts";

const FORM_TEXT: Part = { dictionary: "", data: "BT /F1 12 Tf 72 720 Td (Application) Tj ET" };
const FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
const LOOK: Part = {
  dictionary: "/Type /XObject /Subtype /Form /BBox [0 0 200 20] /Resources << /Font << /F1 5 0 R >> >>",
  data: "BT /F1 12 Tf 2 2 Td (Signed in Berlin, A. Lovelace) Tj ET",
};

/** A page with these fields and notes. */
function form(...fields: string[]): Uint8Array {
  const refs = fields.map((_, place) => `${place + 7} 0 R`).join(" ");
  return pdfOf([
    `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${refs}] /DA (/F1 12 Tf 0 g) >> >>`,
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /Annots [${refs}] >>`,
    FORM_TEXT,
    FONT,
    LOOK,
    ...fields.map((field) => `<< /Type /Annot /Rect [0 0 200 20] ${field} >>`),
  ]);
}

const widget = (rest: string) => `/Subtype /Widget ${rest}`;
const box = (name: string, state: string) => widget(`/FT /Btn /T (${name}) /V /${state} /AS /${state} /AP << /N << /Yes 6 0 R >> >>`);

it("a form's values are read with the names of their fields: typed, chosen, ticked, and what is noted beside them", async () => {
  const bytes = form(
    widget("/FT /Tx /T (form1[0].page[0].Street[0]) /V (12 Canal Street)"),
    widget("/FT /Tx /T (name) /TU (Full name) /V <FEFF00410064006100200160>"),
    widget("/FT /Ch /Ff 131072 /T (country) /V (de) /Opt [[(de) (Germany)] [(fr) (France)]]"),
    box("agree", "Yes"),
    box("newsletter", "Off"),
    widget("/FT /Tx /T (empty)"),
    widget("/FT /Tx /Ff 8192 /T (pin) /V (4711)"),
    widget("/FT /Tx /F 2 /T (hidden) /V (not shown)"),
    "/Subtype /FreeText /Contents (A note) /AP << /N 6 0 R >>",
  );
  const read = await readFileText("pdf", fromBytes(bytes), env.ASSETS);
  expect(read.ok && read.text.trim().split("\n")).toEqual([
    "[Page 1]",
    "Application",
    "",
    "Signed in Berlin, A. Lovelace",
    "Street: 12 Canal Street",
    "Full name: Ada Š",
    "country: Germany",
    "agree: yes",
  ]);
});
