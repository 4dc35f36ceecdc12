import { normaliseAllowlist, preferredWithin } from "#shared/models/allowlist.ts";
import type { AllowedModel } from "#shared/entities/model.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Env, ModelSettings } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { log } from "#worker/platform/log.ts";
import { loadCatalogue } from "./catalogue.ts";
import { selectModelSettings, updateAllowlist } from "./queries.ts";

/** The allowlist and the preferred model of a user, as `resolveModel` takes them. */
export async function modelSettings(db: Database, userId: string): Promise<ModelSettings> {
  const settings = await selectModelSettings(db, userId);
  if (!settings) throw new AppError("UNAUTHENTICATED");
  return settings;
}

type Given = readonly (AllowedModel | string)[] | null;

/** Replaces the allowlist; a preferred model that it leaves out gives way to its first for as long as it does. */
export async function saveAllowlist(env: Env, db: Database, userId: string, given: Given): Promise<ModelSettings> {
  const { preferred } = await modelSettings(db, userId);
  const allowlist = normaliseAllowlist(given, await namesFor(env, given));
  await updateAllowlist(db, userId, allowlist);
  return { allowlist, preferred: preferredWithin(preferred, allowlist) };
}

async function namesFor(env: Env, given: Given): Promise<Map<string, string>> {
  if (!given?.some((item) => typeof item === "string")) return new Map();
  try {
    const { entries } = await loadCatalogue(env);
    return new Map(entries.map(({ model }) => [model.id, model.name]));
  } catch (cause) {
    // Names only decorate the list: while the aggregator is down, the ids stand for them.
    log.warn("an allowlist was saved without names", { cause });
    return new Map();
  }
}
