/** Values of files that anybody may have written: what is not of the type that it should be is not there. */

export function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

export function numberOrNull(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** A list, or an empty one. */
export function listOrEmpty(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** An object's fields, or none. */
export function fieldsOrEmpty(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** True for what is neither a list nor a simple value. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Text that stands as it is, in a block of code that is longer than any fence in it. */
export function codeBlock(text: string, language = ""): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([fence]) => fence.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language.replaceAll(/[^\w+#.-]/g, "")}\n${text.replace(/(?<!\n)\n+$/, "")}\n${fence}`;
}
