import { ERRORS, type ErrorCode } from "#shared/errors.ts";

type Options = { message?: string; cause?: unknown; headers?: Record<string, string> };

/** A failure with a code of the one table; thrown anywhere, answered in one place. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, { message, cause, headers = {} }: Options = {}) {
    super(message ?? ERRORS[code].message, { cause });
    this.name = "AppError";
    this.code = code;
    this.headers = headers;
  }

  get status(): (typeof ERRORS)[ErrorCode]["status"] {
    return ERRORS[this.code].status;
  }
}

/** What an object's method answers instead of throwing: a thrown error loses its class across RPC. */
export type Outcome<T> =
  | { ok: true; value: T }
  /** `retryAfter` in seconds. */
  | { ok: false; code: ErrorCode; message?: string; retryAfter?: number };

/** The value of an outcome, or its failure thrown as an `AppError`. */
export function unwrap<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  const { code, message, retryAfter } = outcome;
  throw new AppError(code, {
    ...(message !== undefined && { message }),
    ...(retryAfter !== undefined && { headers: { "retry-after": String(retryAfter) } }),
  });
}
