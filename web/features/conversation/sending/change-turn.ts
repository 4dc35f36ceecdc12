import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import { type TurnStarted, continueReply, editMessage, regenerateReply, selectVersion } from "#shared/contracts/chat/messages.ts";
import type { Message } from "#shared/entities/message.ts";
import { settingsToSend } from "#web/features/conversation/chat-settings/picked-settings.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { createKeyedStore } from "#web/lib/keyed-store.ts";
import { beginTurn } from "./begin-turn.ts";
import { isVersionOf } from "./editing.ts";
import { updateCachedMessages } from "#web/features/conversation/messages/update-cached-messages.ts";
import {
  type MessagePages,
  appendMessages,
  cutBefore,
  pagesOf,
  pathOf,
  replaceMessage,
} from "#web/features/conversation/messages/message-pages.ts";
import { newQuestion, newReply } from "#web/features/conversation/messages/turn-messages.ts";

/** A new branch of the path that was asked for: it starts where `cutAt` stood. */
export type Branch = { cutAt: string; messages: Message[] };

/** Branches the server has not accepted yet, by chat: shown at once, gone when it refuses. */
export const branches = createKeyedStore<Branch | null>(null);

/** Chats with a reply that the server was asked to go on with and has not begun to. */
export const continuing = createKeyedStore(false);

/** The path with a branch in place of what it replaces. */
export function withBranch(path: Message[], branch: Branch | null): Message[] {
  if (branch === null) return path;
  const index = path.findIndex((message) => message.id === branch.cutAt);
  return index === -1 ? path : [...path.slice(0, index), ...branch.messages];
}

/** Answers again beside an earlier answer, with the same or another model. */
export async function regenerate(reply: Message, modelId: string | null): Promise<void> {
  const id = crypto.randomUUID();
  const { chat_id: chatId, parent_id: parentId } = reply;
  const settings = settingsToSend(chatId, modelId ?? reply.requested_model_id ?? reply.model_id);
  const branch = {
    cutAt: reply.id,
    messages: [newReply({ id, chatId, parentId: parentId ?? reply.id, modelId: settings.model_id, siblingIds: reply.sibling_ids })],
  };
  const input = { params: { id: chatId, messageId: reply.id }, body: { id, ...settings } };
  await grow(chatId, branch, (onStarted) => beginTurn(regenerateReply, { chatId, input, onStarted }));
}

/** Sends another version of a person's message; the earlier one stays as a sibling. */
export async function edit(question: Message, content: string, modelId: string): Promise<void> {
  const id = crypto.randomUUID();
  const { chat_id: chatId, parent_id: parentId, author } = question;
  const attachments = question.attachments.filter(({ isMissing }) => !isMissing);
  const carried = attachments.length === 0 ? {} : { attachments: attachments.map((file) => file.id) };
  const params = { id: chatId, messageId: question.id };
  const input = { params, body: { id, content, ...settingsToSend(chatId, modelId), ...carried } };
  const path = pathOf(queryClient.getQueryData<MessagePages>(keys.messages(chatId)));
  const place = path.find((message) => isVersionOf(message, question));
  if (place === undefined) {
    // The shown path went another way meanwhile: only the server knows the one that leads here.
    await call(editMessage, input);
    return queryClient.invalidateQueries({ queryKey: keys.messages(chatId) });
  }
  const version = newQuestion({ id, chatId, parentId, content, author, attachments, siblingIds: place.sibling_ids });
  const messages = [version, newReply({ id: `${id}:reply`, chatId, parentId: id, modelId })];
  return grow(chatId, { cutAt: place.id, messages }, (onStarted) => beginTurn(editMessage, { chatId, input, onStarted }));
}

/** Goes on with a reply that ended early. */
export async function goOn(reply: Message): Promise<void> {
  const { id, chat_id: chatId } = reply;
  continuing.set(chatId, true);
  try {
    const begun: Message = { ...reply, status: "accepted", error: null, finish_reason: null };
    const onStarted = () => updateCachedMessages(chatId, (pages) => pages && replaceMessage(pages, begun));
    await beginTurn(continueReply, { chatId, input: { params: { id: chatId, messageId: id } }, onStarted });
  } finally {
    continuing.set(chatId, false);
  }
}

/** Shows the branch that leads through another version. */
export async function showVersion(chatId: string, messageId: string): Promise<void> {
  const page: ResponseOf<typeof selectVersion> = await call(selectVersion, { params: { id: chatId, messageId } });
  updateCachedMessages(chatId, () => pagesOf(page));
}

type Ask = (onStarted: (started: TurnStarted) => void) => Promise<void>;

async function grow(chatId: string, branch: Branch, ask: Ask): Promise<void> {
  branches.set(chatId, branch);
  try {
    await ask(({ replyId, autopilot, persona, knowledge }) => {
      const chosen = {
        ...(autopilot && { autopilot, model_id: autopilot.model_id }),
        ...(persona !== undefined && { persona }),
        ...(knowledge && { knowledge }),
      };
      updateCachedMessages(chatId, (pages) => {
        if (!pages) return pages;
        const messages = branch.messages.map((message) =>
          message.role === "assistant" ? { ...message, ...chosen, id: replyId } : message,
        );
        return appendMessages(cutBefore(pages, branch.cutAt), messages);
      });
    });
  } finally {
    branches.set(chatId, null);
  }
}
