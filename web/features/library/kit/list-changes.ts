import type { QueryKey } from "@tanstack/react-query";
import type { ContentKind } from "#shared/live-events.ts";
import { followChanges } from "#web/lib/live.ts";
import { queryClient } from "#web/lib/query.ts";

/** Options of all changes to a list: one after another, and when the last is answered the list is read again: what others changed meanwhile is in it. */
export function changesInTurn(queryKey: QueryKey) {
  return {
    mutationKey: queryKey,
    scope: { id: String(queryKey[0]) },
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey: queryKey }) === 1) void queryClient.invalidateQueries({ queryKey });
    },
  };
}

/** Lets other tabs and devices change a list here; returns how to stop. */
export function followList(queryKey: QueryKey, kind: ContentKind): () => void {
  return followChanges(
    // With a team come and go what belongs to it.
    (event) => event.type === "teams.changed" || (event.type === "content.changed" && event.kind === kind),
    () => {
      // What this page is changing it reads when it has done so.
      if (queryClient.isMutating({ mutationKey: queryKey }) === 0) void queryClient.invalidateQueries({ queryKey });
    },
  );
}
