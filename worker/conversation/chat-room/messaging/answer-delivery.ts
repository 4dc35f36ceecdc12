/** What came in by the messaging app and what goes out by it, as the room's tables have it. */
import type { Message } from "#shared/entities/message.ts";
import { MessagingState } from "#shared/entities/outbound/messaging.ts";
import type { MessageRow } from "#worker/conversation/room/chat-copy.ts";

type Shown = Pick<Message, "trigger" | "answer_messaging">;

/** How answers of a page go out by the app, by answer; those to what did not come in by it are not in it. */
export function deliveryOfAnswers(sql: SqlStorage, rows: readonly MessageRow[]): ReadonlyMap<string, Shown> {
  const shown = new Map<string, Shown>();
  if (sql.exec("SELECT 1 FROM messaging_in LIMIT 1").toArray().length === 0) return shown;
  const parents = JSON.stringify(rows.flatMap(({ role, parent_id: parentId }) => (role === "assistant" && parentId ? [parentId] : [])));
  const questions = sql
    .exec<{ id: string }>("SELECT id FROM messaging_in WHERE id IN (SELECT value FROM json_each(?))", parents)
    .toArray()
    .map(({ id }) => id);
  if (questions.length === 0) return shown;
  const asked = new Set(questions);
  for (const row of rows) {
    if (row.role !== "assistant" || row.parent_id === null || !asked.has(row.parent_id)) continue;
    const parts = sql
      .exec<{ state: string; error: string | null }>("SELECT state, error FROM messaging_out WHERE reply_id = ? ORDER BY seq", row.id)
      .toArray();
    // The least of what became of its parts is what became of it.
    const least = ORDER.flatMap((state) => parts.find((part) => toState(part.state) === state) ?? [])[0];
    shown.set(row.id, {
      trigger: "messaging",
      ...(least && { answer_messaging: { state: toState(least.state), note: least.error } }),
    });
  }
  return shown;
}

const ORDER: readonly MessagingState[] = ["failed", "queued", "waiting", "sent", "delivered", "read"];

function toState(state: string): MessagingState {
  return state === "sending" ? "queued" : MessagingState.parse(state);
}
