import { useQuery } from "@tanstack/react-query";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import { getPrompt, listPrompts } from "#shared/contracts/library/prompts.ts";
import type { PromptSummary } from "#shared/entities/prompt.ts";
import { followList } from "#web/features/library/kit/list-changes.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { keys } from "#web/lib/query.ts";

export type PromptsAnswer = ResponseOf<typeof listPrompts>;

const NONE: readonly PromptSummary[] = [];

/** The prompts of this account and its teams, in their order; guests have none. */
export function usePrompts() {
  const { isGuest } = useSession();
  const query = useQuery({
    queryKey: keys.prompts,
    queryFn: ({ signal }) => call(listPrompts, {}, { signal }),
    staleTime: lifetimes.short,
    enabled: !isGuest,
  });
  return { ...query, prompts: (!isGuest && query.data?.prompts) || NONE };
}

/** One prompt with its content, as it is now. */
export function usePrompt(id: string) {
  return useQuery({
    queryKey: keys.prompt(id),
    queryFn: async ({ signal }) => (await call(getPrompt, { params: { id } }, { signal })).prompt,
    staleTime: 0,
  });
}

/** Lets other tabs and devices change the list here; returns how to stop. */
export function followPrompts(): () => void {
  return followList(keys.prompts, "prompt");
}
