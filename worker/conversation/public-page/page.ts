import { APP_NAME } from "#shared/app.ts";
import type { PublicChat, PublicMessage } from "#shared/entities/public-chat.ts";
import { hueOf, initialsOf } from "#shared/hue.ts";
import { toPlainText } from "#shared/markdown/plain-text.ts";
import { listedSources } from "#shared/markdown/listed-sources.ts";
import { escapeHtml } from "#worker/platform/http/escape-html.ts";
import type { ParsedMessage } from "./parsed-messages.ts";
import { ELSEWHERE, toHtml } from "./to-html.ts";
import type { Typeset } from "./to-html.ts";

/** What a page is made of besides its frame: `style` has the hues of the names in it. */
export type PagePart = { title: string; head: string; style: string; body: string };

/** Characters read in a minute: about 200 words. */
const READING_SPEED = 1_100;
const DESCRIPTION_LENGTH = 200;
const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

type ChatPage = {
  url: string;
  nameOf: (modelId: string) => string;
  messages: readonly ParsedMessage[];
  typeset: Typeset;
};

/** A page of a published chat: who published it and what was said, and nothing of anybody else. */
export function chatPart(chat: PublicChat, { url, nameOf, messages, typeset }: ChatPage): PagePart {
  const title = chat.title.trim() || "Untitled chat";
  const hues = createHues();
  const minutes = Math.max(1, Math.round(chat.length / READING_SPEED));
  const facts = [`${chat.messageCount} ${chat.messageCount === 1 ? "message" : "messages"}`, `${minutes} min read`];
  const publisher = tile("person", initialsOf(chat.publishedBy, 2), hues.classOf(chat.publishedBy));
  const at = `<time datetime="${escapeHtml(chat.publishedAt)}">${DATE.format(new Date(chat.publishedAt))}</time>`;
  const body = `<h1 dir="auto">${escapeHtml(title)}</h1>
<p class="by">${publisher}<span><b dir="auto">${escapeHtml(chat.publishedBy)}</b> published this on ${at}${facts.map((fact) => `<span class="dot" aria-hidden="true">·</span>${fact}`).join("")}</span></p>
${messages.map((message) => article(message, { nameOf, hues, typeset })).join("\n")}
${chat.messageCount === 0 ? "<p>There are no messages yet.</p>" : ""}${pages(chat)}`;
  return { title: `${title} – ${APP_NAME}`, head: metaTags({ title, url, description: describe(chat) }), style: hues.style(), body };
}

/** The page of an address where nothing is published, whatever the reason. */
export function missingPart(): PagePart {
  return noticePart("This page doesn't exist, or is no longer published.", "Not found");
}

/** A page that has one thing to say, in a frame without a standing. */
export function noticePart(words: string, title: string): PagePart {
  return { title: `${title} – ${APP_NAME}`, head: "", style: "", body: escapeHtml(words) };
}

type ArticleContext = Pick<ChatPage, "nameOf" | "typeset"> & { hues: ReturnType<typeof createHues> };

function article(message: ParsedMessage, { nameOf, hues, typeset }: ArticleContext): string {
  const { id, role, model_id: modelId, citations } = message;
  const text = `<div class="text">${toHtml(message, { citations, typeset, prefix: `m-${id.slice(0, 8)}-` })}</div>`;
  if (role === "user") return `<article class="question"><h2 class="hidden">Question</h2>${text}</article>`;
  const name = modelId === null ? "Answer" : nameOf(modelId);
  const mark = tile("model", initialsOf(name, 1), hues.classOf((modelId ?? name).split(/[/:]/)[0] ?? name));
  return `<article><h2 class="speaker">${mark}<span>${escapeHtml(name)}</span></h2>${text}${sources(message)}</article>`;
}

function sources({ content, citations }: PublicMessage): string {
  const items = listedSources(content, citations).map(({ number, href, host, title }) => {
    const inside = `<span class="mark" aria-hidden="true">${number}</span><span class="host">${escapeHtml(host)}</span>`;
    return `<li><a href="${escapeHtml(href)}" title="${escapeHtml(title ?? href)}" ${ELSEWHERE}>${inside}</a></li>`;
  });
  return items.length === 0 ? "" : `<ul class="sources" aria-label="Sources"><li aria-hidden="true">Sources</li>${items.join("")}</ul>`;
}

function pages({ page, pages: count }: PublicChat): string {
  if (count === 1) return "";
  const link = (to: number, text: string) => (to < 1 || to > count ? "<span></span>" : `<a href="?page=${to}">${text}</a>`);
  return `<nav class="pages" aria-label="Pages">${link(page - 1, "Earlier messages")}<span>Page ${page} of ${count}</span>${link(page + 1, "Later messages")}</nav>`;
}

function tile(kind: "person" | "model", initials: string, hueClass: string): string {
  return `<span class="tile ${kind} ${hueClass}" aria-hidden="true">${escapeHtml(initials)}</span>`;
}

/** Classes for the hues in use: a style in an element would need a weaker policy for the whole page. */
function createHues() {
  const hues = new Set<number>();
  return {
    classOf(name: string): string {
      const hue = hueOf(name);
      hues.add(hue);
      return `hue-${hue}`;
    },
    style: () => [...hues].map((hue) => `.hue-${hue} { --hue: ${hue}; }`).join(" "),
  };
}

function describe({ messages }: PublicChat): string {
  const answer = messages.find(({ role }) => role === "assistant") ?? messages[0];
  return answer ? toPlainText(answer.content, DESCRIPTION_LENGTH) : "";
}

function metaTags({ title, url, description }: { title: string; url: string; description: string }): string {
  const { origin } = new URL(url);
  const properties: [string, string, string][] = [
    ["property", "og:type", "article"],
    ["property", "og:site_name", APP_NAME],
    ["property", "og:title", title],
    ["property", "og:description", description],
    ["property", "og:url", url],
    ["property", "og:image", `${origin}/apple-touch-icon.png`],
    ["name", "twitter:card", "summary"],
    ["name", "description", description],
  ];
  return properties.map(([kind, name, content]) => `<meta ${kind}="${name}" content="${escapeHtml(content)}">`).join("\n");
}
