/** One JSON line for an operator; causes are reduced to name, message and stack, and never carry request bodies or secrets. */
function line(message: string, fields: Record<string, unknown>): string {
  return JSON.stringify({ message, ...fields }, (_key, value: unknown) =>
    value instanceof Error ? { name: value.name, message: value.message, stack: value.stack, cause: value.cause } : value,
  );
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
