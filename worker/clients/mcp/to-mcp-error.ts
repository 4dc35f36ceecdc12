import * as z from "zod/mini";
import { McpError } from "./mcp-error.ts";

type Signals = {
  /** Aborted where an answer was too large. */
  over: AbortSignal;
  /** The caller's own: what it ends is no failure of the server's. */
  own: AbortSignal;
};

/** As much of the protocol client's errors as distinguishes them; they hold it as data, not as classes that outlive its copies. */
const ErrorFields = z.looseObject({
  name: z.optional(z.string()),
  message: z._default(z.string(), ""),
  code: z.optional(z.union([z.string(), z.number()])),
  status: z.optional(z.number()),
  cause: z.optional(z.unknown()),
});

/** A failure in the product's terms; a signal's own reason stays what it is. */
export function toMcpError(error: unknown, { over, own }: Signals): unknown {
  if (own.aborted) return own.reason;
  if (over.aborted) return over.reason;
  const inner = findInner(error);
  if (inner) return inner;
  const { name, code, status, message } = read(error);
  const scope = scopeWanted(error);
  if (scope !== undefined) return new McpError("sign_in", MORE, error, scope);
  if (name === "UnauthorizedError" || name === "InsufficientScopeError" || code === "CLIENT_HTTP_AUTHENTICATION") return signIn(error);
  if (status === 401 || status === 403) return signIn(error);
  if (code === "REQUEST_TIMEOUT") return new McpError("timeout", "The server did not answer in time.", error);
  if (typeof code === "number") return new McpError("refused", `The server refused this: ${message.slice(0, SAID_LENGTH)}`, error);
  if (status === 404 || (status === 400 && /session/i.test(message))) return new McpError("lost", "This is not an MCP endpoint.", error);
  if (status === 405 || status === 406 || status === 415) return new McpError("not_mcp", "This is not an MCP endpoint.", error);
  if (status !== undefined) return new McpError("unreachable", `The server answered with status ${status}.`, error);
  if (code === "LIST_PAGINATION_EXCEEDED") return new McpError("refused", "The server's list of tools does not end.", error);
  if (code === "INVALID_RESULT" || name === "ZodError" || name === "$ZodError")
    return new McpError("refused", "The server's answer is not valid.", error);
  if (/content.?type|not valid json|unexpected token/i.test(saidBy(error)))
    return new McpError("not_mcp", "This is not an MCP endpoint.", error);
  if (/redirect/i.test(saidBy(error))) return new McpError("unreachable", "The server sends elsewhere, which is not followed.", error);
  return new McpError("unreachable", "The server could not be reached.", error);
}

const SAID_LENGTH = 1_000;
const DEPTH = 5;

function signIn(cause: unknown): McpError {
  return new McpError("sign_in", "The server requires authorization.", cause);
}

const MORE = "The server wants more rights than it was given. The user can give them by signing in to it again in the settings.";

/** What the server names in its refusal of a call; whatever the client wraps around it is gone through. */
function scopeWanted(error: unknown, depth = 0): string | undefined {
  if (typeof error !== "object" || error === null || depth >= DEPTH) return undefined;
  const scope: unknown = Reflect.get(error, "requiredScope");
  return typeof scope === "string" && scope !== "" ? scope : scopeWanted(Reflect.get(error, "cause"), depth + 1);
}

/** What this side itself refused comes back within what the client makes of it. */
function findInner(error: unknown, depth = 0): McpError | null {
  if (error instanceof McpError) return error;
  const { cause } = read(error);
  return cause === undefined || depth >= DEPTH ? null : findInner(cause, depth + 1);
}

function saidBy(error: unknown, depth = 0): string {
  const { message, cause } = read(error);
  return cause === undefined || depth >= DEPTH ? message : `${message} ${saidBy(cause, depth + 1)}`;
}

/** The fields stand partly on the errors' prototypes. */
function read(error: unknown): z.infer<typeof ErrorFields> {
  if (typeof error !== "object" || error === null) return { message: String(error) };
  const fields = ["name", "message", "code", "status", "cause"].map((name) => [name, Reflect.get(error, name)]);
  const parsed = ErrorFields.safeParse(Object.fromEntries(fields.filter(([, value]) => value !== undefined)));
  const data: unknown = Reflect.get(error, "data");
  const inData = Status.safeParse(data).data?.status;
  return { ...(parsed.data ?? { message: "" }), ...(inData !== undefined && { status: inData }) };
}

const Status = z.object({ status: z.optional(z.number()) });
