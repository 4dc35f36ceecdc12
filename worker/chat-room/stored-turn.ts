import * as z from "zod/mini";
import { TurnRequest } from "./rpc.ts";

/** A turn that is not settled: what it was asked, and how often it began. The chat's row holds it, one at a time. */
const StoredTurn = z.object({
  replyId: z.string(),
  generation: z.number(),
  attempts: z.number(),
  request: TurnRequest,
  /** The ids of the tools that its model may call. */
  tools: z._default(z.array(z.string()), []),
  /** When it was asked for, in milliseconds. */
  startedAt: z._default(z.number(), 0),
  /** How many of its calls had ended when it began last. */
  ended: z._default(z.number(), 0),
  /** True while it goes on only at a person's word. */
  isWaiting: z._default(z.boolean(), false),
});
export type StoredTurn = z.infer<typeof StoredTurn>;

/** The turn that has not settled, or null. */
export function storedTurn(sql: SqlStorage): StoredTurn | null {
  const row = sql.exec<{ turn: string }>("SELECT turn FROM chat WHERE turn IS NOT NULL").toArray()[0];
  return row ? StoredTurn.parse(JSON.parse(row.turn)) : null;
}
