import type { Context, Hono } from "hono";
import { arrivalQueryParameters, readArrivals } from "#shared/sign-in/arrivals.ts";
import { GOOGLE_NOTICES } from "#shared/sign-in/google-notices.ts";
import { isUuid } from "#shared/uuid.ts";
import { nameWithoutVendor } from "#shared/models/model-names.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import { readerOf } from "#worker/people/callers/reader.ts";
import type { AppContext, Env } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { clearCookie, readCookie, writeCookie } from "#worker/platform/http/cookies.ts";
import { ownOrigin } from "#worker/platform/http/origin.ts";
import { copyPublicChat } from "#worker/conversation/public-chats/copy-public-chat.ts";
import { viewPublic } from "#worker/conversation/public-chats/public-chats.ts";
import { pageFaces, frame, type Audience } from "./frame.ts";
import { chatPart, missingPart, noticePart, type PagePart } from "./page.ts";
import { parseMessages } from "./parsed-messages.ts";
import type { Typeset } from "./to-html.ts";
import { loadOnce } from "#worker/platform/load-once.ts";
import { loadCatalogue } from "#worker/people/models/catalogue.ts";

/** How long, in seconds, signing in may take between asking for a copy and getting it. */
const CONTINUE_S = 30 * 60;

/** Mounts the public pages of published chats. */
export function publicPageRoutes(app: Hono<AppContext>): void {
  app.get("/p/:id", async (c) => {
    // This page is a document of its own: what a link brought along is looked at in the application, and notices are shown there.
    const query = new URL(c.req.url).searchParams;
    const parameters = [...arrivalQueryParameters(readArrivals(query)), ...noticesIn(query)];
    if (parameters.length > 0) return c.redirect(`/?${new URLSearchParams(parameters).toString()}`, 302);
    const id = c.req.param("id");
    const page = Number(c.req.query("page") ?? "1");
    const isPossible = isUuid(id) && Number.isInteger(page) && page >= 1;
    const [part, standing] = isPossible ? await Promise.all([readPart(c, id, page), audienceOf(c, id)]) : [null, "reader" as const];
    return part ? show(c, part, { id, standing, status: 200 }) : show(c, missingPart(), { id, standing: null, status: 404 });
  });

  app.post("/p/:id/continue", async (c) => {
    const id = c.req.param("id");
    const caller = c.get("caller");
    if (caller && !caller.anonymous) return toCopy(c, id);
    // Signing in may lead over another site: the way back is a plain link, and this says who asked for it.
    writeCookie(c, "continue", { value: id, maxAge: CONTINUE_S });
    return c.redirect(`/auth/login?returnUrl=${encodeURIComponent(`/p/${id}/continue`)}`, 303);
  });

  app.get("/p/:id/continue", async (c) => {
    const id = c.req.param("id");
    const caller = c.get("caller");
    if (!caller || caller.anonymous || readCookie(c, "continue") !== id) return c.redirect(`/p/${encodeURIComponent(id)}`, 303);
    clearCookie(c, "continue");
    return toCopy(c, id);
  });
}

function noticesIn(query: URLSearchParams): [name: string, noticeValue: string][] {
  return GOOGLE_NOTICES.flatMap((name): [string, string][] => {
    const noticeValue = query.get(name);
    return noticeValue === null ? [] : [[name, noticeValue]];
  });
}

type Shown = { id: string; standing: Audience | null; status: AppError["status"] | 200 };

async function show(c: Context<AppContext>, part: PagePart, { id, standing, status }: Shown): Promise<Response> {
  const caller = c.get("caller");
  const { pathname, search } = new URL(c.req.url);
  // What is not there says the same to everybody.
  const isOffered = standing !== null && (!caller || caller.anonymous);
  const login = isOffered ? `/auth/login?returnUrl=${encodeURIComponent(pathname + search)}` : null;
  const { html, policy } = await frame(part, { chatId: id, faces: await pageFaces(c.env, c.req.url), audience: standing, login });
  return c.html(html, status, { "content-security-policy": policy, "cache-control": "no-store", "x-robots-tag": "noindex" });
}

/** The page as it may be read right now, rendered again where the chat has changed; null where it is not public. */
async function readPart(c: Context<AppContext>, id: string, page: number): Promise<PagePart | null> {
  const url = `${ownOrigin(c)}/p/${id}`;
  const key = `${url} ${page}`;
  const cached = cachedPage(key);
  const view = await viewPublic(c.env, c.get("db"), { chatId: id, page, known: cached?.version });
  if (view === true) return cached?.part ?? null;
  if (view === null || page > view.pages) return null;
  const nameOf = await modelNames(c.env);
  const messages = parseMessages(view.messages);
  const part = await withFormulas((typeset) => chatPart(view, { url, nameOf, messages, typeset }));
  cachePage(key, { version: view.version, part });
  return part;
}

async function audienceOf(c: Context<AppContext>, id: string): Promise<Audience> {
  const caller = c.get("caller");
  return caller && (await roomOf(c.env, id).describe(readerOf(caller))).ok ? "member" : "reader";
}

/** Leads into the caller's own copy; what stands in its way is said on a page, as a browser asks. */
async function toCopy(c: Context<AppContext>, id: string): Promise<Response> {
  const caller = c.get("caller");
  if (!caller || !isUuid(id)) return c.redirect("/", 303);
  try {
    return c.redirect(`/c/${await copyPublicChat(c.env, c.get("db"), { caller, chatId: id })}`, 303);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    const part = error.code === "NOT_FOUND" ? missingPart() : noticePart(error.message, "No copy");
    return show(c, part, { id, standing: null, status: error.status });
  }
}

/** Renders with what sets formulas, which is loaded only where one turns up, as it is large: such a page is rendered twice. */
const typesetting = loadOnce(() => import("./typeset-formula.ts"));

async function withFormulas<T>(render: (typeset: Typeset) => T): Promise<T> {
  let hasFormula = false;
  const plain = render(() => {
    hasFormula = true;
    return null;
  });
  if (!hasFormula) return plain;
  const { createTypesetter } = await typesetting();
  return render(createTypesetter());
}

/** Names models for readers; by their ids where the list cannot be read or no longer has them. */
async function modelNames(env: Env): Promise<(modelId: string) => string> {
  const names = await readNames(env);
  return (modelId) => names.get(modelId) ?? plainName(modelId);
}

async function readNames(env: Env): Promise<ReadonlyMap<string, string>> {
  try {
    const { entries } = await loadCatalogue(env);
    return new Map(entries.map(({ model }) => [model.id, nameWithoutVendor(model.name)]));
  } catch (error) {
    // A page can be read while the aggregator is down.
    if (error instanceof AppError) return new Map();
    throw error;
  }
}

function plainName(modelId: string): string {
  return modelId.slice(modelId.indexOf("/") + 1);
}

/** A rendered page is used again for this many milliseconds while the chat's version stays the same. */
const PAGE_CACHE_MS = 30_000;
/** Characters of rendered pages that an isolate keeps. */
const PAGE_CACHE_CHARACTERS = 8_000_000;

type Rendered = { version: number; part: PagePart; at: number };

const rendered = new Map<string, Rendered>();

/** The page of a chat as it was rendered a moment ago; whether it may be shown is asked again each time. */
function cachedPage(key: string, now = Date.now()): Rendered | null {
  const found = rendered.get(key);
  return found && now - found.at < PAGE_CACHE_MS ? found : null;
}

/** Keeps a rendered page for whoever comes next; the oldest go as there are too many. */
function cachePage(key: string, { version, part }: Omit<Rendered, "at">, now = Date.now()): void {
  rendered.delete(key);
  rendered.set(key, { version, part, at: now });
  let characters = 0;
  for (const [old, { part: kept, at }] of [...rendered].toReversed()) {
    characters += kept.body.length;
    if (characters > PAGE_CACHE_CHARACTERS || now - at >= PAGE_CACHE_MS) rendered.delete(old);
  }
}
