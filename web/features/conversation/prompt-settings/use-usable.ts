import type { Model } from "#shared/entities/model.ts";
import type { Persona } from "#shared/entities/persona.ts";
import type { ToolCategory } from "#shared/entities/tool-category.ts";
import type { Skipped, UsableSettings } from "#shared/library/prompt-settings.ts";
import { barrierOf, selectableModels } from "#web/features/conversation/models/selector-models.ts";
import { modelName, useModels } from "#web/features/conversation/models/use-models.ts";
import { usePersonas } from "#web/features/library/personas/use-personas.ts";
import { useKnowledge } from "#web/features/library/knowledge/use-knowledge.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { optionalOf } from "#web/features/conversation/tools/optional-categories.ts";
import { useCategoriesQuery } from "#web/features/conversation/tools/use-categories.ts";

export type Usable = UsableSettings & {
  /** False until all of it is known: nothing can be said to be missing before. */
  isKnown: boolean;
  models: readonly Model[];
  personas: readonly Persona[];
  categories: readonly ToolCategory[];
  nameOf: (skipped: Skipped) => string;
};

/** What this person may use right now of models, personas and tools, for what a prompt or a link wants to set. */
export function useUsable(): Usable {
  const { user, isGuest } = useSession();
  const catalogue = useModels();
  const served = useCategoriesQuery();
  const { personas, data: own } = usePersonas();
  const knowledge = useKnowledge();
  const models = selectableModels(catalogue.data?.models ?? [], user?.model_allowlist ?? null).filter(
    (model) => barrierOf(model, user) === "none",
  );
  const categories = optionalOf(served.data?.categories ?? []);
  return {
    isKnown: catalogue.data !== undefined && served.data !== undefined && (isGuest || (own !== undefined && knowledge.data !== undefined)),
    models,
    personas,
    categories,
    modelIds: models.map(({ id }) => id),
    personaIds: personas.map(({ id }) => id),
    toolCategories: categories.map(({ id }) => id),
    contextIds: knowledge.entries.map(({ id }) => id),
    nameOf: ({ kind, id }) => (kind === "model" ? modelName(catalogue.data?.models, id) : id),
  };
}
