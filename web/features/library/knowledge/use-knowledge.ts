import { useQuery } from "@tanstack/react-query";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import { getKnowledge, listKnowledge } from "#shared/contracts/library/knowledge.ts";
import type { KnowledgeSummary } from "#shared/entities/library/knowledge.ts";
import { followList } from "#web/features/library/kit/list-changes.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { onLive } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";

export type KnowledgeAnswer = ResponseOf<typeof listKnowledge>;

const NONE: readonly KnowledgeSummary[] = [];

/** How the list is asked for. */
export const knowledgeQuery = {
  queryKey: keys.knowledgeList,
  queryFn: ({ signal }: { signal: AbortSignal }) => call(listKnowledge, {}, { signal }),
};

/** The knowledge of this account and its teams; guests have none. `isWanted` is false where it is not shown yet. */
export function useKnowledge(isWanted = true) {
  const { isGuest } = useSession();
  const query = useQuery({ ...knowledgeQuery, staleTime: lifetimes.short, enabled: !isGuest && isWanted });
  return { ...query, entries: (!isGuest && query.data?.contexts) || NONE };
}

/** One entry with all that it holds, as it is now. */
export function useKnowledgeEntry(id: string) {
  return useQuery({
    queryKey: keys.knowledgeEntry(id),
    queryFn: async ({ signal }) => (await call(getKnowledge, { params: { id } }, { signal })).context,
    staleTime: 0,
  });
}

/** Lets the server, other tabs and devices change what is shown here; returns how to stop. */
export function followKnowledge(): () => void {
  const stopList = followList(keys.knowledge, "knowledge");
  // An open entry names its artifacts.
  const stopArtifacts = onLive((event) => {
    if (event.type === "artifact.changed") void queryClient.invalidateQueries({ queryKey: keys.knowledgeEntries });
  });
  return () => {
    stopList();
    stopArtifacts();
  };
}
