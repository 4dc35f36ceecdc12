import type { Message } from "#shared/entities/message.ts";
import { MOVED_ON } from "#shared/moved-on.ts";
import { answer, question } from "#test/web/message-factory.ts";

/** What a room has to say to the tabs of its reader, without a cursor. */
export type RoomEvent =
  | { type: "reply.started"; chat_id: string; message_id: string; reply_id: string }
  | { type: "reply.ended"; chat_id: string; reply_id: string }
  | { type: "version.selected"; chat_id: string; message_id: string }
  | { type: "queue.changed"; chat_id: string };

type Sent = { id: string; content: string; parentId: string | null };

export type Answer = { status: number; body: unknown };

const refused = (code: string, error = "Not now."): Answer => ({ status: 409, body: { code, error } });

type Deps = { newId: () => string; report: (room: SimulatedRoom, events: RoomEvent[]) => void };

/** A chat as its room keeps it, with one reader who has one branch in view, and one turn at a time. */
export class SimulatedRoom {
  readonly messages = new Map<string, Message>();
  /** Messages that stood beside others from their first moment on, though they were only sent. */
  readonly siblings: string[] = [];
  readonly queued: Sent[] = [];
  leaf: string;
  running: string | null = null;
  changedAt = 0;

  readonly id: string;
  private readonly deps: Deps;

  constructor(id: string, deps: Deps) {
    this.id = id;
    this.deps = deps;
    const asked = this.put(question({ id: deps.newId(), chat_id: id, content: "Before" }));
    this.leaf = this.put(answer({ id: deps.newId(), chat_id: id, parent_id: asked.id, content: "Said" })).id;
  }

  path(to = this.leaf): Message[] {
    const path: Message[] = [];
    for (let at = this.messages.get(to); at; at = this.messages.get(at.parent_id ?? "")) path.unshift(at);
    return path.map((message) => ({ ...message, sibling_ids: this.children(message.parent_id) }));
  }

  send({ id, content, parentId }: Sent): Answer {
    const known = this.messages.get(id);
    if (known) return known.content === content ? this.started(id) : refused("CONFLICT");
    if (this.running !== null) return refused("TURN_IN_PROGRESS");
    // As the room does (plan-turn.ts).
    if (parentId !== this.leaf) return refused("CHAT_MOVED_ON", MOVED_ON);
    if (this.children(parentId).length > 0) this.siblings.push(id);
    return this.begin({ id, content, parentId });
  }

  enqueue({ id, content, afterId }: { id: string; content: string; afterId: string | undefined }): Answer {
    if (this.running === null && this.queued.length === 0) {
      if (afterId !== undefined && afterId !== this.leaf) return refused("CHAT_MOVED_ON", MOVED_ON);
      this.begin({ id, content, parentId: this.leaf });
    } else this.queued.push({ id, content, parentId: null });
    return { status: 202, body: { ids: [id] } };
  }

  /** A mail comes in and is answered, another device writes: an exchange that no tab began. */
  goOn(): void {
    if (this.running === null) this.begin({ id: this.deps.newId(), content: "From elsewhere", parentId: this.leaf });
  }

  /** Another device asks for another answer to the last question. */
  answerAgain(): void {
    const last = this.messages.get(this.leaf);
    if (this.running === null && last?.parent_id) this.reply(last.parent_id);
  }

  /** Another device rewrites the last question. */
  rewrite(): void {
    const asked = this.messages.get(this.messages.get(this.leaf)?.parent_id ?? "");
    if (this.running === null && asked) this.begin({ id: this.deps.newId(), content: "Rewritten", parentId: asked.parent_id });
  }

  /** Another device shows another version of the last answer or its question. */
  choose(): void {
    const path = this.path();
    const other = path.toReversed().flatMap(({ id, parent_id: parentId }) => this.children(parentId).filter((one) => one !== id))[0];
    if (this.running !== null || other === undefined) return;
    this.leaf = other;
    for (let next = this.children(other).at(-1); next; next = this.children(next).at(-1)) this.leaf = next;
    this.report([{ type: "version.selected", chat_id: this.id, message_id: other }]);
  }

  /** The reply in progress is done, and what waits for that is sent. */
  finish(): void {
    const reply = this.messages.get(this.running ?? "");
    if (!reply) return;
    this.running = null;
    this.put({ ...reply, status: "done", content: "Answered" });
    this.report([{ type: "reply.ended", chat_id: this.id, reply_id: reply.id }]);
    const next = this.queued.shift();
    if (next) this.begin({ ...next, parentId: this.leaf });
  }

  private begin({ id, content, parentId }: Sent): Answer {
    this.put(question({ id, chat_id: this.id, parent_id: parentId, content }));
    this.reply(id);
    return this.started(id);
  }

  private reply(questionId: string): void {
    const reply = answer({ id: this.deps.newId(), chat_id: this.id, parent_id: questionId, content: "", status: "accepted" });
    this.running = this.put(reply).id;
    this.leaf = reply.id;
    this.report([{ type: "reply.started", chat_id: this.id, message_id: questionId, reply_id: reply.id }]);
  }

  private started(id: string): Answer {
    return { status: 202, body: { type: "accepted", messageId: id, replyId: this.children(id)[0] } };
  }

  private children(parentId: string | null): string[] {
    return [...this.messages.values()].filter((one) => one.parent_id === parentId).map(({ id }) => id);
  }

  private put(message: Message): Message {
    this.messages.set(message.id, message);
    return message;
  }

  private report(events: RoomEvent[]): void {
    this.deps.report(this, events);
  }
}
