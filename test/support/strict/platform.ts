import type { Env } from "#worker/platform/env.ts";
import { isDrawn, strictOption, repeat, strictBindings } from "./calls.ts";
import { beginInvocation, type Invocation, runIn } from "./invocation.ts";
import { endedObjects, type ObjectClass, strictObject } from "./objects.ts";

type Handlers = Required<Pick<ExportedHandler<Env>, "fetch" | "email" | "queue" | "scheduled">>;

function report({ kind, where, subrequests, queries, to, connectionWaits }: Invocation): void {
  // oxlint-disable-next-line no-console
  if (strictOption("report")) console.log(`STRICT ${JSON.stringify({ kind, where, subrequests, queries, to, connectionWaits })}`);
}

async function run<T>(invocation: Invocation, work: () => T | Promise<T>): Promise<T> {
  try {
    return await runIn(invocation, work);
  } finally {
    report(invocation);
  }
}

/** A batch whose first delivery was not acknowledged in time, however it ended. */
function unacknowledged(batch: MessageBatch): MessageBatch {
  const messages = batch.messages.toReversed().map(({ id, timestamp, body, attempts }) => ({
    id,
    timestamp,
    attempts,
    body: structuredClone(body),
    ack: () => undefined,
    retry: () => undefined,
  }));
  return { queue: batch.queue, metadata: batch.metadata, messages, ackAll: () => undefined, retryAll: () => undefined };
}

/** The same batch the other way round; what came before counts as an attempt. */
function reversed(batch: MessageBatch, before: number): MessageBatch {
  const messages = batch.messages.toReversed().map((message) => ({
    id: message.id,
    timestamp: message.timestamp,
    body: message.body,
    attempts: message.attempts + before,
    ack: () => message.ack(),
    retry: (how?: QueueRetryOptions) => message.retry(how),
  }));
  const { queue, metadata } = batch;
  return { queue, metadata, messages, ackAll: () => batch.ackAll(), retryAll: (how) => batch.retryAll(how) };
}

/** What uses up a code, a link or what it names finds nothing when it is sent again; and a model that uses a tool reads of its failure. */
function isSentOnce({ method, url }: Request): boolean {
  return method === "DELETE" || /^\/(?:api\/auth\/|mcp)/.test(new URL(url).pathname);
}

/** Of the others, what has no body, or a short one, is sent again: a copy of a stream has no known length. */
function copyOf(request: Request): Request | null {
  if (isSentOnce(request)) return null;
  const isShort = request.body === null || request.headers.get("content-type")?.startsWith("application/json");
  return strictOption("evict") !== undefined && isShort ? request.clone() : null;
}

/** The Worker's handlers on a platform that promises no more than the real one does (docs/decisions/build/strict-platform.md). */
export function strictHandlers(real: Handlers): Handlers {
  return {
    async fetch(request, env, ctx) {
      const bindings = strictBindings(env);
      const where = `${request.method} ${new URL(request.url).pathname}`;
      const copy = copyOf(request);
      const invocation = beginInvocation("request", where, { isRepeatable: copy !== null });
      const before = endedObjects();
      const response = await run(invocation, () => real.fetch(request, bindings, ctx));
      if (response.status < 500 || endedObjects() === before || copy === null) return response;
      // A browser asks again for what was lost with an object, by the same ids.
      const again = beginInvocation("request", `${where} again`, { isRepeatable: false });
      return repeat(() => run(again, () => real.fetch(new Request(copy), bindings, ctx)));
    },
    email: (message, env, ctx) => {
      const bindings = strictBindings(env);
      return run(beginInvocation("email", message.to, { isRepeatable: false }), () => real.email(message, bindings, ctx));
    },
    scheduled: (event, env, ctx) => {
      const bindings = strictBindings(env);
      return run(beginInvocation("cron", event.cron, { isRepeatable: false }), () => real.scheduled(event, bindings, ctx));
    },
    async queue(batch, env, ctx) {
      const bindings = strictBindings(env);
      const deliver = (given: MessageBatch) =>
        run(beginInvocation("queue", given.queue, { isRepeatable: true }), () => real.queue(given, bindings, ctx));
      if (!strictOption("twice")) return deliver(batch);
      const isTwice = isDrawn(strictOption("twice"));
      if (isTwice) await deliver(unacknowledged(batch));
      await deliver(reversed(batch, isTwice ? 1 : 0));
    },
  };
}

/** The Worker's objects there, by the names of their classes. */
export function strictObjects<T extends Record<string, ObjectClass>>(real: T): Record<keyof T, ObjectClass> {
  // Made of the very names of `real`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(Object.entries(real).map(([name, Real]) => [name, strictObject(name, Real)])) as Record<keyof T, ObjectClass>;
}
