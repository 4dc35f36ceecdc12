import { isFailedQuery } from "./db/failed-query.ts";

/** One JSON line for an operator; causes are reduced to name, message and stack, and never carry request bodies, queries' values or secrets. */
function line(message: string, fields: Record<string, unknown>): string {
  return JSON.stringify({ message, ...fields }, (_key, value: unknown) => (value instanceof Error ? errorFields(value) : value));
}

function errorFields(error: Error): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  if (!isFailedQuery(error)) return { name, message, stack, cause };
  // The stack repeats the message before its frames.
  return { name, message: "a query failed", stack: stack?.split(message)[1], cause };
}

/** The Worker's log. */
export const log = {
  /** Something an operator should look at. */
  error(message: string, fields: Record<string, unknown> = {}): void {
    // oxlint-disable-next-line no-console
    console.error(line(message, fields));
  },
  /** Something that passes by itself but is worth knowing. */
  warn(message: string, fields: Record<string, unknown> = {}): void {
    // oxlint-disable-next-line no-console
    console.warn(line(message, fields));
  },
};
