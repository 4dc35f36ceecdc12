import * as z from "zod/mini";
import type { PDFPageProxy } from "./pdfjs.ts";

const Text = z.nullish(z.string());

/** What lies on a page beside its text, as far as somebody wrote it: a form's field, or a note. */
const Annotation = z.object({
  subtype: z.string(),
  hidden: z.optional(z.boolean()),
  password: z.optional(z.boolean()),
  fieldType: Text,
  fieldName: Text,
  /** How a field is called where people read it. */
  alternativeText: Text,
  fieldValue: z.nullish(z.union([z.string(), z.array(z.string())])),
  checkBox: z.optional(z.boolean()),
  radioButton: z.optional(z.boolean()),
  exportValue: Text,
  buttonValue: Text,
  options: z.optional(z.array(z.object({ exportValue: Text, displayValue: Text }))),
  textContent: z.nullish(z.array(z.string())),
  contentsObj: z.nullish(z.object({ str: z.string() })),
});
type Annotation = z.infer<typeof Annotation>;

/** What was typed into a page's fields, chosen in them and noted on it, a line each: `Full name: Ada Lovelace`. */
export async function readFields(page: PDFPageProxy): Promise<string[]> {
  const annotations: unknown[] = await page.getAnnotations();
  return annotations.flatMap((annotation) => {
    const parsed = Annotation.safeParse(annotation);
    const line = parsed.success && parsed.data.hidden !== true ? lineOf(parsed.data) : null;
    return line === null || line.trim() === "" ? [] : [line];
  });
}

function lineOf(annotation: Annotation): string | null {
  if (annotation.subtype === "FreeText") return annotation.textContent?.join("\n").trim() || (annotation.contentsObj?.str ?? null);
  if (annotation.subtype !== "Widget" || annotation.password === true) return null;
  const value = valueOf(annotation)?.trim();
  return value ? `${nameOf(annotation)}: ${value}` : null;
}

/** A field's own words for itself, else the last part of its technical name: of `form[0].page[0].Street[0]` the street. */
function nameOf({ alternativeText: text, fieldName }: Annotation): string {
  return (
    text?.trim() ||
    (fieldName ?? "")
      .split(".")
      .at(-1)
      ?.replaceAll(/\[\d+\]/g, "") ||
    "Field"
  );
}

function valueOf({ fieldType, fieldValue: value, ...field }: Annotation): string | null {
  if (fieldType === "Btn") {
    const own = field.radioButton ? field.buttonValue : field.checkBox ? field.exportValue : null;
    if (!own || value !== own) return null;
    return /^(yes|on|true|1)$/i.test(own) ? "yes" : own;
  }
  if (fieldType === "Ch") {
    const chosen = typeof value === "string" ? [value] : (value ?? []);
    return chosen.map((one) => field.options?.find(({ exportValue }) => exportValue === one)?.displayValue || one).join(", ");
  }
  return typeof value === "string" ? value : null;
}
