import type { Hono } from "hono";
import {
  createMemory,
  forgetAllMemories,
  forgetMemory,
  importMemories as importCall,
  listMemories,
  listMemoryHistory,
  restoreMemory,
  undoMemory,
  updateMemory,
} from "#shared/contracts/memories.ts";
import type { Memory } from "#shared/entities/memory.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { serve } from "#worker/people/callers/serve.ts";
import type { MemoryAnswer } from "./rpc.ts";
import { embedFacts } from "./embed-facts.ts";
import { importMemories } from "./import-memories.ts";
import { askMemory } from "./memories.ts";

export function memoryRoutes(app: Hono<AppContext>): void {
  serve(app, listMemories, async ({ c, caller, query }) => {
    const answer = await askMemory(c.env, caller.userId, { kind: "list", ids: query.ids?.split(",") });
    const { memories, tokens, lastImport, waitsForCredit } = answer;
    return { memories, tokens, last_import: lastImport, waits_for_credit: waitsForCredit };
  });

  serve(app, createMemory, async ({ c, caller, body }) => {
    const [embedding] = (await embedFacts(c.env, caller.userId, [body.text])) ?? [];
    const added = await askMemory(c.env, caller.userId, { kind: "add", ...body, isUntrusted: caller.key !== undefined, embedding });
    return { memory: oneOf(added), is_new: added.isNew };
  });

  serve(app, updateMemory, async ({ c, caller, params, body }) => ({
    memory: oneOf(await askMemory(c.env, caller.userId, { kind: "change", id: params.id, text: body.text })),
  }));

  serve(app, forgetMemory, async ({ c, caller, params }) => {
    await askMemory(c.env, caller.userId, { kind: "forget", id: params.id });
    return OK;
  });

  serve(app, restoreMemory, async ({ c, caller, params }) => ({
    memory: oneOf(await askMemory(c.env, caller.userId, { kind: "restore", id: params.id })),
  }));

  serve(app, undoMemory, async ({ c, caller, params }) => {
    await askMemory(c.env, caller.userId, { kind: "undo", id: params.id });
    return OK;
  });

  serve(app, listMemoryHistory, async ({ c, caller, params }) => ({
    versions: (await askMemory(c.env, caller.userId, { kind: "history", id: params.id })).versions,
  }));

  serve(app, forgetAllMemories, async ({ c, caller }) => {
    await askMemory(c.env, caller.userId, { kind: "clear" });
    return OK;
  });

  serve(app, importCall, ({ c, caller, body }) => importMemories(c.env, caller.userId, body.text));
}

function oneOf({ memories: [memory] }: MemoryAnswer): Memory {
  if (!memory) throw new AppError("NOT_FOUND");
  return memory;
}

const OK = { ok: true } as const;
