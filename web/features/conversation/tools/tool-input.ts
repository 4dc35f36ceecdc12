/** A field of a call's input; undefined where the input is no object. */
function fieldOf(input: unknown, name: string): unknown {
  if (typeof input !== "object" || input === null) return undefined;
  return Object.entries(input).find(([key]) => key === name)?.[1];
}

/** The texts of the first of these fields that holds any: one text or a list of them. */
export function listOf(input: unknown, ...names: string[]): string[] {
  for (const name of names) {
    const value = fieldOf(input, name);
    const texts = (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === "string" && item.trim() !== "");
    if (texts.length > 0) return texts.map((text) => text.trim());
  }
  return [];
}

/** The first text of the first of these fields that holds any, or null. */
export function firstText(input: unknown, ...names: string[]): string | null {
  return listOf(input, ...names)[0] ?? null;
}

/** JSON in indented lines; a text that is JSON too, any other text as it is. */
export function readable(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value, null, 2) ?? "";
  const isJson = /^\s*[{[]/.test(value);
  if (!isJson) return value;
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}

/** True for an input that says nothing: no arguments. */
export function isEmptyInput(input: unknown): boolean {
  return input === null || input === undefined || input === "" || (typeof input === "object" && Object.keys(input).length === 0);
}

/** The host of an address without `www.`, or what was given instead of one. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, "") : url;
}

/** True for the address of a file of a chat. */
export function isOwnFile(url: string): boolean {
  return /^\/api\/chat\/[0-9a-f-]{36}\/attachments\/[0-9a-f-]{36}$/.test(url);
}
