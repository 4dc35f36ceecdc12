/** The mails that ask for a person's word about a call of a turn that nobody typed, and the answers that come back. */
import type { Beginning } from "#worker/conversation/approvals/approval-mail.ts";
import { newApprovalToken } from "#worker/mail/chat-address/approval-address.ts";
import { canSendMail, sendOutgoing } from "#worker/platform/clients/mailer.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { loadOnce } from "#worker/platform/load-once.ts";
import { log } from "#worker/platform/log.ts";
import type { Tool } from "#worker/conversation/tools/tool.ts";
import type { StoredCall } from "#worker/conversation/turn/round.ts";
import type { StoredTurn } from "#worker/conversation/turn/stored-turn.ts";
import { toToolCall } from "#worker/conversation/turn/tool-call.ts";
import { suppressedAmong } from "#worker/people/suppressions/suppressions.ts";
import { findUser } from "#worker/people/users/users.ts";
import { levelOf, refuse } from "../access/access.ts";
import { readChat, storedTurn } from "../chat.ts";
import { isCreated } from "../migrations.ts";
import type { AnswerOutcome, AnswerInput } from "#worker/mail/chat-address/room.ts";
import { isTurnOfRun } from "../runs/run-rows.ts";
import { decideCall } from "./decide-call.ts";
import { waitingCalls } from "../messages/tool-rounds.ts";

type Question = Pick<AnswerInput, "token" | "userId">;
type Row = { call_id: string; token: string; user_id: string; answer: string | null };

type Deps = {
  env: Env;
  tools: readonly Tool[];
  storage: DurableObjectStorage;
  /** Has a call's mail sent soon, whatever becomes of this life of the object. */
  schedule(callId: string): Promise<void>;
  /** Asks about a call by the messaging app, where that began the turn. */
  askByApp(callId: string, question: { token: string; userId: string }): Promise<void>;
  /** Goes on with a turn whose call was decided. */
  decided(decided: { turn: StoredTurn; call: StoredCall }): Promise<void>;
};

const composing = loadOnce(() => import("#worker/conversation/approvals/approval-mail.ts"));

export type ApprovalMails = {
  /** Has mails sent about the calls that wait, where a mail or a reminder began the turn. */
  ask(): Promise<void>;
  /** Sends a call's mail while the call waits; throws where the caller should try again. */
  attempt(callId: string): Promise<null>;
  /** True where such a mail asked this person, who may decide still. */
  hasAsked(question: Question): boolean;
  /** Takes a person's answer to such a mail, once. */
  answer(request: AnswerInput): Promise<AnswerOutcome>;
};

/** True where the chat's turn was begun by a mail, a reminder or the messaging app, and whoever it waits for is asked there. */
export function asksOutsideApp(env: Env, sql: SqlStorage): boolean {
  const turn = storedTurn(sql);
  if (turn && isOfApp(turn)) return true;
  return turn !== null && beginningOf(sql, turn) !== null && configOf(env).mail.domain !== undefined && canSendMail(env);
}

/** The approval mails of one room. */
export function createApprovalMails({ env, tools, storage, schedule, askByApp, decided }: Deps): ApprovalMails {
  const { sql } = storage;

  function findAsked({ token, userId }: Question): Row | null {
    const row = sql.exec<Row>("SELECT * FROM approval_mails WHERE token = ?", token).toArray()[0];
    return row && row.user_id === userId && refuse(levelOf(sql, userId), "decide") === null ? row : null;
  }

  return {
    async ask() {
      if (!asksOutsideApp(env, sql)) return;
      const turn = storedTurn(sql);
      for (const { call } of waitingCalls(sql)) {
        if (!call.approval) continue;
        const { id: userId } = call.approval.user;
        const isNew = sql
          .exec(
            "INSERT INTO approval_mails (call_id, token, user_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING call_id",
            call.id,
            newApprovalToken(),
            userId,
          )
          .toArray();
        const row = sql.exec<Row>("SELECT * FROM approval_mails WHERE call_id = ?", call.id).one();
        // Asked again after a restart it is the same question, which goes out once.
        if (turn && isOfApp(turn)) await askByApp(call.id, { token: row.token, userId });
        else if (isNew.length > 0) await schedule(call.id);
      }
    },
    async attempt(callId) {
      const row = sql.exec<Row>("SELECT * FROM approval_mails WHERE call_id = ?", callId).toArray()[0];
      const isWaiting = () => isCreated(sql) && waitingCalls(sql).some(({ call }) => call.id === callId);
      if (!row || !isWaiting()) return null;
      const { approvalMail } = await composing();
      const db = openDatabase(env.DB);
      const user = await findUser(db, row.user_id);
      const isSuppressed = user?.email != null && (await suppressedAmong(db, [user.email])).size > 0;
      const turn = storedTurn(sql);
      const beginning = turn && beginningOf(sql, turn);
      const found = isWaiting() ? waitingCalls(sql).find(({ call }) => call.id === callId) : undefined;
      if (!found || !beginning || !user?.email || isSuppressed) return null;
      const { id, title } = readChat(sql);
      const { tool, input, approval } = toToolCall(found.call);
      const asking = { chat: { id, title }, call: { id: callId, tool, input }, tools, to: user.email, token: row.token, beginning };
      const mail = approvalMail(env, { ...asking, expiresAt: approval?.expires_at ?? null });
      const sent = mail && (await sendOutgoing(env, mail));
      if (!sent || sent.ok) return null;
      // A second one with the same address does no harm.
      if (sent.kind !== "refused") throw new Error("The mail about a waiting call was not taken", { cause: sent.cause });
      log.warn("the mail about a waiting call was refused", { code: sent.code, cause: sent.cause });
      return null;
    },
    hasAsked: (question) => findAsked(question) !== null,
    async answer({ token, userId, answer, identity }) {
      const row = findAsked({ token, userId });
      if (!row) return { kind: "unknown" };
      if (row.answer === identity) return { kind: "repeat" };
      const change = answer.kind === "change" ? { change: answer.text } : {};
      const decision = answer.kind === "approve" ? "approve" : "discard";
      const outcome = storage.transactionSync(() => {
        const made = decideCall({ sql, tools }, { userId }, { callId: row.call_id, decision, ...change });
        if (made.ok) sql.exec("UPDATE approval_mails SET answer = ? WHERE call_id = ?", identity, row.call_id);
        return made;
      });
      if (!outcome.ok) return { kind: "stale", title: readChat(sql).title, reason: outcome.message ?? "What it was about is over." };
      await decided(outcome.value);
      return { kind: "done" };
    },
  };
}

function isOfApp({ request }: StoredTurn): boolean {
  return request.kind === "send" && request.messaging !== undefined;
}

/** What began a turn that nobody typed; null for one that somebody did, who is looking. */
function beginningOf(sql: SqlStorage, { request }: StoredTurn): Beginning | null {
  if (request.kind !== "send") return null;
  if (isTurnOfRun(sql, request.id)) return "run";
  if (request.mail !== undefined) return "mail";
  if (request.schedule !== undefined) return "schedule";
  if (request.messaging !== undefined) return null;
  return request.asksAlways === true ? "reminder" : null;
}
