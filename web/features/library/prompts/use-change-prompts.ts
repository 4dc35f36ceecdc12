import { useMutation } from "@tanstack/react-query";
import { createPrompt, deletePrompt, getPrompt, updatePrompt } from "#shared/contracts/library/prompts.ts";
import type { Prompt, PromptSummary } from "#shared/entities/prompt.ts";
import { CONTENT_NAME_LENGTH } from "#shared/limits.ts";
import { changesInTurn } from "#web/features/library/kit/list-changes.ts";
import { call } from "#web/lib/api.ts";
import { forgetWhenSaved } from "#web/lib/draft-form.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toastFailure } from "#web/ui/toast/toast.tsx";
import { changesOf, copyName, type PromptDraft, promptDrafts, sentOf } from "./prompt-draft.ts";
import type { PromptsAnswer } from "./use-prompts.ts";

const inTurn = changesInTurn(keys.prompts);

function show(change: (held: readonly PromptSummary[]) => PromptSummary[]): void {
  queryClient.setQueryData<PromptsAnswer>(keys.prompts, (held) => held && { ...held, prompts: change(held.prompts) });
}

/** Shows a prompt as it was answered: in its place, or as a new one behind another, else before all. */
function showPrompt(prompt: Prompt, after: string | null = null): void {
  const { content: _content, ...summary } = prompt;
  queryClient.setQueryData(keys.prompt(prompt.id), prompt);
  show((held) => {
    if (held.some(({ id }) => id === prompt.id)) return held.map((other) => (other.id === prompt.id ? summary : other));
    return held.toSpliced(held.findIndex(({ id }) => id === after) + 1, 0, summary);
  });
}

/** Makes a prompt, a team's where one is named; `form` is where its draft is kept. */
export function useCreatePrompt(form?: string) {
  return useMutation({
    ...inTurn,
    ...forgetWhenSaved(promptDrafts, form, (prompt: Prompt) => showPrompt(prompt)),
    // The id is the draft's, so a second try of what arrived after all makes no second one.
    mutationFn: async ({ id, draft }: { id: string; draft: PromptDraft }) =>
      (await call(createPrompt, { body: { id, team_id: draft.teamId, ...sentOf(draft) } })).prompt,
  });
}

/** Changes what a draft says otherwise than its prompt; `form` is where the draft is kept. */
export function useUpdatePrompt(form?: string) {
  return useMutation({
    ...inTurn,
    ...forgetWhenSaved(promptDrafts, form, (prompt: Prompt) => showPrompt(prompt)),
    mutationFn: async ({ prompt, draft }: { prompt: Prompt; draft: PromptDraft }) =>
      (await call(updatePrompt, { params: { id: prompt.id }, body: changesOf(prompt, draft) })).prompt,
  });
}

/** Makes a copy of one's own, behind the original where that is one's own too. */
export function useDuplicatePrompt() {
  return useMutation({
    ...inTurn,
    mutationFn: async ({ id, isOwn }: { id: string; isOwn: boolean }) => {
      const { prompt } = await call(getPrompt, { params: { id } });
      const { name, content, tool_categories: tools, persona_id: persona, model_id: model, context_ids: contexts } = prompt;
      const settings = { tool_categories: tools, persona_id: persona, model_id: model, context_ids: contexts };
      const body = { id: crypto.randomUUID(), name: copyName(name, CONTENT_NAME_LENGTH), content, ...settings, after: isOwn ? id : null };
      return (await call(createPrompt, { body })).prompt;
    },
    onSuccess: (prompt, { id, isOwn }) => showPrompt(prompt, isOwn ? id : null),
    onError: (error) => toastFailure("The prompt was not duplicated", error),
  });
}

/** Deletes a prompt. */
export function useDeletePrompt() {
  return useMutation({
    ...inTurn,
    mutationFn: (id: string) => call(deletePrompt, { params: { id } }),
    onSuccess: (_, id) => show((held) => held.filter((prompt) => prompt.id !== id)),
    onError: (error) => toastFailure("The prompt was not deleted", error),
  });
}

type Move = { id: string; order: readonly string[] };

/** Moves one of the own prompts: seen at once, and taken back with the reason where saving fails. */
export function useMovePrompt() {
  return useMutation({
    ...inTurn,
    mutationFn: ({ id, order }: Move) => call(updatePrompt, { params: { id }, body: { after: order[order.indexOf(id) - 1] ?? null } }),
    onMutate: async ({ order }) => {
      await queryClient.cancelQueries({ queryKey: keys.prompts });
      show((held) => {
        const byId = new Map(held.map((prompt) => [prompt.id, prompt]));
        const moved = order.flatMap((id) => byId.get(id) ?? []);
        return [...moved, ...held.filter(({ id }) => !order.includes(id))];
      });
    },
    onError: (error) => toastFailure("The order was not changed", error),
  });
}
