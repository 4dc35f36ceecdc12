import type { Archive } from "../archive.ts";
import { type ExternalChat, timeOrNull } from "../chats/external-chat.ts";
import { codeBlock, fieldsOrEmpty, listOrEmpty, textOrNull } from "#worker/account/imports/chats/untrusted-values.ts";
import { buildTree, EMPTY, type ImportedCall, type ExternalFile, type MessageBody, type SourceNode } from "../chats/message-tree.ts";
import type { ExternalProject } from "../chats/project-folder.ts";
import type { ModelNames } from "../chats/model-names.ts";
import { artifactBlock, isArtifact } from "./artifact-block.ts";
import { importArtifacts, followArtifacts, type MadeArtifacts } from "./artifacts.ts";

/** `made` are calls that became artifacts. */
type Context = { archive: Pick<Archive, "entries" | "isZip">; models: ModelNames; made?: MadeArtifacts };
type Fields = Readonly<Record<string, unknown>>;

/** The parent of a conversation's first message. */
const ROOT = /^0{8}-0{4}-4?0{3,4}-8?0{3,4}-0{12}$/;
const OUTPUT_LENGTH = 20_000;

/** A conversation of Claude's export: messages in the order in which they were written; newer exports say whose answer each is. */
export function readClaudeConversation(json: unknown, context: Context): ExternalChat | string {
  const { archive, models, made = new Map<string, ImportedCall>() } = context;
  const conversation = fieldsOrEmpty(json);
  if (!Array.isArray(conversation.chat_messages)) return "It is not a conversation of Claude.";
  const messages = listOrEmpty(conversation.chat_messages).map(fieldsOrEmpty);
  const hasParents = messages.some(({ parent_message_uuid: parent }) => typeof parent === "string");
  const model = textOrNull(conversation.model);
  const modelId = model === null ? null : models("anthropic", model);
  const ids = messages.map(({ uuid }, index) => textOrNull(uuid) ?? `number ${index}`);
  const nodes = messages.map((message, index): SourceNode => {
    const role = message.sender === "human" ? "user" : "assistant";
    const parent = hasParents ? textOrNull(message.parent_message_uuid) : (ids[index - 1] ?? null);
    const body = readMessage(message, { role, archive, callAt: (block) => made.get(`${index}/${block}`) });
    return {
      id: ids[index] ?? "",
      parentId: parent === null || ROOT.test(parent) ? null : parent,
      role,
      body: role === "user" ? body : { ...body, modelId },
    };
  });
  const read: ExternalChat = {
    ...buildTree(nodes, textOrNull(conversation.current_leaf_message_uuid) ?? newestId(nodes)),
    key: textOrNull(conversation.uuid) ?? `${textOrNull(conversation.created_at) ?? ""} ${ids[0] ?? ""}`,
    version: messages.length,
    title: textOrNull(conversation.name) ?? "",
    project: projectOf(conversation),
    createdAt: timeOrNull(conversation.created_at),
    updatedAt: timeOrNull(conversation.updated_at),
  };
  if (context.made || followArtifacts(conversation).artifacts.length === 0) return read;
  return {
    ...read,
    async complete(importing, chatId) {
      const came = await importArtifacts(importing, { chatId, modelId, conversation });
      const completed = readClaudeConversation(json, { ...context, made: came.made });
      return { chat: typeof completed === "string" ? read : completed, brought: came.result };
    },
  };
}

/** The project of a conversation, where the export says it. */
function projectOf({ project, project_uuid: id }: Fields): ExternalProject | null {
  const { uuid, name } = fieldsOrEmpty(project);
  const key = textOrNull(uuid) ?? textOrNull(id) ?? textOrNull(project);
  return key === null || key === "" ? null : { key, name: textOrNull(name) };
}

function newestId(nodes: readonly SourceNode[]): string | null {
  return nodes.at(-1)?.id ?? null;
}

type MessageContext = { role: "user" | "assistant"; archive: Context["archive"]; callAt: (block: number) => ImportedCall | undefined };

function readMessage(message: Fields, { role, archive, callAt }: MessageContext): MessageBody {
  const read: Block[] = [];
  const calls: MessageBody["calls"][number][] = [];
  let ownText = "";
  for (const [index, block] of listOrEmpty(message.content).map(fieldsOrEmpty).entries()) {
    const call = role === "assistant" ? callAt(index) : undefined;
    if (call) {
      calls.push({ ...call, place: ownText.length });
      continue;
    }
    const own = readBlock(block);
    read.push(own);
    if (own.content.trim() !== "") ownText += `${ownText === "" ? "" : "\n\n"}${own.content}`;
  }
  const text = ownText === "" && calls.length === 0 ? (textOrNull(message.text) ?? "") : ownText;
  return {
    ...EMPTY,
    content: text,
    reasoning: role === "assistant" ? read.flatMap(({ reasoning }) => (reasoning === null ? [] : [reasoning])).join("\n\n") || null : null,
    reasoningMs: null,
    citations: read.flatMap(({ citations }) => citations),
    files: filesOf(message, archive),
    calls,
    at: timeOrNull(message.created_at),
  };
}

type Block = Pick<MessageBody, "content" | "reasoning" | "citations">;

function readBlock(block: Fields): Block {
  const nothing: Block = { content: "", reasoning: null, citations: [] };
  switch (block.type) {
    case "text":
      return { ...nothing, content: textOrNull(block.text) ?? "", citations: listOrEmpty(block.citations).flatMap(citationOf) };
    case "thinking":
      return { ...nothing, reasoning: textOrNull(block.thinking) };
    case "tool_use":
      return { ...nothing, content: isArtifact(block) ? artifactBlock(fieldsOrEmpty(block.input)) : callOf(block) };
    case "tool_result":
      return { ...nothing, ...resultOf(block) };
    default:
      return nothing;
  }
}

function citationOf(value: unknown): MessageBody["citations"] {
  const { details, url, title } = fieldsOrEmpty(value);
  const address = textOrNull(url) ?? textOrNull(fieldsOrEmpty(details).url);
  return address === null ? [] : [{ url: address, title: textOrNull(title) }];
}

/** What the model asked of a tool, readable. */
function callOf({ name, input }: Fields): string {
  const { code, query, command, ...rest } = fieldsOrEmpty(input);
  const title = `**${(textOrNull(name) ?? "tool").replaceAll("_", " ")}**`;
  const text = textOrNull(code) ?? textOrNull(command) ?? textOrNull(query);
  if (text !== null) return `${title}\n\n${codeBlock(text)}`;
  const json = JSON.stringify(rest, null, 2);
  return json === "{}" ? title : `${title}\n\n${codeBlock(cut(json), "json")}`;
}

/** What a tool answered: pages as their links, text as it is. */
function resultOf({ name, content }: Fields): Pick<MessageBody, "content" | "citations"> {
  const parts = (typeof content === "string" ? [{ type: "text", text: content }] : listOrEmpty(content)).map(fieldsOrEmpty);
  const citations = parts.flatMap(({ url, title }) => (typeof url === "string" ? [{ url, title: textOrNull(title) }] : []));
  if (citations.length > 0 || name === "artifacts") return { content: "", citations };
  const text = parts.flatMap(({ text: own }) => (typeof own === "string" ? [own] : [])).join("\n");
  return { content: text.trim() === "" || text.trim() === "OK" ? "" : codeBlock(cut(text)), citations };
}

function cut(text: string): string {
  return text.length > OUTPUT_LENGTH ? `${text.slice(0, OUTPUT_LENGTH)}\n…` : text;
}

/** What was pasted or uploaded: texts are in the export, pictures only where the archive has one of that name. */
function filesOf(message: Fields, archive: Context["archive"]): ExternalFile[] {
  const texts = listOrEmpty(message.attachments).map((value): ExternalFile => {
    const { file_name: name, extracted_content: text } = fieldsOrEmpty(value);
    const own = textOrNull(name) || "pasted.txt";
    return { name: typeof text === "string" ? textName(own) : own, entry: null, text: textOrNull(text) };
  });
  const known = new Set(texts.map(({ name }) => name));
  const others = [...listOrEmpty(message.files), ...listOrEmpty(message.files_v2)].flatMap((value): ExternalFile[] => {
    const name = textOrNull(fieldsOrEmpty(value).file_name);
    if (name === null || known.has(name) || known.has(textName(name))) return [];
    known.add(name);
    const entry = archive.isZip ? [...archive.entries.keys()].find((key) => key === name || key.endsWith(`/${name}`)) : undefined;
    return [{ name, entry: entry ?? null, text: null }];
  });
  return [...texts, ...others];
}

/** The text that was read of a file is a text file, whatever the file was. */
export function textName(name: string): string {
  return /\.(?:txt|md|csv|json)$/i.test(name) ? name : `${name}.txt`;
}
