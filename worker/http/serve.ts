import type { Context, Hono } from "hono";
import * as z from "zod/mini";
import type { BodyOf, Endpoint, ParamsOf, QueryOf, ResponseOf } from "#shared/contracts/endpoint.ts";
import { BODY_BYTES } from "#shared/limits.ts";
import type { AppContext, Caller } from "../env.ts";
import { AppError } from "./app-error.ts";
import { callerOrGuest, requireAccess } from "./guards.ts";

type Input<E extends Endpoint> = {
  c: Context<AppContext>;
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  /** Set wherever the endpoint's access asks for a session. */
  caller: E["access"] extends "anyone" ? Caller | null : Caller;
};

type Answer<E extends Endpoint> = ResponseOf<E> extends undefined ? Response : ResponseOf<E> | Response;

/** Mounts one contract: access, input and, outside production, the answer too are checked by its schemas. */
export function serve<E extends Endpoint>(
  app: Hono<AppContext>,
  endpoint: E,
  handler: (input: Input<E>) => Promise<Answer<E>> | Answer<E>,
): void {
  app.on(endpoint.method, endpoint.path, async (c) => {
    const known = requireAccess(c, endpoint.access);
    const params = parse(endpoint.params, c.req.param(), "NOT_FOUND");
    const query = parse(endpoint.query, c.req.query(), "INVALID_INPUT");
    const body = endpoint.body ? parse(endpoint.body, await readJson(c), "INVALID_INPUT") : undefined;
    const caller = endpoint.access === "visitor" ? await callerOrGuest(c) : known;
    // The schemas of `endpoint` made these values; the compiler cannot tie them back to E.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const answer = await handler({ c, params, query, body, caller } as Input<E>);
    if (answer instanceof Response) return answer;
    const checked = endpoint.response && c.env.ENVIRONMENT !== "production" ? z.parse(endpoint.response, answer) : answer;
    return c.json(checked, endpoint.status);
  });
}

function parse(schema: z.ZodMiniType | undefined, value: unknown, code: "NOT_FOUND" | "INVALID_INPUT"): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  if (code === "NOT_FOUND") throw new AppError(code);
  throw new AppError(code, { message: parsed.error.issues[0]?.message ?? "That request is not valid." });
}

async function readJson(c: Context<AppContext>): Promise<unknown> {
  const type = c.req.header("content-type") ?? "";
  if (!type.toLowerCase().startsWith("application/json")) throw new AppError("UNSUPPORTED_MEDIA_TYPE");
  const text = await readText(c.req.raw, BODY_BYTES);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("INVALID_JSON", { cause });
  }
}

/** A body as text, refused as soon as it grows past `limit` bytes, whatever its Content-Length says. */
async function readText(request: Request, limit: number): Promise<string> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw new AppError("PAYLOAD_TOO_LARGE");
  if (!request.body) return "";
  const decoder = new TextDecoder();
  let size = 0;
  let text = "";
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) throw new AppError("PAYLOAD_TOO_LARGE");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
