import type { Context, Hono } from "hono";
import {
  getPersonaLink,
  getPromptLink,
  getSharedPersona,
  getSharedPrompt,
  importSharedPersona,
  importSharedPrompt,
  removePersonaLink,
  removePromptLink,
  sharePersona,
  sharePrompt,
} from "#shared/contracts/library/share-links.ts";
import type { SharedKind } from "#shared/sharing/share-links.ts";
import type { AppContext, Caller } from "../env.ts";
import { ownOrigin } from "../http/origin.ts";
import { serve } from "../http/serve.ts";
import { hubOf } from "../user-hub/stub.ts";
import { describeLink, importShared, makeLink, openLink, removeLink } from "./share-links.ts";

type OwnCall = { c: Context<AppContext>; caller: Caller; params: { id: string } };
type LinkCall = { c: Context<AppContext>; params: { token: string } };

/** Mounts links to personas and prompts, and what they open. */
export function shareLinkRoutes(app: Hono<AppContext>): void {
  const personas = callsOf("persona");
  serve(app, sharePersona, personas.share);
  serve(app, getPersonaLink, personas.describe);
  serve(app, removePersonaLink, personas.remove);
  serve(app, getSharedPersona, async (call) => ({ prompt: await personas.open(call) }));
  serve(app, importSharedPersona, personas.copy);

  const prompts = callsOf("prompt");
  serve(app, sharePrompt, prompts.share);
  serve(app, getPromptLink, prompts.describe);
  serve(app, removePromptLink, prompts.remove);
  serve(app, getSharedPrompt, async (call) => ({ template: await prompts.open(call) }));
  serve(app, importSharedPrompt, prompts.copy);
}

function callsOf(kind: SharedKind) {
  return {
    share: async ({ c, caller, params }: OwnCall) => {
      const request = { origin: ownOrigin(c), key: c.req.header("idempotency-key") };
      return { shareUrl: await makeLink(c.env, c.var.db, { kind, id: params.id, caller, ...request }) };
    },
    describe: async ({ c, caller, params }: OwnCall) => ({ createdAt: await describeLink(c.var.db, { kind, id: params.id, caller }) }),
    remove: async ({ c, caller, params }: OwnCall) => {
      await removeLink(c.var.db, { kind, id: params.id, caller });
      return OK;
    },
    open: async ({ c, params }: LinkCall) => {
      const { id: _, ...item } = await openLink(c.env, c.var.db, { kind, token: params.token, ip: c.var.ip });
      return item;
    },
    copy: async ({ c, caller, params }: LinkCall & { caller: Caller }) => {
      const isNew = await importShared(c.env, c.var.db, { kind, token: params.token, ip: c.var.ip, caller });
      // Other tabs show it; the answer does not wait for them.
      c.executionCtx.waitUntil(hubOf(c.env, caller.userId).noteContentChanged(kind));
      return { message: isNew ? `The ${kind} was imported.` : `You have this ${kind} already.` };
    },
  };
}

const OK = { ok: true } as const;
