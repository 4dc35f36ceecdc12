import { useQuery } from "@tanstack/react-query";
import { listPersonas } from "#shared/contracts/personas.ts";
import { listPrompts } from "#shared/contracts/prompts.ts";
import type { Persona } from "#shared/entities/persona.ts";
import type { PromptSummary } from "#shared/entities/prompt.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { keys } from "#web/lib/query.ts";

const NO_PERSONAS: readonly Persona[] = [];
const NO_PROMPTS: readonly PromptSummary[] = [];

/** The personas and prompts that a link may name; none for guests. */
export function useOwnContent() {
  const { isGuest } = useSession();
  const options = { enabled: !isGuest, staleTime: lifetimes.short };
  const personas = useQuery({ queryKey: keys.personas, queryFn: ({ signal }) => call(listPersonas, {}, { signal }), ...options });
  const prompts = useQuery({ queryKey: keys.prompts, queryFn: ({ signal }) => call(listPrompts, {}, { signal }), ...options });
  return { personas: personas.data?.personas ?? NO_PERSONAS, prompts: prompts.data?.prompts ?? NO_PROMPTS };
}
