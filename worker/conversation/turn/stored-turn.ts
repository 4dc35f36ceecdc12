import * as z from "zod/mini";
import { ConnectedTool } from "#worker/conversation/tools/connected/connected-tool.ts";
import { Section, TurnPersona } from "#worker/library/contribution.ts";
import { TurnRequest } from "./request.ts";

/** A turn that is not settled: what it was asked, and how often it began. The chat's row holds it, one at a time. */
export const StoredTurn = z.object({
  replyId: z.string(),
  generation: z.number(),
  attempts: z.number(),
  request: TurnRequest,
  /** The ids of the tools that its model may call. */
  tools: z._default(z.array(z.string()), []),
  /** Those of them that are of its person's connections, as they were agreed to. */
  connected: z._default(z.array(ConnectedTool), []),
  /** What was contributed to its system prompt when it began. */
  sections: z._default(z.array(Section), []),
  /** Who it speaks as. */
  persona: z._default(z.nullable(TurnPersona), null),
  memoryIds: z._default(z.array(z.string()), []),
  /** The knowledge entries that its tools may look into. */
  contextIds: z._default(z.array(z.string()), []),
  /** When it was asked for, in milliseconds. */
  startedAt: z._default(z.number(), 0),
  /** Milliseconds that its reply was worked on before, where a research goes on. */
  workedMs: z._default(z.number(), 0),
  /** What was reserved for it when it was asked for, in micro-dollars: how long its first answer may be, whether by that alone, and what its reply had cost before. */
  hold: z._default(
    z.nullable(z.object({ micros: z.number(), maxTokens: z.nullable(z.number()), isBound: z.boolean(), spentBefore: z.number() })),
    null,
  ),
  /** How many of its calls had ended when it began last. */
  ended: z._default(z.number(), 0),
  /** True once it went on by itself after text that its readers had seen. */
  wasResumed: z._default(z.boolean(), false),
  /** True while it goes on only at a person's word. */
  isWaiting: z._default(z.boolean(), false),
});
export type StoredTurn = z.infer<typeof StoredTurn>;

/** When a turn that goes on would have begun, had it been worked on without a break; null for one that began again. */
export function workingSince({ startedAt, workedMs }: Pick<StoredTurn, "startedAt" | "workedMs">): string | null {
  return workedMs === 0 ? null : new Date(startedAt - workedMs).toISOString();
}
