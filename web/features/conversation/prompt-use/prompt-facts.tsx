import type { ReactNode } from "react";
import type { PromptSummary } from "#shared/entities/prompt.ts";
import { ModelTile } from "#web/ui/model-tile.tsx";
import { useKnowledge } from "#web/features/library/knowledge/use-knowledge.ts";
import { useModelName } from "#web/features/conversation/models/use-models.ts";
import { usePersonas } from "#web/features/library/personas/use-personas.ts";
import { useCategories } from "#web/features/conversation/tools/use-categories.ts";

type Wanted = Pick<PromptSummary, "model_id" | "persona_id" | "tool_categories" | "context_ids">;

/** What a prompt sets besides its text, one below the other; nothing where it leaves all as it is. */
export function PromptFacts({ wanted }: { wanted: Wanted }) {
  const { modelId, modelName, persona, toolNames, knowledge } = useNames(wanted);
  if (modelId === null && persona === null && toolNames.length === 0 && knowledge.length === 0) return null;
  return (
    <dl className="mt-12 grid grid-cols-[auto_1fr] gap-x-12 gap-y-6 border-t border-line pt-12">
      {modelId !== null && (
        <Fact label="Model">
          <ModelTile id={modelId} name={modelName} /> {modelName}
        </Fact>
      )}
      {persona !== null && <Fact label="Persona">{persona}</Fact>}
      {toolNames.length > 0 && <Fact label="Tools">{toolNames.join(", ")}</Fact>}
      {knowledge.length > 0 && <Fact label="Knowledge">{knowledge.join(", ")}</Fact>}
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd className="flex min-w-0 items-center gap-8 text-ink">{children}</dd>
    </>
  );
}

function useNames({ model_id: modelId, persona_id: personaId, tool_categories: tools, context_ids: contexts }: Wanted) {
  const modelName = useModelName(modelId);
  const { personas } = usePersonas();
  const categories = useCategories();
  const { entries } = useKnowledge(contexts !== null);
  return {
    modelId,
    modelName,
    /** What is gone has no name to be shown; using the prompt says so. */
    persona: personas.find(({ id }) => id === personaId)?.name ?? null,
    toolNames: tools?.map((id) => categories.find((category) => category.id === id)?.name ?? id) ?? [],
    knowledge: entries.filter(({ id }) => contexts?.includes(id)).map(({ name }) => name),
  };
}
