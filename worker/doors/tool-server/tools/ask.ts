import type { McpServer, ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod/mini";
import { followReply, listMessages, sendMessage } from "#shared/contracts/chat/messages.ts";
import { Id } from "#shared/entities/ids.ts";
import { MESSAGE_LENGTH } from "#shared/limits.ts";
import { decodeReplyEvent, type ReplyEvent } from "#shared/reply-events.ts";
import { readEventData } from "#worker/platform/clients/event-stream.ts";
import { uuidOfName } from "#worker/platform/uuid-of-name.ts";
import { answer } from "../answer.ts";
import { type OwnApi, Refusal, type ToolDeps } from "../own-api.ts";
import { inputOf } from "../schema.ts";

/** How often a client that asked for progress hears of it, in milliseconds. */
const PROGRESS_MS = 2_000;
/** How long an answer is waited for, in milliseconds: it goes on in its chat. */
const WAIT_MS = 10 * 60_000;

const EVENTS = "text/event-stream";
const REQUEST_ID_LENGTH = 200;

/** Adds asking: it begins or continues a chat and waits for the answer. */
export function addAskTool(server: McpServer, { api, origin, scopes, keyId }: ToolDeps): void {
  server.registerTool(
    "ask",
    {
      title: "Ask",
      description:
        "Send a message in a new chat, or in the one named, and wait for the model's answer. The user sees the exchange. What acts outside waits there for the user's approval.",
      inputSchema: inputOf(
        z.object({
          message: z.string().check(z.minLength(1), z.maxLength(MESSAGE_LENGTH)),
          chat_id: z.optional(Id),
          /** E.g. `anthropic/claude-sonnet-4.5`. */
          model: z.optional(z.string()),
          request_id: z.optional(
            z
              .string()
              .check(
                z.minLength(1),
                z.maxLength(REQUEST_ID_LENGTH),
                z.describe("Any id of your own for this question. The same one again returns the first answer and asks nothing anew."),
              ),
          ),
        }),
      ),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    },
    ({ message, chat_id: known, model, request_id: requestId }, context) =>
      answer(async () => {
        if (known !== undefined && !scopes.includes("chats"))
          throw new Refusal("This key begins chats alone: it may not read the ones that are there.");
        const newId = (what: string) => (requestId === undefined ? crypto.randomUUID() : uuidOfName(`ask/${keyId}/${what}/${requestId}`));
        const chatId = known ?? (await newId("chat"));
        const question = { chatId, id: await newId(`message/${known ?? ""}`), content: message };
        const find = async () => (requestId === undefined ? null : findEarlier(api, question));
        const events = (await find()) ?? (await ask(api, { ...question, isNew: known === undefined, model }, find));
        const reply = await readReply(events, context);
        const url = `${origin}/c/${chatId}`;
        if (reply.error !== null) throw new Refusal(`${reply.error} The chat is ${url}.`);
        const notes = reply.end === null ? [] : [`[${NOTES[reply.end]} ${url}]`];
        return {
          text: [reply.text, ...notes].filter(Boolean).join("\n\n"),
          data: { chat_id: chatId, model: reply.model, text: reply.text, url },
        };
      }),
  );
}

type End = "waits" | "goes on" | "stopped";
const NOTES: Record<End, string> = {
  waits: "A tool of this answer waits for the user's approval in the chat:",
  "goes on": "The answer is still being written in the chat:",
  stopped: "The answer was broken off; what there is stands in the chat:",
};

/** What came of an answer; `end` is null where it is whole. */
type Reply = { text: string; model: string | null; error: string | null; end: End | null };

type Question = { chatId: string; id: string; content: string };

type NewQuestion = Question & { isNew: boolean; model: string | undefined };

async function ask(
  api: OwnApi,
  { chatId, id, content, isNew, model }: NewQuestion,
  findMeanwhile: () => Promise<Response | null>,
): Promise<Response> {
  const send = async () => {
    const parentId = isNew ? null : await latestMessage(api, chatId);
    const body = { id, parent_id: parentId, content, ...(model !== undefined && { model_id: model }) };
    return api.open(sendMessage, { params: { id: chatId }, body }, EVENTS);
  };
  try {
    // Whatever the chat ends with is asked about: what came while it was looked at is no reason to refuse.
    return await send().catch((error: unknown) => {
      if (error instanceof Refusal && error.code === "CHAT_MOVED_ON") return send();
      throw error;
    });
  } catch (error) {
    // The same question may have come twice at once: it then stands by now.
    const meanwhile = error instanceof Refusal ? await findMeanwhile() : null;
    if (meanwhile) return meanwhile;
    throw error;
  }
}

/** The first answer to a question that was asked before, from its beginning; null where it was not. Throws `Refusal` where another one was asked. */
async function findEarlier(api: OwnApi, { chatId, id, content }: Question): Promise<Response | null> {
  const found = await api.ask(listMessages, { params: { id: chatId }, query: { around: id } }).catch((error: unknown) => {
    // Neither the chat nor the message is there yet; whatever else is wrong, asking says.
    if (error instanceof Refusal) return null;
    throw error;
  });
  const asked = found?.messages.find((message) => message.id === id);
  if (!asked) return null;
  // What is stored has none of these characters.
  if (asked.content !== content.replaceAll("\u0000", ""))
    throw new Refusal("This request_id was given to another question before: use a new one.");
  const reply = found?.messages.find((message) => message.parent_id === id);
  const replyId = reply?.sibling_ids[0];
  return replyId === undefined ? null : api.open(followReply, { params: { id: chatId, replyId }, query: {} }, EVENTS);
}

async function latestMessage(api: OwnApi, id: string): Promise<string | null> {
  const { messages } = await api.ask(listMessages, { params: { id }, query: { limit: 1 } });
  return messages.at(-1)?.id ?? null;
}

async function readReply({ body }: Response, { mcpReq }: ServerContext): Promise<Reply> {
  if (!body) throw new Error("a reply came without its events");
  const reply: Reply = { text: "", model: null, error: null, end: "stopped" };
  const started = Date.now();
  const token = mcpReq._meta?.progressToken;
  let progressAt = started;
  await readEventData(body, {
    onLife() {
      if (token === undefined || Date.now() - progressAt < PROGRESS_MS) return;
      progressAt = Date.now();
      const params = { progressToken: token, progress: reply.text.length, message: `${reply.text.length} characters written` };
      void mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
    },
    onData(events) {
      for (const data of events) {
        const event = decodeReplyEvent(data);
        if (event && take(reply, event)) return "no more";
      }
      if (Date.now() - started > WAIT_MS) {
        reply.end = "goes on";
        return "no more";
      }
      // Whoever asked went away: the answer goes on in its chat.
      return mcpReq.signal.aborted ? "no more" : "going on";
    },
  }).catch(() => {
    // The stream broke, and not the answer: whoever asks again would pay twice.
    reply.end = "goes on";
  });
  return reply;
}

/** Adds an event; true once there is nothing more to wait for. */
function take(reply: Reply, event: ReplyEvent): boolean {
  if (event.type === "text") reply.text += event.text;
  if (event.type === "replace") reply.text = reply.text.slice(0, event.text);
  if (event.type === "model") reply.model = event.model_id;
  if (event.type === "tool" && event.call.status === "waiting") {
    reply.end = "waits";
    return true;
  }
  if (event.type !== "settled") return false;
  reply.model = event.model_id ?? reply.model;
  reply.error = event.status === "failed" ? (event.error?.message ?? "The model did not answer.") : null;
  reply.end = endOf(event.status);
  return true;
}

function endOf(status: string): End | null {
  if (status === "done" || status === "failed") return null;
  return status === "waiting" ? "waits" : "stopped";
}
