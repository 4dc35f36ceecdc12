import { createHmac, randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import * as z from "zod";
import { type Exchange, type Handler, sendJson, startServer, type Simulator } from "../simulator.ts";
import { defineService } from "../definition.ts";

/** `callMs` is how long a call takes; 0 is over when it is first asked for. `secret` signs what is sent to the callers' webhooks. */
export type BlandOptions = { port?: number; callMs?: number; secret?: string };

const NewCall = z.object({
  phone_number: z.string(),
  task: z.string().min(1),
  first_sentence: z.string().nullish(),
  voice: z.string().nullish(),
  language: z.string().nullish(),
  max_duration: z.number().nullish(),
  record: z.boolean().nullish(),
  voicemail: z.unknown().optional(),
  timezone: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  webhook: z.url().nullish(),
});
type NewCall = z.infer<typeof NewCall>;

/** A call's task says how it goes: `sim busy`, `sim no-answer`, `sim failed`, and `sim hold` until it is stopped. */
type Call = NewCall & { id: string; createdAt: number; stoppedAt: number | null };

const DOLLARS_PER_MINUTE = 0.14;
const BLACKLISTED = "+14155550199";

/** Starts the phone service's stand-in on loopback: its calls follow a script made of their task. */
export function startBland(options: BlandOptions = {}): Promise<Simulator> {
  const { callMs = 8_000, secret = "simulated" } = options;
  const calls = new Map<string, Call>();

  function place({ record, response }: Exchange): void {
    const parsed = NewCall.safeParse(record.body);
    if (!parsed.success) {
      const errors = parsed.error.issues.map(({ path }) => `Missing required parameter: ${path.join(".")}.`);
      return sendJson(response, 400, { status: "error", message: "Invalid parameters", errors });
    }
    const { phone_number: number, max_duration: minutes } = parsed.data;
    if (!/^\+[1-9]\d{6,14}$/.test(number)) return refuse(response, 400, "Invalid phone number. Use E.164.");
    if (minutes != null && minutes < 1) return refuse(response, 400, "Max duration must be at least 1");
    if (number === BLACKLISTED) return refuse(response, 429, "This number is blacklisted.");
    const call = { ...parsed.data, id: randomUUID(), createdAt: Date.now(), stoppedAt: null };
    calls.set(call.id, call);
    sendJson(response, 200, { status: "success", message: "Call successfully queued.", call_id: call.id, batch_id: null });
    if (call.webhook && callMs > 0) setTimeout(() => void notify(call), callMs).unref();
  }

  /** Says the same as a call asked for once it is over, which a timer may be a millisecond early for, signed; that nobody listens is nobody's trouble. */
  async function notify(call: Call): Promise<void> {
    const body = JSON.stringify(describe(call, call.createdAt + callMs));
    const signature = createHmac("sha256", secret).update(body).digest("hex");
    const headers = { "content-type": "application/json", "x-webhook-signature": signature };
    await fetch(call.webhook ?? "", { method: "POST", headers, body }).catch(() => undefined);
  }

  function describe(call: Call, now = Date.now()) {
    const { id, createdAt, stoppedAt, task } = call;
    const neverEnds = task.includes("sim hold");
    const endedAt = stoppedAt ?? (neverEnds ? null : createdAt + callMs);
    const isOver = endedAt !== null && now >= endedAt;
    const missed = ["busy", "no-answer", "failed"].find((word) => task.includes(`sim ${word}`));
    const seconds = missed ? 0 : 45;
    const hasTranscript = isOver && !missed;
    return {
      call_id: id,
      c_id: id,
      batch_id: null,
      to: call.phone_number,
      from: "+14155550100",
      inbound: false,
      completed: isOver,
      status: isOver ? (missed ?? "completed") : null,
      queue_status: isOver ? (missed === "failed" ? "call_error" : "completed") : "started",
      created_at: new Date(createdAt).toISOString(),
      started_at: new Date(createdAt).toISOString(),
      end_at: isOver && endedAt !== null ? new Date(endedAt).toISOString() : null,
      call_length: isOver ? seconds / 60 : null,
      corrected_duration: isOver ? String(seconds) : null,
      max_duration: call.max_duration ?? 30,
      error_message: isOver && missed === "failed" ? "The number could not be reached." : null,
      answered_by: isOver ? (missed ? "no-answer" : "human") : null,
      call_ended_by: stoppedAt === null ? "USER" : "ASSISTANT",
      metadata: call.metadata ?? {},
      summary: hasTranscript ? `The assistant called about this: ${firstLine(task)} The other side agreed.` : null,
      price: isOver ? Math.round((seconds / 60) * DOLLARS_PER_MINUTE * 1_000) / 1_000 : null,
      concatenated_transcript: hasTranscript
        ? script(call)
            .map(({ user, text }) => `${user}: ${text}`)
            .join(" \n ")
        : "",
      // Not in order, as the service's own are not always.
      transcripts: hasTranscript
        ? script(call)
            .map((line, at) => ({ id: at, created_at: new Date(createdAt + at * 1_000).toISOString(), c_id: id, status: null, ...line }))
            .toReversed()
        : [],
      recording_url: null,
    };
  }

  const answer = withKey((exchange) => {
    const { record, response } = exchange;
    if (record.method === "POST" && record.path === "/v1/calls") return place(exchange);
    const [, id = "", verb] = /^\/v1\/calls\/([^/]+)(\/stop)?$/.exec(record.path) ?? [];
    const call = calls.get(id);
    if (!call) return refuse(response, 404, "Call not found.");
    if (verb === undefined) return sendJson(response, 200, describe(call));
    call.stoppedAt ??= Date.now();
    sendJson(response, 200, { status: "success", message: "Call ended successfully." });
  });

  return startServer({ name: "bland", port: options.port, routes: {}, fallback: answer });
}

function script({ task, first_sentence: first }: Call): { user: string; text: string }[] {
  return [
    { user: "user", text: "Hello?" },
    { user: "assistant", text: first ?? `Hello, I am an assistant, calling about this: ${firstLine(task)}` },
    { user: "user", text: "Yes, that is fine. Anything else?" },
    { user: "assistant", text: "No, that was all. Thank you, goodbye." },
  ];
}

function firstLine(task: string): string {
  return task.split("\n")[0]?.slice(0, 200) ?? "";
}

/** The raw key, without `Bearer`. */
function withKey(handler: Handler): Handler {
  return (exchange) => {
    const key = exchange.record.headers["authorization"] ?? "";
    if (key !== "" && !key.startsWith("Bearer")) return handler(exchange);
    return sendJson(exchange.response, 401, { data: null, errors: [{ error: "AUTH_FAILURE", message: "Unauthorized" }] });
  };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, { status: "error", message });
}

/** The service that makes phone calls. */
export const bland = defineService({
  start: startBland,
  vars: (url) => ({ BLAND_URL: url, BLAND_API_KEY: "simulated", BLAND_WEBHOOK_SECRET: "simulated" }),
  realWith: ["BLAND_API_KEY"],
  row: {
    title: "Phone",
    simulated: () => "calls nobody: what is said follows a script",
    real: () => "Bland",
    makeReal: "BLAND_API_KEY",
  },
  inTests: {
    options: { callMs: 0 },
    canaries: { BLAND_API_KEY: "canary-bland-key", BLAND_WEBHOOK_SECRET: "canary-bland-webhook-secret" },
  },
});
