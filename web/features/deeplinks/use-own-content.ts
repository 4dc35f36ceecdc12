import { useQuery } from "@tanstack/react-query";
import { listPrompts } from "#shared/contracts/prompts.ts";
import type { PromptSummary } from "#shared/entities/prompt.ts";
import { usePersonas } from "#web/features/personas/use-personas.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { keys } from "#web/lib/query.ts";

const NONE: readonly PromptSummary[] = [];

/** The personas and prompts that a link may name; none for guests. */
export function useOwnContent() {
  const { isGuest } = useSession();
  const { personas } = usePersonas();
  const { data } = useQuery({
    queryKey: keys.prompts,
    queryFn: ({ signal }) => call(listPrompts, {}, { signal }),
    enabled: !isGuest,
    staleTime: lifetimes.short,
  });
  return { personas, prompts: data?.prompts ?? NONE };
}
