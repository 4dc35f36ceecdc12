import type { Hono } from "hono";
import { listModels } from "#shared/contracts/models.ts";
import { getAllowlist, putAllowlist } from "#shared/contracts/account/users.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { modelSettings, saveAllowlist } from "./allowlist.ts";
import { loadCatalogue, modelsFor } from "./catalogue.ts";

export function modelRoutes(app: Hono<AppContext>): void {
  serve(app, listModels, async ({ c, caller }) => {
    const catalogue = await loadCatalogue(c.env);
    return { models: modelsFor(c.env, catalogue, caller), stale: catalogue.stale };
  });

  serve(app, getAllowlist, async ({ c, caller }) => {
    const { allowlist } = await modelSettings(c.var.db, caller.userId);
    return { model_allowlist: allowlist };
  });

  serve(app, putAllowlist, async ({ c, caller, body }) => {
    const { allowlist, preferred } = await saveAllowlist(c.env, c.var.db, caller.userId, body.model_allowlist);
    return { model_allowlist: allowlist, preferred_model: preferred };
  });
}
