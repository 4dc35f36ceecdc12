import type { Context, Hono } from "hono";
import { isUuid } from "#shared/uuid.ts";
import { roomOf } from "../chat-room/stub.ts";
import { isPublic } from "../chats/chats.ts";
import { readerOf } from "../chats/prepare-turn.ts";
import { openDatabase } from "../db/client.ts";
import type { AppContext } from "../env.ts";
import { clearCookie, readCookie, writeCookie } from "../http/cookies.ts";
import { ownOrigin } from "../http/origin.ts";
import { copyPublicChat } from "../public-chats/copy-public-chat.ts";
import { pageFaces } from "./faces.ts";
import { frame, type Standing } from "./frame.ts";
import { modelNames } from "./model-names.ts";
import { chatPart, missingPart, type PagePart } from "./page.ts";
import { keepPage, keptPage } from "./rendered-pages.ts";

/** How long, in seconds, signing in may take between asking for a copy and getting it. */
const CONTINUE_S = 30 * 60;

/** Mounts the public pages of published chats, and what leads from a chat's address to its page. */
export function publicPageRoutes(app: Hono<AppContext>): void {
  app.get("/p/:id", async (c) => {
    const id = c.req.param("id");
    const page = Number(c.req.query("page") ?? "1");
    const isPossible = isUuid(id) && Number.isInteger(page) && page >= 1;
    const [part, standing] = isPossible ? await Promise.all([readPart(c, id, page), standingOf(c, id)]) : [null, "reader" as const];
    const { html, policy } = await frame(part ?? missingPart(), {
      chatId: id,
      faces: await pageFaces(c.env, c.req.url),
      standing: part && standing,
    });
    return c.html(html, part ? 200 : 404, { "content-security-policy": policy, "cache-control": "no-store", "x-robots-tag": "noindex" });
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

  app.get("/c/:id", async (c, next) => {
    const id = c.req.param("id");
    // Whoever has a session may be a member; the application finds out.
    const isVisitor = readCookie(c, "session") === undefined;
    return isVisitor && isUuid(id) && (await isPublic(openDatabase(c.env.DB), id)) ? c.redirect(`/p/${id}`, 302) : next();
  });
}

/** The page as it may be read right now, rendered anew where the chat has changed; null where it is not public. */
async function readPart(c: Context<AppContext>, id: string, page: number): Promise<PagePart | null> {
  const url = `${ownOrigin(c)}/p/${id}`;
  const key = `${url} ${page}`;
  const kept = keptPage(key);
  const view = await roomOf(c.env, id).readPublic(page, kept?.version);
  if (view === true) return kept?.part ?? null;
  if (view === null || page > view.pages) return null;
  const part = chatPart(view, { url, nameOf: await modelNames(c.env) });
  keepPage(key, { version: view.version, part });
  return part;
}

async function standingOf(c: Context<AppContext>, id: string): Promise<Standing> {
  const caller = c.get("caller");
  return caller && (await roomOf(c.env, id).describe(readerOf(caller))).ok ? "member" : "reader";
}

async function toCopy(c: Context<AppContext>, id: string): Promise<Response> {
  const caller = c.get("caller");
  if (!caller || !isUuid(id)) return c.redirect("/", 303);
  const copyId = await copyPublicChat(c.env, c.get("db"), { caller, chatId: id });
  return c.redirect(`/c/${copyId}`, 303);
}
