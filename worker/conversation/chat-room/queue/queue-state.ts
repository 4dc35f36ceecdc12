import * as z from "zod/mini";
import { QueuePause } from "#shared/entities/queued-message.ts";
import { MessageStatus } from "#shared/entities/message.ts";
import { findMessage } from "../messages/messages.ts";

/** Why the queue rests, and the reply whose bad end no longer holds it up. */
const QueueState = z.object({ paused: z.nullable(QueuePause), excused: z.nullable(z.string()) });
type QueueState = z.infer<typeof QueueState>;

const AT_REST: QueueState = { paused: null, excused: null };

/** How the queue stands. */
export function readState(sql: SqlStorage): QueueState {
  const state = sql.exec<{ queue_state: string | null }>("SELECT queue_state FROM chat").toArray()[0]?.queue_state;
  return state ? QueueState.parse(JSON.parse(state)) : AT_REST;
}

/** Stores how the queue stands. */
export function writeState(sql: SqlStorage, state: QueueState): void {
  sql.exec("UPDATE chat SET queue_state = ?", JSON.stringify(state));
}

/** Lets the queue go on, whatever became of the chat's newest reply. */
export function resumeQueue(sql: SqlStorage): void {
  writeState(sql, { paused: null, excused: headOf(sql) });
}

/** Why the queue must rest as the chat's newest reply ended, or null where it may go on. */
export function pauseAfter(sql: SqlStorage): QueuePause | null {
  const head = headOf(sql);
  const reply = head === null || head === readState(sql).excused ? null : findMessage(sql, head);
  if (!reply) return null;
  switch (MessageStatus.parse(reply.status)) {
    case "stopped":
      return { code: "REPLY_STOPPED", message: "The reply was stopped." };
    case "failed":
      return { code: "REPLY_FAILED", message: "The last reply failed." };
    case "interrupted":
      return { code: "REPLY_FAILED", message: "The last reply broke off." };
    default:
      return null;
  }
}

function headOf(sql: SqlStorage): string | null {
  return sql.exec<{ head_id: string | null }>("SELECT head_id FROM chat").toArray()[0]?.head_id ?? null;
}
