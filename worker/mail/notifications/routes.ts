import type { Context, Hono } from "hono";
import { APP_NAME } from "#shared/app.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { smallPage } from "#worker/platform/http/small-page.ts";
import { hubOf } from "#worker/people/hub/stub.ts";
import { changeUser, findUser } from "#worker/people/users/users.ts";
import { NOTICE_FIELDS, NOTICE_SUBJECTS } from "./notice.ts";
import { readUnsubscribeToken, type Unsubscribed } from "./unsubscribe-token.ts";

const PATH = "/unsubscribe/:token";

/** Mounts what a mail's unsubscribe link opens. A mail program posts there by itself, from no page of ours and without a session: the token is the proof. */
export function notificationRoutes(app: Hono<AppContext>): void {
  app.get(PATH, async (c) => {
    const meant = await meantBy(c);
    if (!meant) return show(c, { text: "This link does not work. Settings has the same switches.", asks: false, status: 404 });
    return show(c, { text: `Stop mails about ${NOTICE_SUBJECTS[meant.kind]}?`, asks: true, status: 200 });
  });

  app.post(PATH, async (c) => {
    const meant = await meantBy(c);
    if (!meant) throw new AppError("NOT_FOUND");
    const { userId, kind } = meant;
    const db = openDatabase(c.env.DB);
    // An account that is gone gets no mails anyway.
    if (await findUser(db, userId)) {
      await changeUser(db, userId, { [NOTICE_FIELDS[kind]]: false });
      c.executionCtx.waitUntil(hubOf(c.env, userId).noteUserChanged());
    }
    return show(c, { text: `You get no more mails about ${NOTICE_SUBJECTS[kind]}.`, asks: false, status: 200 });
  });
}

async function meantBy(c: Context<AppContext>): Promise<Unsubscribed | null> {
  return readUnsubscribeToken(c.env, c.req.param("token") ?? "");
}

type Shown = { text: string; asks: boolean; status: 200 | 404 };

async function show(c: Context<AppContext>, { text, asks, status }: Shown): Promise<Response> {
  const body = asks ? '<form method="post"><button>Stop these mails</button></form>' : "";
  const { html, policy } = await smallPage({ title: `Notifications - ${APP_NAME}`, text, body });
  const headers = {
    "content-security-policy": policy,
    "cache-control": "no-store",
    "x-robots-tag": "noindex",
    "referrer-policy": "no-referrer",
  };
  return c.html(html, status, headers);
}
