import { timeOf } from "../chats/foreign-chat.ts";
import { codeBlock, fieldsIn, listIn, numberIn, textIn } from "../chats/loose.ts";
import { EMPTY, type ForeignFile, type Said, type SourceNode } from "../chats/message-tree.ts";
import type { ModelNames } from "../chats/model-names.ts";
import { readCitations } from "./citations.ts";
import type { Finder } from "./find-file.ts";

type Fields = Readonly<Record<string, unknown>>;
type Context = { find: Finder; model: string | null; models: ModelNames };
type Read = Pick<SourceNode, "role" | "said">;

const HIDDEN: Read = { role: "hidden", said: null };

/** What is a setting of the conversation, and no part of it. */
const SETTINGS = new Set(["user_editable_context", "model_editable_context", "app_pairing_content"]);
/** A tool's answer longer than this is cut: pages of the web, mostly, that nobody reads here again. */
const OUTPUT_LENGTH = 20_000;

/** What a step of a conversation says, and who says it; what people never saw is hidden. */
export function readMessage(value: unknown, context: Context): Read {
  const message = fieldsIn(value);
  const metadata = fieldsIn(message.metadata);
  const content = fieldsIn(message.content);
  const role = textIn(fieldsIn(message.author).role);
  const type = textIn(content.content_type) ?? "text";
  if (role === null || role === "system" || SETTINGS.has(type) || metadata.is_visually_hidden_from_conversation === true) return HIDDEN;
  const said = role === "tool" ? readTool(message, { content, type, context }) : readWords(message, { content, metadata, type, context });
  const at = timeOf(message.create_time);
  if (role === "user") return { role: "user", said: { ...said, at } };
  return isNothing(said) ? HIDDEN : { role: "assistant", said: { ...said, at } };
}

type Words = { content: Fields; metadata: Fields; type: string; context: Context };

function readWords(message: Fields, { content, metadata, type, context }: Words): Said {
  const { find, model, models } = context;
  const slug = textIn(metadata.model_slug) ?? textIn(metadata.default_model_slug) ?? model;
  const modelId = slug === null ? null : models("openai", slug);
  const parts = partsOf(content, find);
  const attached = listIn(metadata.attachments).map((one) => {
    const { id, name } = fieldsIn(one);
    return find({ id: textIn(id) ?? "", name: textIn(name) });
  });
  // A picture stands among the words, too, without its name.
  const named = new Set(attached.flatMap(({ entry }) => (entry === null ? [] : [entry])));
  const files = [...attached, ...parts.files.filter(({ entry }) => entry === null || !named.has(entry))];
  const common = { ...EMPTY, modelId, files: withoutUnnamed(files, attached.length > 0) };
  if (type === "thoughts") return { ...common, reasoning: thoughtsOf(content), files: [] };
  if (type === "reasoning_recap") return { ...common, reasoningMs: durationOf(metadata), files: [] };
  const { text, citations } = readCitations(parts.text, metadata);
  const recipient = textIn(message.recipient) ?? "all";
  if (recipient !== "all") return { ...common, content: callOf(recipient, content, text) };
  return { ...common, content: type === "code" ? codeBlock(text, textIn(content.language) ?? "") : text, citations };
}

/** Where attachments are listed, a picture among the words that is not in the archive is one of them. */
function withoutUnnamed(files: readonly ForeignFile[], isListed: boolean): ForeignFile[] {
  return files.filter(({ entry, name }) => entry !== null || !isListed || !/^file[-_]/.test(name));
}

/** The words and files of a message's content, whatever its type. */
function partsOf(content: Fields, find: Finder): { text: string; files: ForeignFile[] } {
  const texts: string[] = [];
  const files: ForeignFile[] = [];
  for (const part of [...listIn(content.parts), ...(typeof content.text === "string" ? [content.text] : [])]) {
    if (typeof part === "string") {
      texts.push(part);
      continue;
    }
    const { content_type: type, asset_pointer: pointer, text } = fieldsIn(part);
    if (typeof text === "string") texts.push(text);
    const id = idOf(textIn(pointer));
    if (type === "image_asset_pointer" && id !== null) files.push(find({ id, name: null }));
  }
  return { text: texts.filter((text) => text !== "").join("\n\n"), files };
}

/** `file-service://file-abc`, `sediment://file_abc#page`. */
function idOf(pointer: string | null): string | null {
  return pointer === null ? null : (/file[-_][A-Za-z0-9]+/.exec(pointer)?.[0] ?? null);
}

function thoughtsOf(content: Fields): string | null {
  const thoughts = listIn(content.thoughts).map((thought) => {
    const { summary, content: text } = fieldsIn(thought);
    return [textIn(summary) && `**${textIn(summary)}**`, textIn(text)].filter(Boolean).join("\n\n");
  });
  return thoughts.filter(Boolean).join("\n\n") || null;
}

function durationOf(metadata: Fields): number | null {
  const seconds = numberIn(metadata.finished_duration_sec);
  return seconds === null || seconds < 0 ? null : Math.round(seconds * 1000);
}

/** What the model asked of a tool, readable. */
function callOf(recipient: string, content: Fields, text: string): string {
  if (text.trim() === "") return "";
  const language = textIn(content.language);
  const isPython = recipient === "python" || recipient.startsWith("python.");
  return `**${toolName(recipient)}**\n\n${codeBlock(text, isPython ? "python" : language === null || language === "unknown" ? "" : language)}`;
}

const TOOLS: Record<string, string> = {
  python: "Python",
  browser: "Browser",
  web: "Web search",
  dalle: "Image",
  image_gen: "Image",
  t2uay3k: "Image",
  canmore: "Canvas",
  bio: "Memory",
  file_search: "Files",
  myfiles_browser: "Files",
};

function toolName(recipient: string): string {
  const name = recipient.split(".")[0] ?? recipient;
  return Object.hasOwn(TOOLS, name) ? (TOOLS[name] ?? name) : name;
}

type Answered = { content: Fields; type: string; context: Context };

/** What a tool answered: results of code and quotes as they are, pages that were read as nothing but their links. */
function readTool(message: Fields, { content, type, context }: Answered): Said {
  const { text, files } = partsOf(content, context.find);
  const cut = text.length > OUTPUT_LENGTH ? `${text.slice(0, OUTPUT_LENGTH)}\n…` : text;
  if (type === "tether_quote") {
    const [url, title] = [textIn(content.url), textIn(content.title)];
    const quoted = cut.split("\n").map((line) => `> ${line}`);
    return {
      ...EMPTY,
      content: cut.trim() === "" ? "" : `${title === null ? "" : `**${title}**\n\n`}${quoted.join("\n")}`,
      citations: url === null ? [] : [{ url, title }],
    };
  }
  if (type === "tether_browsing_display" || type === "sonic_webpage") return { ...EMPTY, citations: visited(message, content) };
  if (type === "execution_output") return { ...EMPTY, content: cut.trim() === "" ? "" : `**Output**\n\n${codeBlock(cut)}`, files };
  if (type === "system_error") return { ...EMPTY, content: cut.trim() === "" ? "" : `**Error**\n\n${codeBlock(cut)}` };
  // What a picture's tool says beside it is meant for the model.
  if (files.length > 0) return { ...EMPTY, files };
  const author = textIn(fieldsIn(message.author).name) ?? "tool";
  return { ...EMPTY, content: cut.trim() === "" ? "" : `**${toolName(author)}**\n\n${codeBlock(cut)}` };
}

function visited(message: Fields, content: Fields): Said["citations"] {
  const listed = listIn(fieldsIn(fieldsIn(message.metadata)._cite_metadata).metadata_list);
  return [content, ...listed.map(fieldsIn)].flatMap(({ url, title }) => (typeof url === "string" ? [{ url, title: textIn(title) }] : []));
}

function isNothing({ content, reasoning, reasoningMs, citations, files }: Said): boolean {
  return content.trim() === "" && reasoning === null && reasoningMs === null && citations.length === 0 && files.length === 0;
}
