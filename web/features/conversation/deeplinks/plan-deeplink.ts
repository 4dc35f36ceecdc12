import { preferredWithin } from "#shared/models/allowlist.ts";
import type { ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import type { Model } from "#shared/entities/model.ts";
import { AUTOPILOT_MODEL_ID } from "#shared/models/model-ids.ts";
import type { User } from "#shared/entities/user.ts";
import { barrierOf } from "#web/features/conversation/models/selector-models.ts";
import type { Deeplink } from "./deeplink.ts";

const ID_SHOWN = 60;
const SIGN_IN = "for accounts";

/** What there is for the one who follows a link. */
export type Known = {
  user: Pick<User, "anonymous" | "solo_plan" | "team_plan" | "model_allowlist"> | null;
  models: readonly Model[];
  personaIds: readonly string[];
  templateIds: readonly string[];
  knowledgeIds: readonly string[];
};

/** What a link does for someone, and what of it is left out and why. */
export type Plan = {
  settings: ChatSettingsChange;
  /** Those among them that the link names itself: they hold whatever its template sets. */
  named: ChatSettingsChange;
  template: string | null;
  /** As the parts of a sentence, each with its id. */
  skipped: string[];
  /** What an account would be needed for. */
  needsAccount: string[];
};

/** Decides what of a link applies: what is unknown, another's or not allowed is named, and the rest goes on without it. */
export function planDeeplink(link: Deeplink, known: Known): Plan {
  const hasNoAccount = known.user === null || known.user.anonymous;
  const skipped: string[] = [];
  const needsAccount: string[] = [];
  const named: ChatSettingsChange = {};

  if (link.model !== null) {
    const refusal = refusalOf(link.model, known);
    if (refusal === null) named.model_id = link.model;
    else if (refusal === SIGN_IN) needsAccount.push(`the model ${short(link.model)}`);
    else skipped.push(`the model ${short(link.model)} (${refusal})`);
  }

  const own = (what: string, id: string, ids: readonly string[]): string | null => {
    if (ids.includes(id)) return id;
    if (hasNoAccount) needsAccount.push(`the ${what} ${short(id)}`);
    else skipped.push(`the ${what} ${short(id)} (not found)`);
    return null;
  };
  const persona = link.persona && own("persona", link.persona, known.personaIds);
  if (persona) named.persona_id = persona;
  const template = link.template && own("prompt", link.template, known.templateIds);
  const contexts = link.knowledge.flatMap((id) => own("knowledge", id, known.knowledgeIds) ?? []);
  if (contexts.length > 0) named.context_ids = contexts;
  // What the link leaves open is chosen by Autopilot; a model that cannot be used is as good as none.
  const settings = { ...(link.autoSettings && { model_id: AUTOPILOT_MODEL_ID }), ...named };
  return { settings, named, template: template || null, skipped, needsAccount };
}

/** Why a model cannot be taken; null where it can. */
function refusalOf(id: string, { user, models }: Known): string | null {
  const found = models.find((model) => model.id === id);
  if (!found) return "not known here";
  if (preferredWithin(id, user?.model_allowlist ?? null) !== id) return "not among the models you allow";
  const barrier = barrierOf(found, user);
  if (barrier === "sign_in") return SIGN_IN;
  return barrier === "pro" ? "for Pro plans" : null;
}

/** An id as far as a notice has room for it: a link may say anything. */
function short(id: string): string {
  const characters = Array.from(id);
  return characters.length <= ID_SHOWN ? id : `${characters.slice(0, ID_SHOWN).join("")}…`;
}

/** Several things as one phrase: `a, b and c`. */
export function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
}
