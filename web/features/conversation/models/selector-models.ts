import { isAllowed } from "#shared/models/allowlist.ts";
import type { AllowedModel, Model } from "#shared/entities/model.ts";
import type { User } from "#shared/entities/user.ts";
import { nameWithoutVendor } from "#shared/models/model-names.ts";
import { PLANS, planOf } from "#shared/plans.ts";
import { matcher, plainText } from "#web/ui/picker/match.ts";

/** The models that appear in the selector: those of the allowlist, 'Auto' always. */
export function selectableModels(models: readonly Model[], allowlist: readonly AllowedModel[] | null): Model[] {
  return models.filter((model) => isAllowed(model.id, allowlist));
}

/** The models that match a search by name, maker or id: every word has to occur, in any case and order. */
export function searchModels(models: readonly Model[], query: string): readonly Model[] {
  if (query.trim() === "") return models;
  const isMatch = matcher(query);
  return models.filter((model) => isMatch(plainText(searchedText(model))));
}

/** What a search for a model looks through. */
export function searchedText({ name, provider, id }: Model): string {
  return `${nameWithoutVendor(name)} ${provider} ${id}`;
}

type Subscriber = Pick<User, "anonymous" | "solo_plan" | "team_plan">;

/** What keeps a person from using a model: nothing, the plan it needs, or signing in. */
export type Barrier = "none" | "pro" | "sign_in";

/** Pro models need the solo or team plan; costly ones an account. */
export function barrierOf(model: Model, user: Subscriber | null): Barrier {
  if (model.isPro && !(user && PLANS[planOf(user)].proModels)) return "pro";
  const isGuest = !user || user.anonymous;
  return isGuest && !model.isAvailable ? "sign_in" : "none";
}
