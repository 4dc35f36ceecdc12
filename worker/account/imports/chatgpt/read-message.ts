import { timeOrNull } from "../chats/external-chat.ts";
import { codeBlock, fieldsOrEmpty, listOrEmpty, numberOrNull, textOrNull } from "#worker/account/imports/chats/untrusted-values.ts";
import { EMPTY, type ExternalFile, type MessageBody, type SourceNode } from "../chats/message-tree.ts";
import type { ModelNames } from "../chats/model-names.ts";
import type { Finder } from "./find-file.ts";

type Cited = MessageBody["citations"];

/** Marks of the product's own that stand for a source, a picture or a widget: `\uE200cite\uE202turn0search1\uE201`. */
const MARK = /\uE200[^\uE200\uE201]*\uE201/g;
const LEFTOVER_MARKS = /[\uE200-\uE206]/g;
/** The older form: `【5†source】`. */
const BRACKET = /【\d+(?::\d+)?†[^】]{0,200}】/g;
/** A text with more marks than anyone reads is left with the rest of them. */
const MARKS = 500;

/** A text with its marks as links, where it is known what they stand for, and without them where not; and the pages it names. */
function readCitations(text: string, metadata: Readonly<Record<string, unknown>>): { text: string; citations: Cited } {
  const citations: Cited = [];
  let linked = text;
  for (const value of listOrEmpty(metadata.content_references).slice(0, MARKS)) {
    const reference = fieldsOrEmpty(value);
    const pages = pagesOf(reference);
    citations.push(...pages);
    const mark = textOrNull(reference.matched_text);
    // Some references are of all the text, or of a space.
    if (mark === null || mark.trim().length < 3 || !linked.includes(mark)) continue;
    linked = linked.replaceAll(mark, (_, at: number, all: string) => spaced(linksOf(pages) || alternative(reference), all[at - 1]));
  }
  for (const value of listOrEmpty(metadata.citations).slice(0, MARKS)) {
    const citation = fieldsOrEmpty(value);
    const { url, title } = fieldsOrEmpty(citation.metadata);
    if (typeof url !== "string") continue;
    const page = { url, title: textOrNull(title) };
    citations.push(page);
    const mark = markAt(text, citation);
    if (mark !== null) linked = linked.replace(mark, (_, at: number, all: string) => spaced(linksOf([page]), all[at - 1]));
  }
  return { text: linked.replaceAll(MARK, "").replaceAll(LEFTOVER_MARKS, "").replaceAll(BRACKET, ""), citations };
}

/** A link stands apart from the word before it. */
function spaced(link: string, before: string | undefined): string {
  return link === "" || before === undefined || /\s/.test(before) ? link : ` ${link}`;
}

function markAt(text: string, { start_ix: start, end_ix: end }: Readonly<Record<string, unknown>>): string | null {
  const mark = text.slice(numberOrNull(start) ?? 0, numberOrNull(end) ?? 0);
  return /^【[^】]*】$/.test(mark) ? mark : null;
}

function pagesOf(reference: Readonly<Record<string, unknown>>): Cited {
  const items = [reference, ...listOrEmpty(reference.items).map(fieldsOrEmpty), ...listOrEmpty(reference.sources).map(fieldsOrEmpty)];
  return items.flatMap(({ url, title }) => (typeof url === "string" && url !== "" ? [{ url, title: textOrNull(title) }] : []));
}

function alternative(reference: Readonly<Record<string, unknown>>): string {
  const alt = textOrNull(reference.alt);
  return alt !== null && alt.length < 2_000 ? alt : "";
}

function linksOf(pages: Cited): string {
  return pages
    .slice(0, 3)
    .flatMap(({ url, title }) => (/^https?:\/\/[^\s()<>]+$/i.test(url) ? [`([${plain(title ?? hostOf(url))}](${url}))`] : []))
    .join(" ");
}

function plain(title: string): string {
  return (
    title
      .replaceAll(/[[\]\n\\`*_<>]/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim()
      .slice(0, 80) || "source"
  );
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/^www\./, "") ?? "source";
}

type Fields = Readonly<Record<string, unknown>>;
type Context = { find: Finder; model: string | null; models: ModelNames };
type Read = Pick<SourceNode, "role" | "body">;

const HIDDEN: Read = { role: "hidden", body: null };

/** What is a setting of the conversation, and no part of it. */
const SETTINGS = new Set(["user_editable_context", "model_editable_context", "app_pairing_content"]);
/** A tool's answer longer than this is cut: pages of the web, mostly, that nobody reads here again. */
const OUTPUT_LENGTH = 20_000;

/** What a step of a conversation says, and who says it; what people never saw is hidden. */
export function readMessage(value: unknown, context: Context): Read {
  const message = fieldsOrEmpty(value);
  const metadata = fieldsOrEmpty(message.metadata);
  const content = fieldsOrEmpty(message.content);
  const role = textOrNull(fieldsOrEmpty(message.author).role);
  const type = textOrNull(content.content_type) ?? "text";
  if (role === null || role === "system" || SETTINGS.has(type) || metadata.is_visually_hidden_from_conversation === true) return HIDDEN;
  const body =
    role === "tool" ? readTool(message, { content, type, context }) : readTextMessage(message, { content, metadata, type, context });
  const at = timeOrNull(message.create_time);
  if (role === "user") return { role: "user", body: { ...body, at } };
  return isNothing(body) ? HIDDEN : { role: "assistant", body: { ...body, at } };
}

type MessageParts = { content: Fields; metadata: Fields; type: string; context: Context };

function readTextMessage(message: Fields, { content, metadata, type, context }: MessageParts): MessageBody {
  const { find, model, models } = context;
  const slug = textOrNull(metadata.model_slug) ?? textOrNull(metadata.default_model_slug) ?? model;
  const modelId = slug === null ? null : models("openai", slug);
  const parts = partsOf(content, find);
  const attached = listOrEmpty(metadata.attachments).map((one) => {
    const { id, name } = fieldsOrEmpty(one);
    return find({ id: textOrNull(id) ?? "", name: textOrNull(name) });
  });
  // A picture stands among the words, too, without its name.
  const named = new Set(attached.flatMap(({ entry }) => (entry === null ? [] : [entry])));
  const files = [...attached, ...parts.files.filter(({ entry }) => entry === null || !named.has(entry))];
  const common = { ...EMPTY, modelId, files: withoutUnnamed(files, attached.length > 0) };
  if (type === "thoughts") return { ...common, reasoning: thoughtsOf(content), files: [] };
  if (type === "reasoning_recap") return { ...common, reasoningMs: durationOf(metadata), files: [] };
  const { text, citations } = readCitations(parts.text, metadata);
  const recipient = textOrNull(message.recipient) ?? "all";
  if (recipient !== "all") return { ...common, content: callOf(recipient, content, text) };
  return { ...common, content: type === "code" ? codeBlock(text, textOrNull(content.language) ?? "") : text, citations };
}

/** Where attachments are listed, a picture among the words that is not in the archive is one of them. */
function withoutUnnamed(files: readonly ExternalFile[], isListed: boolean): ExternalFile[] {
  return files.filter(({ entry, name }) => entry !== null || !isListed || !/^file[-_]/.test(name));
}

/** The words and files of a message's content, whatever its type. */
function partsOf(content: Fields, find: Finder): { text: string; files: ExternalFile[] } {
  const texts: string[] = [];
  const files: ExternalFile[] = [];
  for (const part of [...listOrEmpty(content.parts), ...(typeof content.text === "string" ? [content.text] : [])]) {
    if (typeof part === "string") {
      texts.push(part);
      continue;
    }
    const { content_type: type, asset_pointer: pointer, text } = fieldsOrEmpty(part);
    if (typeof text === "string") texts.push(text);
    const id = idOf(textOrNull(pointer));
    if (type === "image_asset_pointer" && id !== null) files.push(find({ id, name: null }));
  }
  return { text: texts.filter((text) => text !== "").join("\n\n"), files };
}

/** `file-service://file-abc`, `sediment://file_abc#page`. */
function idOf(pointer: string | null): string | null {
  return pointer === null ? null : (/file[-_][A-Za-z0-9]+/.exec(pointer)?.[0] ?? null);
}

function thoughtsOf(content: Fields): string | null {
  const thoughts = listOrEmpty(content.thoughts).map((thought) => {
    const { summary, content: text } = fieldsOrEmpty(thought);
    return [textOrNull(summary) && `**${textOrNull(summary)}**`, textOrNull(text)].filter(Boolean).join("\n\n");
  });
  return thoughts.filter(Boolean).join("\n\n") || null;
}

function durationOf(metadata: Fields): number | null {
  const seconds = numberOrNull(metadata.finished_duration_sec);
  return seconds === null || seconds < 0 ? null : Math.round(seconds * 1000);
}

/** What the model asked of a tool, readable. */
function callOf(recipient: string, content: Fields, text: string): string {
  if (text.trim() === "") return "";
  const language = textOrNull(content.language);
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
function readTool(message: Fields, { content, type, context }: Answered): MessageBody {
  const { text, files } = partsOf(content, context.find);
  const cut = text.length > OUTPUT_LENGTH ? `${text.slice(0, OUTPUT_LENGTH)}\n…` : text;
  if (type === "tether_quote") {
    const [url, title] = [textOrNull(content.url), textOrNull(content.title)];
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
  const author = textOrNull(fieldsOrEmpty(message.author).name) ?? "tool";
  return { ...EMPTY, content: cut.trim() === "" ? "" : `**${toolName(author)}**\n\n${codeBlock(cut)}` };
}

function visited(message: Fields, content: Fields): MessageBody["citations"] {
  const listed = listOrEmpty(fieldsOrEmpty(fieldsOrEmpty(message.metadata)._cite_metadata).metadata_list);
  return [content, ...listed.map(fieldsOrEmpty)].flatMap(({ url, title }) =>
    typeof url === "string" ? [{ url, title: textOrNull(title) }] : [],
  );
}

function isNothing({ content, reasoning, reasoningMs, citations, files }: MessageBody): boolean {
  return content.trim() === "" && reasoning === null && reasoningMs === null && citations.length === 0 && files.length === 0;
}
