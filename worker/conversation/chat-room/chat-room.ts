import { DurableObject } from "cloudflare:workers";
import type { QueueChange } from "#shared/contracts/chat/queue.ts";
import type { SenderDecision } from "#shared/contracts/chat/mails.ts";
import type { MessageQueue } from "#shared/entities/queued-message.ts";
import type { Todo } from "#shared/entities/todo.ts";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import type { Env } from "#worker/platform/env.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { loadOnce } from "#worker/platform/load-once.ts";
import type { Features } from "#worker/conversation/features.ts";
import { NOT_FOUND, actionsOfPatch } from "./access/access.ts";
import { refuseSources } from "./access/refuse-sources.ts";
import { addFile, dropUnused, readableFile, findFile, isAbandonedUpload, withdrawFile } from "./messages/attachments.ts";
import { createChat, hasChat, ownerOf, readChat, setTitle, columnChanges, toDetails } from "./chat.ts";
import { copyChat, pasteChat } from "./copies/copy-chat.ts";
import { answerEvents } from "./replies/follow-request.ts";
import type { ChatCopy, CopyPart, CopyPlace } from "#worker/conversation/room/chat-copy.ts";
import type { Forgotten } from "#worker/conversation/room/rpc.ts";
import { readerIds, chatAccessOf } from "./access/members.ts";
import { noteBounce } from "./mails/note-bounce.ts";
import { mailOutcome } from "./mails/mail-outcome.ts";
import { mailRights } from "./mails/mail-rights.ts";
import { findMail, listMails, type MailPage } from "./mails/mail-rows.ts";
import { type FindLive, findMessage, newestLeaf, selectLeaf } from "./messages/messages.ts";
import { readPage } from "./views/message-page.ts";
import type { Target } from "./outbox.ts";
import { copyPublicChat, publicVersion, readPublicView } from "./views/public-view.ts";
import { preparePreviews } from "./preview.ts";
import type { Room } from "./room-parts.ts";
import { ALL_SOURCES, type PrivateSource } from "#worker/conversation/tools/private-source.ts";
import type * as Wire from "#worker/conversation/room/rpc.ts";
import type { AnswerInput, AnswerOutcome } from "#worker/mail/chat-address/room.ts";
import type {
  Admission,
  MailReminder,
  MailReturn,
  MailSender,
  ReadMail,
  ReadRoomMail,
  RoomMail,
  Taken,
} from "#worker/mail/chat-address/room-mail.ts";
import type { RoomFile } from "#worker/library/attachments/room-file.ts";
import { type BegunTurn, TurnRequest } from "#worker/conversation/turn/request.ts";
import type { NewChat } from "#worker/people/room/new-chat.ts";
import type { Reader } from "#worker/people/callers/reader.ts";
import { dropStaged, endStaging, stagedCopyId, stagePart } from "./copies/staged-copy.ts";
import { hasFiles, isStoredPending, noteStored } from "./messages/stored-files.ts";
import { readTexts } from "./views/texts-since.ts";
import { readTurnPath, readTurnStatus } from "./messages/read-turn-path.ts";
import type { TurnStatus } from "#worker/conversation/turn/turn-status.ts";
import { listTodos } from "./todos.ts";
import type { QueueInput } from "#worker/conversation/room/queue.ts";
import { exportChat } from "./copies/export-chat.ts";
import { answerRuns } from "./runs/answer-runs.ts";
import type { MessagingAnswer, MessagingInput } from "#worker/conversation/room/messaging.ts";
import type { RunsAnswer, RunsInput } from "#worker/conversation/room/rpc.ts";
import { transferChat } from "./copies/transfer-chat.ts";

/** Turns, tools, mails and all else that only rooms do: loaded by an isolate's first room, which waits for it before anything is asked of it. */
const rooms = loadOnce(() => import("./room.ts"));
const forgetting = loadOnce(() => import("./forget-person.ts"));
let create: ((ctx: DurableObjectState, env: Env) => Room) | null = null;

async function loadRooms(features: Features): Promise<(ctx: DurableObjectState, env: Env) => Room> {
  const [{ LiveRoom }, tools, contributors] = await Promise.all([rooms(), features.tools(), features.contributors()]);
  return (ctx, env) => new LiveRoom(ctx, { env, features, turn: { tools, contributors } });
}

/** One chat: its messages, its running turn and its readers' streams. Wiring only; what happens is in the modules around it. */
export class ChatRoom extends DurableObject<Env> implements Wire.ChatRoomRpc {
  #opened: Room | null = null;
  readonly #live: FindLive = (replyId) => this.#room.turns.live(replyId);

  constructor(ctx: DurableObjectState, env: Env, features: Features) {
    super(ctx, env);
    preparePreviews(ctx);
    if (create) this.#opened = create(ctx, env);
    else {
      void ctx.blockConcurrencyWhile(async () => {
        // Begun before the wait, after another one, the load would be held back by it for ever.
        create = await loadRooms(features);
        this.#opened = create(ctx, env);
      });
    }
  }

  get #room(): Room {
    if (!this.#opened) throw new Error("A room is asked before it is there");
    return this.#opened;
  }

  get #sql(): SqlStorage {
    return this.#room.sql;
  }

  /** Comes while something is left to do, so a turn whose object died is found even when nobody looks. */
  override async alarm(): Promise<void> {
    await this.#room.wake();
  }

  /** A reply's event stream. */
  override async fetch(request: Request): Promise<Response> {
    const { turns, places } = this.#room;
    const refuse: Room["refuse"] = (reader, action) => this.#room.refuse(reader, action);
    return answerEvents({ refuse, turns, places, begin: (turn) => this.#begin(turn, { isFollowed: true }) }, request);
  }

  async beginTurn(given: TurnRequest): Promise<Outcome<BegunTurn>> {
    return this.#begin(TurnRequest.parse(given));
  }

  async #begin(request: TurnRequest, how = { isFollowed: false }): Promise<Outcome<BegunTurn>> {
    const isOpen = request.kind === "send" && request.create ? this.#room.start() : this.#room.open();
    return isOpen ? this.#room.begin(request, how) : NOT_FOUND;
  }

  async createChat(
    id: string,
    chat: NewChat,
    { isQuiet = false, copy, staged }: { isQuiet?: boolean; copy?: ChatCopy; staged?: CopyPlace } = {},
  ): Promise<boolean> {
    if (!this.#room.start() || hasChat(this.#sql)) return true;
    const isCreated = this.ctx.storage.transactionSync(() => {
      if (staged && !endStaging(this.#sql, staged)) return false;
      dropStaged(this.#sql);
      createChat(this.#sql, id, chat);
      if (copy) pasteChat(this.#sql, chat.ownerId, copy);
      if (hasFiles(this.#sql)) noteStored(this.#sql);
      if (!isQuiet) this.#room.outbox.mark(this.#room.readers());
      return true;
    });
    if (isCreated && !isQuiet) this.#room.report();
    this.#room.access.resumePending();
    if (isStoredPending(this.#sql)) await this.#room.notifyStored();
    return isCreated;
  }

  async stage(place: CopyPlace, uploaderId: string, part: CopyPart): Promise<boolean> {
    if (!this.#room.start()) return false;
    if (hasChat(this.#sql)) return true;
    return this.ctx.storage.transactionSync(() => stagePart(this.#sql, place, { uploaderId, part, now: Date.now() }));
  }

  async dropCopy(copyId: string): Promise<boolean> {
    if (!this.#room.start() || hasChat(this.#sql) || (stagedCopyId(this.#sql) ?? copyId) !== copyId) return false;
    await this.#room.purge({ free: true });
    return true;
  }

  async dropEmpty(): Promise<boolean> {
    if (!this.#room.open()) return true;
    if (!isAbandonedUpload(this.#sql)) return false;
    await this.#room.purge({ free: true });
    return true;
  }

  async describe(reader: Reader): Promise<Outcome<Wire.RoomDetails>> {
    const ownAccess = this.#room.open() ? chatAccessOf(this.#sql, reader.userId) : null;
    if (ownAccess) return { ok: true, value: toDetails(this.#sql, ownAccess) };
    return this.#room.open() && readChat(this.#sql).is_public === 1 ? { ok: false, code: "PUBLIC_PAGE_ONLY" } : NOT_FOUND;
  }

  async hasMessage(reader: Reader, messageId: string): Promise<boolean> {
    return this.#room.refuse(reader, "read") === null && findMessage(this.#sql, messageId) !== null;
  }

  async modelAskedOf(reader: Reader, messageId: string): Promise<Outcome<string | null>> {
    const refused = this.#room.refuse(reader, "read");
    if (refused) return refused;
    const message = findMessage(this.#sql, messageId);
    return message ? { ok: true, value: message.requested_model_id } : NOT_FOUND;
  }

  async readText(reader: Reader, messageId: string): Promise<Outcome<string>> {
    const refused = this.#room.refuse(reader, "search");
    const message = refused ? null : findMessage(this.#sql, messageId);
    if (!message) return refused ?? NOT_FOUND;
    return { ok: true, value: this.#room.turns.live(messageId)?.text ?? message.content };
  }

  async readTurnStatus(reader: Pick<Reader, "userId">, questionId: string): Promise<Outcome<TurnStatus>> {
    return this.#room.refuse(reader, "send") ?? { ok: true, value: readTurnStatus(this.#sql, reader.userId, questionId) };
  }

  async survey(reader: Reader, input: Wire.SurveyInput, attachments: string[] | undefined): Promise<Outcome<Wire.Survey>> {
    return this.#room.refuse(reader, "read") ?? { ok: true, value: readTurnPath(this.#sql, input, attachments) };
  }

  async readMessages(reader: Reader, page: Wire.PageRequest): Promise<Outcome<Wire.MessagePage>> {
    const refused = this.#room.refuse(reader, "read");
    if (refused) return refused;
    const seesAddresses = this.#room.refuse(reader, "mail") === null;
    const reading = { userId: reader.userId, chatId: readChat(this.#sql).id, live: this.#live, seesAddresses };
    const found = readPage(this.#sql, reading, page);
    return found ? { ok: true, value: found } : NOT_FOUND;
  }

  async select(reader: Reader, messageId: string, limit: number): Promise<Outcome<Wire.MessagePage>> {
    const refused = this.#room.refuse(reader, "mark") ?? (findMessage(this.#sql, messageId) ? null : NOT_FOUND);
    if (refused) return refused;
    selectLeaf(this.#sql, reader.userId, newestLeaf(this.#sql, messageId));
    return this.readMessages(reader, { limit });
  }

  async findFile(reader: Reader, id: string, action: "read" | "attach"): Promise<Outcome<RoomFile | null>> {
    const refused = this.#room.refuse(reader, action);
    if (refused) return refused;
    const file = readableFile(this.#sql, { id, userId: reader.userId });
    const isTaken = action === "attach" && file === null && findFile(this.#sql, id) !== null;
    return isTaken ? { ok: false, code: "CONFLICT" } : { ok: true, value: file };
  }

  async addFile(reader: Reader, file: RoomFile): Promise<Outcome<RoomFile>> {
    const add = () => addFile(this.#sql, reader.userId, file);
    return this.#room.refuse(reader, "attach") ?? { ok: true, value: await this.#room.changeFiles(add) };
  }

  async withdrawFile(reader: Reader, id: string): Promise<Outcome<boolean>> {
    return this.#room.refuse(reader, "attach") ?? this.#room.changeFiles(() => withdrawFile(this.#sql, reader.userId, id));
  }

  async dropUnused(ids: string[]): Promise<{ ids: string[]; isDeserted: boolean }> {
    if (!this.#room.open()) return { ids, isDeserted: false };
    return { ids: await this.#room.changeFiles(() => dropUnused(this.#sql, ids)), isDeserted: isAbandonedUpload(this.#sql) };
  }

  async listMails(reader: Reader, page: { before: number | null; limit: number }): Promise<Outcome<MailPage>> {
    return this.#room.refuse(reader, "mail") ?? { ok: true, value: listMails(this.#sql, page) };
  }

  async readMail(reader: Reader, id: string): Promise<Outcome<ReadRoomMail>> {
    const refused = this.#room.refuse(reader, "mail");
    const mail = refused ? null : findMail(this.#sql, id);
    if (!mail) return refused ?? NOT_FOUND;
    return { ok: true, value: { mail, outcome: mailOutcome(this.#sql, mail), ...mailRights(this.#sql, mail, reader.userId) } };
  }

  async admitMail(sender: MailSender, perHour: number): Promise<Admission> {
    return this.#room.open() ? this.#room.mails.admit(sender, perHour) : "gone";
  }

  async takeMail(mail: Omit<RoomMail, "state">, how: { sender: MailSender; perHour: number }): Promise<Taken> {
    return this.#room.open() ? this.#room.mails.take(mail, how) : { kind: "gone", mailId: mail.id };
  }

  async mailToRead(id: string): Promise<{ mail: RoomMail; ownerId: string } | null> {
    const mail = this.#room.open() ? this.#room.mails.toRead(id) : null;
    return mail && { mail, ownerId: ownerOf(this.#sql) };
  }

  async keepReadMail(id: string, read: ReadMail): Promise<void> {
    if (this.#room.open()) await this.#room.mails.keepRead(id, read);
  }

  async decideSender(reader: Reader, id: string, decision: SenderDecision): Promise<Outcome<RoomMail>> {
    return this.#room.refuse(reader, "mail") ?? this.#room.mails.decide(reader, id, decision);
  }

  async answerMail(answered: { mailId: string; replyId: string }): Promise<void> {
    if (this.#room.open()) await this.#room.letters.outgoing.answer(answered);
  }

  async noteReturn(mailReturn: MailReturn): Promise<void> {
    if (this.#room.open() && this.ctx.storage.transactionSync(() => noteBounce(this.#sql, mailReturn))) this.#room.notifyMails(true);
  }

  async remind(reader: Reader, input: { mailId: string; by: number | null; note: string }): Promise<Outcome<null>> {
    return this.#room.refuse(reader, "mail") ?? this.#room.letters.reminders.set({ ...input, userId: reader.userId });
  }

  async reminderOf(reader: Reader, mailId: string): Promise<Outcome<MailReminder | null>> {
    return this.#room.refuse(reader, "mail") ?? { ok: true, value: this.#room.letters.reminders.of(mailId) };
  }

  async sendMail(reader: Reader, id: string, isWanted: boolean): Promise<Outcome<RoomMail>> {
    return this.#room.refuse(reader, "mail") ?? this.#room.letters.outgoing.resend(id, reader.userId, isWanted);
  }

  async readTodos(reader: Reader): Promise<Outcome<Todo[]>> {
    return this.#room.refuse(reader, "search") ?? { ok: true, value: listTodos(this.#sql, readChat(this.#sql).id) };
  }

  async runs(reader: Reader, input: RunsInput): Promise<Outcome<RunsAnswer>> {
    return this.#room.refuse(reader, input.kind === "list" ? "search" : "stop") ?? answerRuns(this.#room.runs, input);
  }

  async noteRunUpdate(callId: string, ref: string): Promise<void> {
    if (this.#room.open()) await this.#room.runs.nudge(callId, ref);
  }

  async messaging(input: MessagingInput): Promise<MessagingAnswer> {
    return this.#room.open() ? this.#room.messaging.call(input) : { kind: "gone" };
  }

  async readTexts(userId: string, input: { from: number; again: number[] }): Promise<Outcome<Wire.RoomTexts>> {
    return (
      this.#room.refuse({ userId }, "search") ?? {
        ok: true,
        value: readTexts(this.#sql, input, { hasMails: this.#room.refuse({ userId }, "mail") === null }),
      }
    );
  }

  async reportTo(userId: string): Promise<void> {
    if (this.#room.refuse({ userId }, "search")) return;
    this.#room.outbox.mark([{ kind: "hub", userId }]);
    await this.#room.outbox.deliver();
  }

  async reconcile(userId: string, seen: Wire.ComparedChat): Promise<Wire.Reconciled | null> {
    return this.#room.open() ? this.#room.reconcile(userId, seen) : null;
  }

  async copy(reader: Reader, messageId: string): Promise<Outcome<ChatCopy>> {
    // Whoever the copy is shared with sees its calls: they name the chat's own address, which no copy has.
    const input = { userId: reader.userId, messageId, live: this.#live, hasMails: false, sources: ALL_SOURCES };
    return this.#room.refuse(reader, "fork") ?? copyChat(this.#sql, input);
  }

  async export(reader: Reader, sources: readonly PrivateSource[]): Promise<Outcome<Wire.ChatWithFiles>> {
    const hasMails = sources.includes("mail") && this.#room.refuse(reader, "mail") === null;
    const input = { userId: reader.userId, live: this.#live, hasMails, sources };
    return this.#room.refuse(reader, "export") ?? exportChat(this.#sql, input);
  }

  async update(reader: Reader, patch: Wire.ChatPatch): Promise<Outcome<Wire.RoomDetails>> {
    const refused = actionsOfPatch(patch)
      .map((action) => this.#room.refuse(reader, action))
      .find((found) => found !== null);
    const barred = refused ?? (await refuseSources(this.env, this.#sql, { userId: reader.userId, change: patch }));
    if (barred) return barred;
    this.ctx.storage.transactionSync(() => {
      const hasTitle = patch.title !== undefined && patch.title !== "" && setTitle(this.#sql, patch.title, "user");
      const isStoredElsewhere = hasTitle || patch.public !== undefined;
      const targets: Target[] = isStoredElsewhere ? [...this.#room.readers(), { kind: "d1" }] : this.#room.readers();
      this.#room.outbox.mark(targets, { changes: columnChanges(this.#sql, patch, reader) });
    });
    this.#room.report();
    return this.describe(reader);
  }

  async readPublic(page: number, known?: number): Promise<Wire.PublicView | true | null> {
    if (!this.#room.open()) return null;
    return known !== undefined && publicVersion(this.#sql) === known ? true : readPublicView(this.#sql, page);
  }

  async copyPublic(): Promise<Outcome<{ copy: ChatCopy; version: number }>> {
    return this.#room.open() ? copyPublicChat(this.#sql) : NOT_FOUND;
  }

  async changeAccess(reader: Pick<Reader, "userId">, change: Wire.AccessChange): Promise<Outcome<null>> {
    return this.#room.open() ? this.#room.access.change(reader.userId, change) : NOT_FOUND;
  }

  async refreshAccess(): Promise<void> {
    if (this.#room.open()) await this.#room.access.refresh();
  }

  async readerIds(): Promise<string[]> {
    return this.#room.open() ? readerIds(this.#sql) : [];
  }

  async decide(reader: Reader, decision: Wire.Decision): Promise<Outcome<ToolCall>> {
    return this.#room.refuse(reader, "decide") ?? this.#room.decide(reader, decision);
  }

  async hasAsked(question: Pick<AnswerInput, "token" | "userId">): Promise<boolean> {
    return this.#room.open() && this.#room.approvalMails.hasAsked(question);
  }

  async answerApproval(input: AnswerInput): Promise<AnswerOutcome> {
    return this.#room.open() ? this.#room.approvalMails.answer(input) : { kind: "unknown" };
  }

  async enqueue(reader: Reader, input: QueueInput): Promise<Outcome<string[]>> {
    const refused = this.#room.refuse(reader, "queue");
    const barred = refused ?? (await refuseSources(this.env, this.#sql, { userId: reader.userId, change: input.settings }));
    return barred ?? this.#room.queue.add(reader, input);
  }

  async arrange(reader: Reader, input: { change?: QueueChange; remove?: string | null } = {}): Promise<Outcome<MessageQueue>> {
    const refused = this.#room.refuse(reader, "queue");
    if (refused) return refused;
    if (input.change) return this.#room.queue.change(reader, input.change);
    return input.remove === undefined ? { ok: true, value: this.#room.queue.read() } : this.#room.queue.remove(reader, input.remove);
  }

  async attend(reader: Pick<Reader, "userId" | "displayName">, state: Wire.PresentState): Promise<Outcome<Wire.Presence>> {
    return this.#room.refuse(reader, "read") ?? { ok: true, value: this.#room.presence.attend(reader, state) };
  }

  async stop(reader: Reader): Promise<Outcome<null>> {
    const refused = this.#room.refuse(reader, "stop");
    if (!refused) await this.#room.turns.stop();
    return refused ?? { ok: true, value: null };
  }

  async streamsOf(userId: string): Promise<Wire.StreamsOpen | null> {
    return this.#room.open() ? this.#room.turns.streamsOf(userId) : null;
  }

  async endSessions(userId: string, sessionIds: string[] | "all"): Promise<void> {
    if (!this.#room.open()) return;
    this.#room.turns.cut((reader) => reader.userId === userId && (sessionIds === "all" || sessionIds.includes(reader.sessionId)));
  }

  async moveSession(from: string, to: string): Promise<void> {
    if (this.#room.open()) this.#room.turns.moveSession(from, to);
  }

  async transfer(from: string, to: { userId: string; displayName: string }): Promise<void> {
    if (!this.#room.open()) return;
    this.#room.turns.cut((reader) => reader.userId === from);
    this.ctx.storage.transactionSync(() => {
      transferChat(this.#sql, from, to);
      if (hasFiles(this.#sql)) noteStored(this.#sql);
      this.#room.outbox.mark(this.#room.readers());
    });
    await Promise.all([this.#room.watch(), this.#room.outbox.deliver()]);
    if (isStoredPending(this.#sql)) await this.#room.notifyStored();
  }

  async forgetPerson(person: Forgotten): Promise<void> {
    const { forgetPerson } = await forgetting();
    if (this.#room.open()) await forgetPerson(this.env, this.#room, person);
  }

  async purge(input: { free: boolean } = { free: false }): Promise<string[]> {
    return this.#room.purge(input);
  }
}
