import type { Context, Hono } from "hono";
import { deletePicture, getPicture, getUser, putPicture, updateUser } from "#shared/contracts/account/users.ts";
import { NAME_CHANGES_PER_HOUR, PROFILE_PICTURE_BYTES } from "#shared/limits.ts";
import type { BodyOf } from "#shared/contracts/endpoint.ts";
import type { AppContext, Caller, Env } from "#worker/platform/env.ts";
import { announcedBytes, COPIES, withReservedMemory } from "#worker/platform/http/body-memory.ts";
import { countOrRefuse, hourly } from "#worker/platform/http/rate-limit.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { refreshSession } from "#worker/people/callers/session.ts";
import { hubOf } from "#worker/people/hub/stub.ts";
import { changePicture, removePicture, servePicture } from "./pictures.ts";
import { changeUser, describeUser, getUserRow } from "#worker/people/users/users.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { log } from "#worker/platform/log.ts";
import { listContacts } from "./queries.ts";

/** Others who hear of a new name or picture at once; whoever is beyond sees it when they open the chat again. */
const CONTACTS = 100;

/** Notifies those who are in a chat with somebody that they look different now. */
async function notifyContacts(env: Env, db: Database, userId: string): Promise<void> {
  try {
    const contacts = await listContacts(db, userId, CONTACTS);
    await Promise.all(contacts.map((id) => hubOf(env, id).notePeopleChanged()));
  } catch (cause) {
    // The change is made; others see it with the next chat they open.
    log.warn("others were not notified of a new name or picture", { userId, cause });
  }
}

/** Refuses what messages that nobody typed could not be answered with. Throws `AppError`. */
type CheckTriggered = (c: Context<AppContext>, caller: Caller, patch: BodyOf<typeof updateUser>) => Promise<void>;

export function userRoutes(app: Hono<AppContext>, checkTriggered: CheckTriggered): void {
  serve(app, getUser, async ({ c, caller }) => ({
    user: await describeUser(c.env, await getUserRow(c.var.db, caller.userId)),
  }));

  serve(app, updateUser, async ({ c, caller, body }) => {
    await checkTriggered(c, caller, body);
    const isRenaming = body.display_name !== undefined && body.display_name !== (await getUserRow(c.var.db, caller.userId)).display_name;
    // Each new name is sent to up to a hundred others.
    if (isRenaming) await countOrRefuse(c.env, `names:${caller.userId}`, hourly(NAME_CHANGES_PER_HOUR), "RATE_LIMITED");
    const user = await changeUser(c.var.db, caller.userId, body);
    // The cookie's token says the name: without a new one this browser would write under the old for five minutes.
    if (body.display_name !== undefined) await refreshSession(c);
    // What a browser reports by itself is no news for the others.
    if (Object.keys(body).some((field) => field !== "browser_time_zone")) notifyTabs(c, caller);
    if (isRenaming) notifyOthers(c, caller);
    return { user: await describeUser(c.env, user) };
  });

  serve(app, putPicture, async ({ c, caller }) => {
    const bytes = announcedBytes(c.req.raw, PROFILE_PICTURE_BYTES) * COPIES;
    await withReservedMemory(bytes, () => changePicture(c.env, c.var.db, caller.userId, c.req.raw));
    notifyTabs(c, caller);
    notifyOthers(c, caller);
    return { user: await describeUser(c.env, await getUserRow(c.var.db, caller.userId)) };
  });

  serve(app, deletePicture, async ({ c, caller }) => {
    if (await removePicture(c.env, c.var.db, caller.userId)) {
      notifyTabs(c, caller);
      notifyOthers(c, caller);
    }
    return { user: await describeUser(c.env, await getUserRow(c.var.db, caller.userId)) };
  });

  serve(app, getPicture, ({ c, params }) => servePicture(c.env, params.id));
}

/** Their other tabs read the person again; nobody waits for that. */
function notifyTabs(c: Context<AppContext>, { userId }: Caller): void {
  c.executionCtx.waitUntil(hubOf(c.env, userId).noteUserChanged());
}

function notifyOthers(c: Context<AppContext>, { userId }: Caller): void {
  c.executionCtx.waitUntil(notifyContacts(c.env, c.var.db, userId));
}
