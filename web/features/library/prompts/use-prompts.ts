import { useQuery } from "@tanstack/react-query";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import { getPrompt, listPrompts } from "#shared/contracts/library/prompts.ts";
import type { PromptSummary } from "#shared/entities/prompt.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { onLive } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";

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
  let isBack = false;
  return onLive((event) => {
    const isOwn = event.type === "content.changed" && event.kind === "prompt";
    // With a team come and go what belongs to it.
    const concernsPrompts = isOwn || event.type === "teams.changed" || (event.type === "hello" && isBack);
    // No event reports what happened while a tab was away.
    if (event.type === "hello") isBack = true;
    // What this page is changing it reads when it has done so.
    if (concernsPrompts && queryClient.isMutating({ mutationKey: keys.prompts }) === 0) {
      void queryClient.invalidateQueries({ queryKey: keys.prompts });
    }
  });
}
