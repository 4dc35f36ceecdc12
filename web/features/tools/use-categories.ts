import { queryOptions, useQuery } from "@tanstack/react-query";
import { listToolCategories } from "#shared/contracts/tools.ts";
import type { ToolCategory } from "#shared/entities/tool-category.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { keys } from "#web/lib/query.ts";

const NONE: readonly ToolCategory[] = [];

/** The categories whose tools work in this deployment, in their order; none until that is known. */
export function useCategories(): readonly ToolCategory[] {
  return useCategoriesQuery().data?.categories ?? NONE;
}

/** As `useCategories`, with how the asking went. */
export function useCategoriesQuery() {
  return useQuery(categoriesQuery);
}

/** How the categories are asked for and cached. */
export const categoriesQuery = queryOptions({
  queryKey: keys.toolCategories,
  queryFn: ({ signal }) => call(listToolCategories, {}, { signal }),
  staleTime: lifetimes.models,
});
