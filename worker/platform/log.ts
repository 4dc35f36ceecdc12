import { errorFields, plainText } from "#worker/platform/errors/plain-error.ts";

/** One JSON line for an operator: of a cause what `plainError` lets through, of other texts what is neither a secret nor somebody's address. */
function line(message: string, { cause, ...fields }: Record<string, unknown>): string {
  // What is no error may be whatever a service said.
  const loggedCause = cause instanceof Error ? errorFields(cause) : cause === undefined ? undefined : typeof cause;
  return JSON.stringify({ message, ...fields, cause: loggedCause }, (_key, value: unknown) => {
    if (value instanceof Error) return errorFields(value);
    return typeof value === "string" ? plainText(value) : value;
  });
}

export const log = {
  /** Something an operator should look at. */
  error(message: string, fields: Record<string, unknown> = {}): void {
    // oxlint-disable-next-line no-console
    console.error(line(message, fields));
  },
  /** Something that happened, and is no trouble. */
  event(message: string, fields: Record<string, unknown>): void {
    // oxlint-disable-next-line no-console
    console.info(line(message, fields));
  },
  /** What is written of some requests alone (http/log-requests.ts). */
  sample(message: string, fields: Record<string, unknown>): void {
    // oxlint-disable-next-line no-console
    console.log(line(message, fields));
  },
  /** Something that passes by itself but is worth knowing. */
  warn(message: string, fields: Record<string, unknown> = {}): void {
    // oxlint-disable-next-line no-console
    console.warn(line(message, fields));
  },
};
