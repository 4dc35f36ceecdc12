import type { ChatSettingsChange } from "#shared/entities/chat-settings.ts";

/** What a prompt or a link wants a chat to be set to; null and what is absent leave it as it is. */
export type WantedSettings = {
  model_id?: string | null | undefined;
  persona_id?: string | null | undefined;
  tool_categories?: readonly string[] | null | undefined;
  context_ids?: readonly string[] | null | undefined;
};

/** What the person may use right now: models on their allowlist and within their plan, personas, optional tool categories that work here, knowledge. */
export type UsableSettings = {
  modelIds: readonly string[];
  personaIds: readonly string[];
  toolCategories: readonly string[];
  knowledgeIds: readonly string[];
};

/** Something that could not be applied. */
export type Skipped = { kind: "model" | "persona" | "tool" | "knowledge"; id: string };

/** What of the wanted settings applies, and what is left out because it is gone, foreign or not allowed. A list with nothing left sets nothing. */
export function applicableSettings(wanted: WantedSettings, usable: UsableSettings): { settings: ChatSettingsChange; skipped: Skipped[] } {
  const skipped: Skipped[] = [];
  const keep = (kind: Skipped["kind"], ids: readonly (string | null | undefined)[] | null | undefined, known: readonly string[]) =>
    [...new Set(ids)].filter((id): id is string => {
      // No persona is a choice of its own.
      if (id === null || id === undefined) return false;
      const isApplicable = known.includes(id) || (kind === "persona" && id === "");
      if (!isApplicable) skipped.push({ kind, id });
      return isApplicable;
    });
  const [model] = keep("model", [wanted.model_id], usable.modelIds);
  const [persona] = keep("persona", [wanted.persona_id], usable.personaIds);
  const tools = keep("tool", wanted.tool_categories, usable.toolCategories);
  const knowledgeIds = keep("knowledge", wanted.context_ids, usable.knowledgeIds);
  const settings: ChatSettingsChange = {
    ...(model !== undefined && { model_id: model }),
    ...(persona !== undefined && { persona_id: persona }),
    ...(tools.length > 0 && { tool_categories: tools }),
    ...(knowledgeIds.length > 0 && { context_ids: knowledgeIds }),
  };
  return { settings, skipped };
}

const KIND_LABELS = {
  model: ["the model", "the models"],
  persona: ["a persona", "personas"],
  tool: ["the tool", "the tools"],
  knowledge: ["a knowledge entry", "knowledge entries"],
} as const;

/** What was left out in one sentence, models and tools by the names that `nameOf` knows; null where nothing was. */
export function skippedNotice(skipped: readonly Skipped[], nameOf: (skipped: Skipped) => string = ({ id }) => id): string | null {
  if (skipped.length === 0) return null;
  const kinds = [...new Set(skipped.map(({ kind }) => kind))];
  const phrases = kinds.map((kind) => {
    const items = skipped.filter((item) => item.kind === kind);
    const [one, several] = KIND_LABELS[kind];
    if (kind === "persona" || kind === "knowledge") return items.length === 1 ? one : `${items.length} ${several}`;
    return `${items.length === 1 ? one : several} ${listed(items.map(nameOf))}`;
  });
  return `Left out, as you can't use ${skipped.length === 1 ? "it" : "them"}: ${listed(phrases)}.`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
