import * as z from "zod/mini";
import { Id, Timestamp } from "../ids.ts";

/** `planned` until it begins by itself, `starting` until the service has taken it; `running` is live, the others are settled. */
export const RunState = z.enum(["planned", "starting", "running", "done", "failed", "stopped"]);
export type RunState = z.infer<typeof RunState>;

/** What a tool call set going outside and that goes on after the call has answered: a run of the code agent, or a phone call. */
export const Run = z.object({
  call_id: Id,
  reply_id: Id,
  kind: z.enum(["code", "phone"]),
  state: RunState,
  /** What the service calls its state; null until it reported one. */
  status: z.nullable(z.string()),
  /** Where the service shows it, then what came of it, e.g. pull requests. */
  links: z.array(z.object({ title: z.string(), url: z.string() })),
  /** Plain text of what came of it, in short; null until then. */
  summary: z.nullable(z.string()),
  /** Why nothing, or less than was asked, came of it. */
  note: z.nullable(z.string()),
  /** Of a phone call: whom it goes to (E.164), its longest time in minutes, and how long it took in seconds. */
  number: z.nullable(z.string()),
  max_minutes: z.nullable(z.number()),
  seconds: z.nullable(z.number()),
  /** US dollars; null while unknown and for what the product does not pay. */
  cost: z.nullable(z.number()),
  /** When one that waits begins, or was to begin; null for one that began at once. */
  starts_at: z.nullable(Timestamp),
  started_at: Timestamp,
  ended_at: z.nullable(Timestamp),
});
export type Run = z.infer<typeof Run>;
