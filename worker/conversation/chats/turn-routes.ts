import type { Context, Hono, MiddlewareHandler } from "hono";
import {
  continueReply,
  editMessage,
  followReply as followReplyCall,
  regenerateReply,
  sendMessage,
  stopReply,
  TurnStarted,
} from "#shared/contracts/chat/messages.ts";
import { unwrap } from "#worker/platform/errors/app-error.ts";
import { isLiveSession } from "#worker/people/sessions/sessions.ts";
import { closeSessions } from "#worker/people/sessions/sign-out.ts";
import { followReply, roomOf } from "#worker/conversation/room/stub.ts";
import type { AppContext, Caller } from "#worker/platform/env.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { readerOf } from "#worker/people/callers/reader.ts";
import { beginTurn, streamReply } from "./send-message.ts";
import { sourcesOfCaller } from "#worker/conversation/tools/private-source.ts";
import type { Features } from "#worker/conversation/features.ts";
import type { TurnContext, TurnInput } from "./turn-context.ts";

/** Turns over HTTP: what begins one, follows its reply and stops it. */
export function turnRoutes(app: Hono<AppContext>, features: Features): void {
  const answer = (c: Context<AppContext>, place: Place, input: TurnInput) =>
    answerTurn(c, { context: turnContext(c, features, place.caller), ...place }, input);
  serve(app, sendMessage, ({ c, caller, params, body }) => {
    const { id, parent_id: parentId, team_id: teamId, folder_id: folderId, content, attachments, settings_once: once, ...settings } = body;
    const message = { id, parentId, teamId, folderId, content, attachments, settings, once };
    return answer(c, { caller, chatId: params.id }, { kind: "send", ...message });
  });

  serve(app, editMessage, ({ c, caller, params, body }) => {
    const { id, content, attachments, settings_once: once, ...settings } = body;
    const { messageId } = params;
    return answer(c, { caller, chatId: params.id }, { kind: "edit", id, messageId, content, attachments, settings, once });
  });

  serve(app, regenerateReply, ({ c, caller, params, body }) => {
    const { id, settings_once: once, ...settings } = body;
    const { messageId } = params;
    return answer(c, { caller, chatId: params.id }, { kind: "regenerate", id, messageId, settings, once });
  });

  // Its first answer is kept by its key, in whatever form it is asked for: a repeat follows the reply that is named there.
  app.post(continueReply.path, streamStarted);
  serve(app, continueReply, ({ c, caller, params }) =>
    beginTurn(turnContext(c, features, caller), params.id, { kind: "continue", messageId: params.messageId, settings: {} }),
  );

  serve(app, stopReply, async ({ c, caller, params }) => {
    unwrap(await roomOf(c.env, params.id).stop(readerOf(caller)));
    return { ok: true } as const;
  });

  serve(app, followReplyCall, async ({ c, caller, params, query }) => {
    const after = c.req.header("last-event-id") ?? query.after;
    return unwrap(await followReply(roomOf(c.env, params.id), { replyId: params.replyId, reader: caller, after }));
  });
}

type Place = { caller: Caller; chatId: string };

async function answerTurn(
  c: Context<AppContext>,
  { context, ...place }: Place & { context: TurnContext },
  input: TurnInput,
): Promise<TurnStarted | Response> {
  if (!acceptsEvents(c)) {
    const started = await beginTurn(context, place.chatId, input);
    if (context.session?.row === null) c.executionCtx.waitUntil(endIfSignedOut(c, place));
    return started;
  }
  const events = await streamReply(context, place.chatId, input);
  c.executionCtx.waitUntil(endIfSignedOut(c, place));
  return events;
}

/** Puts the reply's events in the place of the answer that names it. */
const streamStarted: MiddlewareHandler<AppContext> = async (c, next) => {
  await next();
  const { caller } = c.var;
  if (caller === null || c.res.status !== continueReply.status || !acceptsEvents(c)) return;
  const { messageId, replyId } = TurnStarted.parse(await c.res.json());
  const chatId = c.req.param("id") ?? "";
  const events = await followReply(roomOf(c.env, chatId), { replyId, reader: caller, accepted: messageId });
  c.executionCtx.waitUntil(endIfSignedOut(c, { caller, chatId }));
  c.res = undefined;
  c.res = unwrap(events);
};

/** A session that ended while its turn began had no stream yet that could be cut; and its hub may not know of its end. */
async function endIfSignedOut({ env, var: { db } }: Context<AppContext>, { caller, chatId }: Place): Promise<void> {
  // A key's turn has no session to end with.
  if (caller.key || (await isLiveSession(db, caller.sessionId))) return;
  await Promise.all([
    roomOf(env, chatId).endSessions(caller.userId, [caller.sessionId]),
    closeSessions(env, caller.userId, [caller.sessionId]),
  ]);
}

function acceptsEvents(c: Context<AppContext>): boolean {
  const types = c.req.header("accept")?.split(",") ?? [];
  return types.some((type) => type.split(";")[0]?.trim().toLowerCase() === "text/event-stream");
}

function turnContext(c: Context<AppContext>, features: Features, caller: Caller): TurnContext {
  const { db, modelSettings: settings, toolPreferences: preferences, ip, knownSession: session } = c.var;
  return { env: c.env, features, db, caller, settings, preferences, ip, sources: sourcesOfCaller(caller), session };
}
