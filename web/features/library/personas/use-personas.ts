import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import { listPersonas } from "#shared/contracts/library/personas.ts";
import type { Persona } from "#shared/entities/persona.ts";
import { followList } from "#web/features/library/kit/list-changes.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { keys } from "#web/lib/query.ts";

export type PersonasAnswer = ResponseOf<typeof listPersonas>;

const NONE: readonly Persona[] = [];

/** How the personas are asked for and cached: live events say when one's own change, and a team's are read again before long. */
export const personasQuery = queryOptions({
  queryKey: keys.personas,
  queryFn: ({ signal }) => call(listPersonas, {}, { signal }),
  staleTime: lifetimes.short,
});

/** The personas of this account and its teams, in their order, and whose its default is; guests have none. */
export function usePersonas() {
  const { isGuest } = useSession();
  const query = useQuery({ ...personasQuery, enabled: !isGuest });
  return { ...query, personas: (!isGuest && query.data?.personas) || NONE, defaultId: query.data?.default_persona_id ?? null };
}

/** Lets other tabs and devices change the list here; returns how to stop. */
export function followPersonas(): () => void {
  return followList(keys.personas, "persona");
}
