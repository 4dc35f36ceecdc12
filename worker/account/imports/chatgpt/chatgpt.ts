import type { Archive } from "#worker/account/imports/archive.ts";
import { fieldsOrEmpty, isObject, listOrEmpty, textOrNull } from "#worker/account/imports/chats/untrusted-values.ts";
import { buildTree, type SourceNode } from "#worker/account/imports/chats/message-tree.ts";
import type { ExternalProject } from "#worker/account/imports/chats/project-folder.ts";
import type { ModelNames } from "#worker/account/imports/chats/model-names.ts";
import { conversationSource } from "../chats/conversation-source.ts";
import { timeSpanOf, type ExternalChat, timeOrNull } from "../chats/external-chat.ts";
import { importInstructions, instructionsIn } from "./instructions.ts";
import { createFinder } from "./find-file.ts";
import { readMessage } from "./read-message.ts";

/** Exports of ChatGPT: `conversations.json`, or several of them, with the files beside. */
export const chatgpt = conversationSource({
  id: "chatgpt",
  field: "mapping",
  beside: ["chat.html", "user.json", "message_feedback.json", "shared_conversations.json"],
  read: readChatgptConversation,
  importExtras: (importing, place, chat) =>
    importInstructions(importing, place, { text: chat.instructions ?? "", at: timeSpanOf(chat).lastAt }),
});

type Context = { archive: Pick<Archive, "entries">; models: ModelNames };

/** A conversation of ChatGPT's export: steps by id in `mapping`, where `current_node` ends the branch that was looked at. */
export function readChatgptConversation(json: unknown, { archive, models }: Context): ExternalChat | string {
  const conversation = fieldsOrEmpty(json);
  if (!isObject(conversation.mapping)) return "It is not a conversation of ChatGPT.";
  const find = createFinder(archive);
  const model = textOrNull(conversation.default_model_slug);
  const nodes = inOrder(conversation.mapping).map(([id, node]): SourceNode => {
    const { role, body } = readMessage(node.message, { find, model, models });
    return { id, parentId: textOrNull(node.parent), role, body };
  });
  const createdAt = timeOrNull(conversation.create_time);
  const key =
    textOrNull(conversation.conversation_id) ?? textOrNull(conversation.id) ?? `${String(conversation.create_time)} ${nodes[0]?.id ?? ""}`;
  return {
    ...buildTree(nodes, textOrNull(conversation.current_node)),
    key,
    version: nodes.filter(({ body }) => body !== null).length,
    title: textOrNull(conversation.title) ?? "",
    project: projectOf(conversation),
    instructions: instructionsIn(conversation.mapping),
    createdAt,
    updatedAt: timeOrNull(conversation.update_time),
  };
}

/** The project of a conversation; what else stands in these fields is a custom GPT. The export has no name of it, but an id may end in its words. */
function projectOf({ gizmo_id: gizmo, conversation_template_id: template }: Readonly<Record<string, unknown>>): ExternalProject | null {
  for (const id of [gizmo, template]) {
    const [, key, words] = /^(g-p-[0-9a-zA-Z]+)(?:-([\p{L}\p{N}-]+))?$/u.exec(textOrNull(id) ?? "") ?? [];
    if (key !== undefined) return { key, name: words?.replaceAll("-", " ") ?? null };
  }
  return null;
}

/** The steps, each after those that its parent lists before it: as they were made. */
function inOrder(mapping: Record<string, unknown>): [string, Record<string, unknown>][] {
  const nodes = Object.entries(mapping).map(([id, node]): [string, Record<string, unknown>] => [id, { ...fieldsOrEmpty(node) }]);
  const places = new Map<string, number>();
  for (const [, node] of nodes) {
    for (const child of listOrEmpty(node.children)) if (typeof child === "string" && !places.has(child)) places.set(child, places.size);
  }
  return nodes.toSorted(([one], [other]) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
}
