import { isAllowed } from "#shared/models/allowlist.ts";
import type { AllowedModel, Model } from "#shared/entities/model.ts";
import { isPseudoModel } from "#shared/models/model-ids.ts";
import { rankPeers } from "#shared/models/rank-peers.ts";

/** Below so many tokens a model does not hold the findings that its report is written from. */
const CONTEXT_MIN = 32_000;

type Candidate = Pick<Model, "id" | "providerId" | "pricing" | "context_length" | "top_provider" | "isPro">;
type Choice = {
  /** The model that the person prefers. */
  preferred: string | null;
  /** Null allows every model. */
  allowlist: readonly AllowedModel[] | null;
  /** Whether their plan has Pro models. */
  hasPro: boolean;
};

/** The model that a deep research works with: the preferred one where it can, else the strongest that is not costly, among those allowed. */
export function pickResearcher<M extends Candidate>(models: readonly M[], { preferred, allowlist, hasPro }: Choice): M | null {
  const usable = models.filter((model) => !isPseudoModel(model.id) && (hasPro || !model.isPro) && holdsFindings(model));
  const allowed = usable.filter(({ id }) => isAllowed(id, allowlist));
  // As with 'Auto', a list without a model that could leaves the choice to the product.
  const candidates = allowed.length > 0 ? allowed : usable;
  const wanted = candidates.find(({ id }) => id === preferred);
  return wanted ?? rankPeers(candidates.filter(({ isPro }) => !isPro))[0] ?? candidates[0] ?? null;
}

function holdsFindings({ context_length: own, top_provider: { context_length: served } }: Candidate): boolean {
  const length = served ?? own;
  return length === null || length >= CONTEXT_MIN;
}
