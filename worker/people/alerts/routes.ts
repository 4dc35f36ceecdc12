import type { Context, Hono } from "hono";
import { APP_NAME } from "#shared/app.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { smallPage } from "#worker/platform/http/small-page.ts";
import { noteEvent } from "#worker/platform/security/note-event.ts";
import { endAllAccess, isLink } from "./alerts.ts";

const PATH = "/not-me/:token";
const LINK_EXPIRED = "This link was used already, or is older than 30 days.";

/** Mounts what a mail's 'This wasn't me' opens: a page with a button, as scanners open links. Whoever presses it may have no session: the token is the proof. */
export function alertRoutes(app: Hono<AppContext>): void {
  app.get(PATH, async (c) => {
    if (!(await isLink(openDatabase(c.env.DB), c.req.param("token")))) return show(c, { text: LINK_EXPIRED, body: "", status: 404 });
    return show(c, { text: "Sign out everywhere and end all keys?", body: ASKED, status: 200 });
  });

  app.post(PATH, async (c) => {
    const userId = await endAllAccess(c.env, openDatabase(c.env.DB), c.req.param("token"));
    if (userId === null) {
      noteEvent(c, "wrong-code", null);
      return show(c, { text: LINK_EXPIRED, body: "", status: 404 });
    }
    noteEvent(c, "disowned", userId);
    return show(c, { text: "You are signed out everywhere, and all keys have ended.", body: AFTERWARDS, status: 200 });
  });
}

const ASKED = [
  "<p>Every browser that is signed in to your account is signed out, yours too, and programs with a key of it get in no more.",
  "A Google sign-in that was added since what the mail is about opens it no more.</p>",
  '<form method="post"><button>Sign out everywhere</button></form>',
].join(" ");
const AFTERWARDS = [
  "<p>Whoever got in may be able to read your mail: change its password first.",
  "Then sign in, and look through your addresses and your number for those that are not yours.</p>",
].join(" ");

type Shown = { text: string; body: string; status: 200 | 404 };

async function show(c: Context<AppContext>, { text, body, status }: Shown): Promise<Response> {
  const { html, policy } = await smallPage({ title: `Your account - ${APP_NAME}`, text, body });
  const headers = {
    "content-security-policy": policy,
    "cache-control": "no-store",
    "x-robots-tag": "noindex",
    "referrer-policy": "no-referrer",
  };
  return c.html(html, status, headers);
}
