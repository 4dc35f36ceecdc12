import type { Prompt } from "#shared/entities/prompt.ts";
import { createDrafts } from "#web/lib/draft-form.ts";

/** A prompt as its form holds it; null leaves what the chat has. */
export type PromptDraft = {
  name: string;
  content: string;
  teamId: string | null;
  tools: readonly string[];
  personaId: string | null;
  modelId: string | null;
  contexts: readonly string[];
};

export const promptDrafts = createDrafts<PromptDraft>();

/** A name that is made of a text has so many characters at most. */
const NAME_FROM_TEXT = 60;

/** What a form begins with: a prompt's own values, or a text that is to become one. */
export function draftOf(prompt: Prompt | null, from = ""): PromptDraft {
  if (prompt) {
    const {
      name,
      content,
      team_id: teamId,
      tool_categories: tools,
      persona_id: personaId,
      model_id: modelId,
      context_ids: contexts,
    } = prompt;
    return { name, content, teamId, tools: tools ?? [], personaId, modelId, contexts: contexts ?? [] };
  }
  return { name: nameFrom(from), content: from, teamId: null, tools: [], personaId: null, modelId: null, contexts: [] };
}

function nameFrom(text: string): string {
  const [line = ""] = text.trim().split("\n");
  if (line.length <= NAME_FROM_TEXT) return line;
  const head = cut(line, NAME_FROM_TEXT);
  const word = head.lastIndexOf(" ");
  return word > 0 ? head.slice(0, word) : head;
}

/** True where a draft sets more than text. */
export function isAdvanced({ tools, personaId, modelId, contexts }: PromptDraft): boolean {
  return tools.length > 0 || contexts.length > 0 || personaId !== null || modelId !== null;
}

/** A draft as it is sent: trimmed, and an empty list as null. */
export function sentOf({ name, content, tools, personaId, modelId, contexts }: PromptDraft) {
  return {
    name: name.trim(),
    content: content.trim(),
    tool_categories: tools.length === 0 ? null : [...tools],
    persona_id: personaId,
    model_id: modelId,
    context_ids: contexts.length === 0 ? null : [...contexts],
  };
}

/** What saving a draft changes about a prompt. */
export function changesOf(prompt: Prompt, draft: PromptDraft) {
  const [before, after] = [sentOf(draftOf(prompt)), sentOf(draft)];
  const isSame = (name: keyof typeof after) => JSON.stringify(before[name]) === JSON.stringify(after[name]);
  return {
    ...(!isSame("name") && { name: after.name }),
    ...(!isSame("content") && { content: after.content }),
    ...(!isSame("tool_categories") && { tool_categories: after.tool_categories }),
    ...(!isSame("persona_id") && { persona_id: after.persona_id }),
    ...(!isSame("model_id") && { model_id: after.model_id }),
    ...(!isSame("context_ids") && { context_ids: after.context_ids }),
    ...(draft.teamId !== prompt.team_id && { team_id: draft.teamId }),
  };
}

/** The name of a copy, as long as a name may be. */
export function copyName(name: string, limit: number): string {
  const mark = " (copy)";
  return `${cut(name, limit - mark.length).trimEnd()}${mark}`;
}

/** So many UTF-16 units at most, which is what limits count, and no half of a character. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}
