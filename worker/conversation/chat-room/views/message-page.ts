import type { AnswerMail } from "#shared/entities/mail.ts";
import type { Message } from "#shared/entities/message.ts";
import { toToolCall } from "#worker/conversation/turn/tool-call.ts";
import { findAnswerOf } from "../mails/mail-rows.ts";
import { findOutgoing } from "../mails/outgoing-rows.ts";
import { compactionsAt, toCompaction } from "../messages/compaction-rows.ts";
import { toMessage } from "../messages/message-row.ts";
import { type FindLive, findMessage, isAncestor, selectedLeaf, newestLeaf, messagesUpTo, selectLeaf } from "../messages/messages.ts";
import { readCalls } from "../messages/tool-rounds.ts";
import { deliveryOfAnswers } from "#worker/conversation/chat-room/messaging/answer-delivery.ts";
import type { MessagePage, PageRequest } from "#worker/conversation/room/rpc.ts";
import { turnsOfRuns } from "../runs/run-rows.ts";
import type { MessageRow } from "#worker/conversation/room/chat-copy.ts";

/** Who reads a page; `seesAddresses` where they may see who wrote to the chat from where. */
type PageReader = { userId: string; chatId: string; live: FindLive; seesAddresses: boolean };

/** One page of the path a reader looks at, as the contracts say it. */
export function readPage(sql: SqlStorage, reader: PageReader, { before, around, limit }: PageRequest): MessagePage | null {
  if (around !== undefined) return readAround(sql, reader, { messageId: around, limit });
  let leaf = selectedLeaf(sql, reader.userId);
  if (before !== undefined) {
    const edge = findMessage(sql, before);
    if (!edge) return null;
    leaf = edge.parent_id;
  }
  if (leaf === null) return { messages: [], nextCursor: null };
  return toPage(sql, reader, messagesUpTo(sql, leaf, limit));
}

function readAround(sql: SqlStorage, reader: PageReader, { messageId, limit }: { messageId: string; limit: number }): MessagePage | null {
  if (!findMessage(sql, messageId)) return null;
  const own = selectedLeaf(sql, reader.userId);
  const onOwnPath = own !== null && isAncestor(sql, messageId, own);
  const leaf = onOwnPath ? own : newestLeaf(sql, messageId);
  if (!onOwnPath) selectLeaf(sql, reader.userId, leaf);
  const path = messagesUpTo(sql, leaf, Number.MAX_SAFE_INTEGER);
  const at = path.findIndex((row) => row.id === messageId);
  const start = Math.max(0, Math.min(at - Math.floor(limit / 2), path.length - limit));
  return toPage(sql, reader, path.slice(start));
}

function toPage(sql: SqlStorage, reader: PageReader, rows: MessageRow[]): MessagePage {
  const siblings = siblingsOf(sql, rows);
  const calls = readCalls(
    sql,
    rows.flatMap(({ id, role }) => (role === "assistant" ? [id] : [])),
  );
  const compactions = compactionsAt(
    sql,
    rows.flatMap(({ role, parent_id: parentId }) => (role === "assistant" && parentId !== null ? [parentId] : [])),
  );
  const asked = [above(sql, rows), ...rows];
  const mailed = new Set(asked.flatMap((row) => (row && row.mail !== null ? [row.id] : [])));
  const scheduled = new Set(asked.flatMap((row) => (row && row.schedule !== null ? [row.id] : [])));
  const ofRuns = turnsOfRuns(sql);
  const answered = deliveryOfAnswers(sql, rows);
  const messages: Message[] = rows.map((row) => {
    const compaction = row.role === "assistant" && row.parent_id !== null ? compactions.get(row.parent_id) : undefined;
    const message = toMessage(row, {
      chatId: reader.chatId,
      siblingIds: siblings.get(row.parent_id) ?? [row.id],
      calls: (calls.get(row.id) ?? []).map(toToolCall),
      live: reader.live(row.id),
      seesAddresses: reader.seesAddresses,
      readerId: reader.userId,
    });
    const isMailed = row.role === "assistant" && row.parent_id !== null && mailed.has(row.parent_id);
    const isOfRun = row.role === "assistant" && row.parent_id !== null && ofRuns.has(row.parent_id);
    const isScheduled = row.role === "assistant" && row.parent_id !== null && scheduled.has(row.parent_id);
    return {
      ...message,
      ...(isOfRun && { trigger: "run" as const }),
      ...(isScheduled && { trigger: "schedule" as const }),
      ...answered.get(row.id),
      ...(isMailed && { trigger: "mail" as const, ...answerMailOf(sql, row.id, reader) }),
      ...(compaction && { compaction: toCompaction(compaction) }),
    };
  });
  return { messages, nextCursor: rows[0]?.parent_id ? rows[0].id : null };
}

/** The question above a page that begins with its answer. */
function above(sql: SqlStorage, rows: MessageRow[]): MessageRow | null {
  return rows[0]?.role === "assistant" && rows[0].parent_id !== null ? findMessage(sql, rows[0].parent_id) : null;
}

/** The mail that a reply went out as, if it did. */
function answerMailOf(sql: SqlStorage, replyId: string, { seesAddresses, userId }: PageReader): { answer_mail?: AnswerMail } {
  const mail = findAnswerOf(sql, replyId);
  if (!mail) return {};
  const { id, state, note, created_at: at } = mail;
  const needsApproval = findOutgoing(sql, id)?.needs_approval === 1;
  const to = [...mail.to_addr, ...mail.cc_addr];
  const waitsFor = mail.sender_id === userId ? ("you" as const) : ("other" as const);
  return {
    answer_mail: {
      id,
      state,
      to: seesAddresses ? to : null,
      note: seesAddresses ? note : null,
      at,
      ...(needsApproval && { waits_for: waitsFor }),
    },
  };
}

/** All versions at each place of the given rows, oldest first, by parent. */
function siblingsOf(sql: SqlStorage, rows: MessageRow[]): Map<string | null, string[]> {
  const parents = JSON.stringify(rows.flatMap((row) => (row.parent_id === null ? [] : [row.parent_id])));
  const roots = rows.some((row) => row.parent_id === null)
    ? "UNION ALL SELECT seq, id, parent_id FROM messages WHERE parent_id IS NULL"
    : "";
  // Sorted here and joined from the list: a sorter's rows and those of a subquery's set are billed as read ones.
  const found = sql
    .exec<{ seq: number; id: string; parent_id: string | null }>(
      `SELECT m.seq, m.id, m.parent_id FROM json_each(?) AS asked CROSS JOIN messages AS m ON m.parent_id = asked.value ${roots}`,
      parents,
    )
    .toArray()
    .toSorted((a, b) => a.seq - b.seq);
  const byParent = new Map<string | null, string[]>();
  for (const row of found) byParent.set(row.parent_id, [...(byParent.get(row.parent_id) ?? []), row.id]);
  return byParent;
}
