import { queryOptions, useQuery } from "@tanstack/react-query";
import { listToolCategories } from "#shared/contracts/tools.ts";
import { isAvailable, type ToolCategory } from "#shared/entities/tool-category.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { onLive } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";

const NONE: readonly ToolCategory[] = [];

/** The categories that this person has, in their order; none until that is known. */
export function useCategories(): readonly ToolCategory[] {
  return useCategoriesQuery().data?.categories ?? NONE;
}

/** As `useCategories`, with how the asking went. */
export function useCategoriesQuery() {
  return useQuery({ ...categoriesQuery, select: onlyTheirs });
}

/** As `useCategories`, with those that they would have after a step of theirs. */
export function useOfferedCategories(): readonly ToolCategory[] {
  return useQuery(categoriesQuery).data?.categories ?? NONE;
}

/** Those of an answer that this person has. */
export function onlyTheirs({ categories }: { categories: ToolCategory[] }): { categories: ToolCategory[] } {
  return { categories: categories.filter(isAvailable) };
}

/** How the categories are asked for and cached. */
export const categoriesQuery = queryOptions({
  queryKey: keys.toolCategories,
  queryFn: ({ signal }) => call(listToolCategories, {}, { signal }),
  staleTime: lifetimes.models,
});

/** Lets what changes of a person's own categories, here or elsewhere, change them here; returns how to stop. */
export function followCategories(): () => void {
  return onLive((event) => {
    if (event.type === "content.changed" && event.kind === "tools") void queryClient.invalidateQueries({ queryKey: keys.toolCategories });
  });
}
