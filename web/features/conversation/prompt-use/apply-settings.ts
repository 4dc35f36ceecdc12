import { listPersonas } from "#shared/contracts/library/personas.ts";
import { listKnowledge } from "#shared/contracts/library/knowledge.ts";
import type { ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import type { Prompt } from "#shared/entities/prompt.ts";
import type { User } from "#shared/entities/user.ts";
import { type Skipped, applicableSettings, skippedNotice } from "#shared/library/prompt-settings.ts";
import { withAutopilot } from "#web/features/conversation/models/autopilot-model.ts";
import { barrierOf, selectableModels } from "#web/features/conversation/models/selector-models.ts";
import { modelName, modelsQuery } from "#web/features/conversation/models/use-models.ts";
import { optionalOf } from "#web/features/conversation/tools/optional-categories.ts";
import { categoriesQuery, onlyTheirs } from "#web/features/conversation/tools/use-categories.ts";
import { call } from "#web/lib/api.ts";
import { queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast/toast.tsx";

type Wanted = Pick<Prompt, "model_id" | "persona_id" | "tool_categories" | "context_ids">;

/** Which of a prompt's settings apply for this person now; what cannot be applied is said, once. */
export async function settingsOf(prompt: Wanted, user: User | null): Promise<ChatSettingsChange> {
  const { model_id, persona_id, tool_categories, context_ids } = prompt;
  if (model_id === null && persona_id === null && tool_categories === null && context_ids === null) return {};
  const [{ models }, { categories }, personas, knowledge] = await Promise.all([
    queryClient.ensureQueryData(modelsQuery),
    queryClient.ensureQueryData(categoriesQuery).then(onlyTheirs),
    persona_id === null ? [] : call(listPersonas, {}).then((answer) => answer.personas),
    context_ids === null ? [] : call(listKnowledge, {}).then((answer) => answer.contexts),
  ]);
  const selectable = selectableModels(withAutopilot(models), user?.model_allowlist ?? null);
  const { settings, skipped } = applicableSettings(
    { model_id, persona_id, tool_categories, context_ids },
    {
      modelIds: selectable.filter((model) => barrierOf(model, user) === "none").map(({ id }) => id),
      personaIds: personas.map(({ id }) => id),
      toolCategories: optionalOf(categories).map(({ id }) => id),
      knowledgeIds: knowledge.map(({ id }) => id),
    },
  );
  const nameOf = ({ kind, id }: Skipped) =>
    kind === "model" ? modelName(models, id) : (categories.find((category) => category.id === id)?.name ?? id);
  const notice = skippedNotice(skipped, nameOf);
  if (notice !== null) toast({ title: notice, tone: "warning" });
  return settings;
}
