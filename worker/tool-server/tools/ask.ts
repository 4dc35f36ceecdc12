import type { McpServer, ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod/mini";
import { listMessages, sendMessage } from "#shared/contracts/chat/messages.ts";
import { Id } from "#shared/entities/ids.ts";
import { MESSAGE_LENGTH } from "#shared/limits.ts";
import { decodeReplyEvent, type ReplyEvent } from "#shared/reply-events.ts";
import { readEventData } from "../../clients/event-stream.ts";
import { answer } from "../answer.ts";
import { type OwnApi, Refusal, type ToolDeps } from "../own-api.ts";
import { inputOf } from "../schema.ts";

/** How often a client that asked for progress hears of it, in milliseconds. */
const PROGRESS_MS = 2_000;
/** How long an answer is waited for, in milliseconds: it goes on in its chat. */
const WAIT_MS = 10 * 60_000;

/** Adds asking: it begins or continues a chat and waits for the answer. */
export function addAskTool(server: McpServer, { api, origin, scopes }: ToolDeps): void {
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
        }),
      ),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    },
    ({ message, chat_id: known, model }, context) =>
      answer(async () => {
        if (known !== undefined && !scopes.includes("chats"))
          throw new Refusal("This key begins chats alone: it may not read the ones that are there.");
        const chatId = known ?? crypto.randomUUID();
        const parentId = known === undefined ? null : await latestMessage(api, known);
        const body = { id: crypto.randomUUID(), parent_id: parentId, content: message, ...(model !== undefined && { model_id: model }) };
        const events = await api.open(sendMessage, { params: { id: chatId }, body }, "text/event-stream");
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

async function latestMessage(api: OwnApi, id: string): Promise<string | null> {
  const { messages } = await api.ask(listMessages, { params: { id }, query: { limit: 1 } });
  return messages.at(-1)?.id ?? null;
}

async function readReply({ body }: Response, { mcpReq }: ServerContext): Promise<Reply> {
  if (!body) throw new Error("a reply came without its events");
  const reply: Reply = { text: "", model: null, error: null, end: "stopped" };
  const started = Date.now();
  const token = mcpReq._meta?.progressToken;
  let toldAt = started;
  await readEventData(body, {
    onLife() {
      if (token === undefined || Date.now() - toldAt < PROGRESS_MS) return;
      toldAt = Date.now();
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

/** Adds an event; true once nothing more is to be waited for. */
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
