import { LONG_WORD } from "./seed/titles.ts";

const ROWS = 200;
/** As long as a name may be. */
const LONG_NAMES = [
  `${LONG_WORD} of the harbour`,
  "Everything that was said about larch, steel and amber light in the meeting of 3 November, with all app",
];
const NAMES = new Set(["name", "title", "label", "display_name", "first_name", "username"]);
const TEXTS = new Set(["text", "content", "description", "preview", "message", "note"]);
const EMAILS = new Set(["email", "address", "user_email", "invited_email"]);
const LONG_TEXT = `${LONG_NAMES[1]}. ${LONG_WORD}, ${"and what the sea does to it in winter, ".repeat(6)}until spring.`;

/** An answer as it is after years: its lists have 200 rows, its names and texts are as long as they may be. */
export function stretched(body: Record<string, unknown>): unknown {
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, stretch(key, value, 0)]));
}

function stretch(key: string, value: unknown, n: number): unknown {
  if (Array.isArray(value)) return many(value);
  if (typeof value === "object" && value !== null) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, stretch(k, v, n)]));
  if (typeof value !== "string") return value;
  if (NAMES.has(key)) return LONG_NAMES[n % LONG_NAMES.length];
  if (TEXTS.has(key)) return LONG_TEXT;
  return EMAILS.has(key) && value !== "" ? `${LONG_WORD.toLowerCase().slice(0, 60)}@lighting-and-wayfinding.example` : value;
}

/** Rows of their own where they have an id; what has none may be a choice among few. */
function many(rows: unknown[]): unknown[] {
  const hasIds = rows.every((row) => typeof row === "object" && row !== null && "id" in row && /^[\da-f-]{36}$/.test(String(row.id)));
  if (!hasIds || rows.length === 0) return rows.map((row, n) => stretch("", row, n));
  return Array.from({ length: ROWS }, (_, n) => {
    const row = stretch("", rows[n % rows.length], n);
    return n < rows.length || typeof row !== "object" ? row : { ...row, id: crypto.randomUUID() };
  });
}
