import type { Hono } from "hono";
import { createPrompt, deletePrompt, getPrompt, listPrompts, notePromptUse, updatePrompt } from "#shared/contracts/library/prompts.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { notifyTabs } from "#worker/people/hub/stub.ts";
import { addPrompt, changePrompt, countUse, findPrompt, readPrompts, removePrompt } from "./prompts.ts";

export function promptRoutes(app: Hono<AppContext>): void {
  serve(app, listPrompts, async ({ c, caller }) => ({ prompts: await readPrompts(c.var.db, caller.userId) }));

  serve(app, createPrompt, async ({ c, caller, body }) => {
    const prompt = await addPrompt(c.var.db, caller.userId, body);
    notifyTabs(c, "prompt", caller.userId);
    return { prompt };
  });

  serve(app, getPrompt, async ({ c, caller, params }) => ({ prompt: await findPrompt(c.var.db, caller.userId, params.id) }));

  serve(app, updatePrompt, async ({ c, caller, params, body }) => {
    const prompt = await changePrompt(c.var.db, caller.userId, params.id, body);
    notifyTabs(c, "prompt", prompt.user_id, caller.userId);
    return { prompt };
  });

  serve(app, deletePrompt, async ({ c, caller, params }) => {
    await removePrompt(c.var.db, caller.userId, params.id);
    notifyTabs(c, "prompt", caller.userId);
    return OK;
  });

  serve(app, notePromptUse, async ({ c, caller, params }) => {
    await countUse(c.var.db, caller.userId, params.id);
    notifyTabs(c, "prompt", caller.userId);
    return OK;
  });
}

const OK = { ok: true } as const;
