import type { Hono } from "hono";
import { createPrompt, deletePrompt, getPrompt, listPrompts, notePromptUse, updatePrompt } from "#shared/contracts/prompts.ts";
import type { AppContext } from "../env.ts";
import { serve } from "../http/serve.ts";
import { addPrompt, changePrompt, countUse, findPrompt, readPrompts, removePrompt } from "./prompts.ts";

/** Mounts prompts. */
export function promptRoutes(app: Hono<AppContext>): void {
  serve(app, listPrompts, async ({ c, caller }) => ({ prompts: await readPrompts(c.var.db, caller.userId) }));

  serve(app, createPrompt, async ({ c, caller, body }) => ({ prompt: await addPrompt(c.var.db, caller.userId, body) }));

  serve(app, getPrompt, async ({ c, caller, params }) => ({ prompt: await findPrompt(c.var.db, caller.userId, params.id) }));

  serve(app, updatePrompt, async ({ c, caller, params, body }) => ({
    prompt: await changePrompt(c.var.db, caller.userId, params.id, body),
  }));

  serve(app, deletePrompt, async ({ c, caller, params }) => {
    await removePrompt(c.var.db, caller.userId, params.id);
    return OK;
  });

  serve(app, notePromptUse, async ({ c, caller, params }) => {
    await countUse(c.var.db, caller.userId, params.id);
    return OK;
  });
}

const OK = { ok: true } as const;
