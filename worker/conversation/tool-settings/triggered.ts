import type { UserPatch } from "#shared/contracts/account/users.ts";
import { AUTO_MODEL_ID, isPseudoModel } from "#shared/models/model-ids.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { modelSettings } from "#worker/people/models/allowlist.ts";
import { resolveModel } from "#worker/people/models/resolve-model.ts";
import { findPersona } from "#worker/library/personas/personas.ts";
import { type CategoryPlace, ownCategories } from "#worker/conversation/tools/available-categories.ts";

type Triggered = Pick<UserPatch, "triggered_model" | "triggered_tool_categories" | "triggered_system_prompt_id">;

/**
 * Refuses what triggered messages could not be answered with: a model, tools or a persona that their person may not use.
 * Throws INVALID_INPUT, SIGN_IN_REQUIRED, and for a model as `resolveModel` does.
 */
export async function checkTriggered(place: CategoryPlace, caller: Caller, patch: Triggered): Promise<void> {
  const { env, db } = place;
  const { triggered_model: model, triggered_tool_categories: categories, triggered_system_prompt_id: personaId } = patch;
  if (categories && categories.length > 0) await checkCategories(place, caller, categories);
  if (model) await checkModel(env, db, caller, model);
  if (personaId) await checkPersona(db, caller, personaId);
}

async function checkCategories(place: CategoryPlace, caller: Caller, ids: readonly string[]): Promise<void> {
  const optional = (await ownCategories(place, caller)).filter(({ isAlwaysOn }) => !isAlwaysOn);
  const offered = new Set(optional.map(({ id }) => id));
  if (!ids.every((id) => offered.has(id))) throw new AppError("INVALID_INPUT", { message: "These tools are not offered here." });
}

async function checkModel(env: Env, db: Database, caller: Caller, model: string): Promise<void> {
  if (isPseudoModel(model) && model !== AUTO_MODEL_ID) {
    throw new AppError("INVALID_INPUT", { message: "Triggered messages need a model that answers by itself." });
  }
  await resolveModel(env, { requested: model, caller, ...(await modelSettings(db, caller.userId)) });
}

async function checkPersona(db: Database, caller: Caller, id: string): Promise<void> {
  if (caller.anonymous) throw new AppError("SIGN_IN_REQUIRED");
  try {
    await findPersona(db, caller.userId, id);
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== "NOT_FOUND") throw cause;
    throw new AppError("INVALID_INPUT", { message: "This persona is not among yours.", cause });
  }
}
