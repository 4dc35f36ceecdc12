import { useQuery } from "@tanstack/react-query";
import { getPrompt, notePromptUse } from "#shared/contracts/library/prompts.ts";
import type { Prompt } from "#shared/entities/prompt.ts";
import type { PromptsAnswer } from "#web/features/library/prompts/use-prompts.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { keys, queryClient } from "#web/lib/query.ts";

/** A prompt with its content for a glance at it, once there is an id; null until it is read. */
export function usePromptContent(id: string | null): Prompt | null {
  const { data } = useQuery({ ...promptQuery(id ?? "none"), enabled: id !== null });
  return data ?? null;
}

/** Reads a prompt as it is now: what is held is used where the list says that it is the latest. */
export async function readPrompt(id: string): Promise<Prompt> {
  const cached = queryClient.getQueryData<Prompt>(keys.prompt(id));
  const listed = queryClient.getQueryData<PromptsAnswer>(keys.prompts)?.prompts.find((prompt) => prompt.id === id);
  if (cached && cached.updated_at === listed?.updated_at) return cached;
  return queryClient.fetchQuery({ ...promptQuery(id), staleTime: 0 });
}

function promptQuery(id: string) {
  return {
    queryKey: keys.prompt(id),
    queryFn: async ({ signal }: { signal: AbortSignal }) => (await call(getPrompt, { params: { id } }, { signal })).prompt,
    staleTime: lifetimes.short,
  };
}

/** Counts a use; one that is not counted is no trouble. The list has it when it is read again. */
export function countPromptUse(id: string): void {
  call(notePromptUse, { params: { id }, body: { id: crypto.randomUUID() } }).then(
    () => void queryClient.invalidateQueries({ queryKey: keys.prompts, refetchType: "none" }),
    () => undefined,
  );
}
