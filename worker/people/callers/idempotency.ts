import type { Context } from "hono";
import * as z from "zod/mini";
import type { Endpoint } from "#shared/contracts/endpoint.ts";
import { sha256 } from "#worker/platform/random.ts";
import type { AppContext, Caller } from "#worker/platform/env.ts";
import { hubOf } from "#worker/people/hub/stub.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { hashLong } from "#worker/platform/http/hash-long.ts";
import { log } from "#worker/platform/log.ts";
import type { Claim } from "#worker/people/hub/rpc.ts";

const Key = z.string().check(z.regex(/^[\x21-\x7e]{1,200}$/));
const Named = z.object({ id: z.string() });

type Request = { c: Context<AppContext>; endpoint: Endpoint; caller: Caller | null; params: unknown; body: unknown };

/** Does `work` once for one key: the first answer is kept by the caller's hub for a day, and the key with another request is refused. */
export async function answerOnce<T>({ c, endpoint, caller, params, body }: Request, work: () => Promise<T> | T): Promise<T | Response> {
  const given = endpoint.repeat === "key" && caller ? keyOf(c, body) : null;
  if (given === null || !caller) return work();
  const isLong = endpoint.bodyLength !== undefined;
  const hash = isLong ? await hashLong({ params, body }) : await sha256(JSON.stringify({ params, body }));
  const once = await runOnce(() => hubOf(c.env, caller.userId), { key: `${endpoint.method} ${endpoint.path} ${given}`, hash }, work);
  return once.isNew ? once.answer : c.body(once.kept, endpoint.status, { "content-type": "application/json" });
}

/** What was done now, or the JSON of what was answered before. */
export type Once<T> = { isNew: true; answer: T } | { isNew: false; kept: string };

/** Does `work` unless this hub keeps its answer under the key; a failure and a `Response` are not kept. Throws CONFLICT and STILL_RUNNING. */
export async function runOnce<T>(hub: () => ReturnType<typeof hubOf>, claim: Claim, work: () => Promise<T> | T): Promise<Once<T>> {
  const claimed = await hub().claimKey(claim);
  if (claimed.kind === "other") throw new AppError("CONFLICT");
  if (claimed.kind === "running") throw new AppError("STILL_RUNNING", { headers: { "retry-after": "1" } });
  if (claimed.kind === "answered") return { isNew: false, kept: claimed.body };
  let answer: T;
  try {
    answer = await work();
  } catch (error) {
    await settle(null);
    throw error;
  }
  await settle(answer instanceof Response ? null : JSON.stringify(answer));
  return { isNew: true, answer };

  async function settle(kept: string | null): Promise<void> {
    const keep = () => hub().settleKey(claim.key, kept);
    try {
      // A hub that ended is there again at once; what it doesn't know would be done a second time.
      await keep().catch(keep);
    } catch (cause) {
      // The work itself is done or refused, and its answer must not be lost to this.
      log.error("an answer was not stored for repeats", { cause });
    }
  }
}

function keyOf(c: Context<AppContext>, body: unknown): string | null {
  const header = c.req.header("idempotency-key");
  if (header === undefined) return Named.safeParse(body).data?.id ?? null;
  const key = Key.safeParse(header);
  if (!key.success) throw new AppError("INVALID_INPUT", { message: "The Idempotency-Key is not valid." });
  return key.data;
}
