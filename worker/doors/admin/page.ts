import { AppError } from "#worker/platform/errors/app-error.ts";

/** A cursor's parts as they were joined; the last takes what is left, so it alone may hold the separator. Throws INVALID_INPUT. */
export function partsOf(cursor: string, count: number): string[] {
  const parts = cursor.split("~");
  if (parts.length < count) throw new AppError("INVALID_INPUT", { message: "That page is not there." });
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join("~")];
}

/** A page of rows that were asked for with one more than it holds, and where the next one begins. */
export function toPage<Row>(rows: Row[], { limit, cursorOf }: { limit: number; cursorOf: (last: Row) => string }) {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { page, nextCursor: last === undefined ? null : cursorOf(last) };
}
