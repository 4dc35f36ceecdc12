import { useMutation, useQuery } from "@tanstack/react-query";
import { deleteAccountExport, getAccountExport, startAccountExport } from "#shared/contracts/account/account-export.ts";
import { call } from "#web/lib/api.ts";
import { queryClient } from "#web/lib/query.ts";

const KEY = ["account-export"] as const;
/** How often it is looked how far an export is, in milliseconds: most are ready within moments. */
const LOOK_MS = 2_000;
const FIRST_LOOKS_MS = 500;
const FIRST_LOOKS = 6;

/** The person's newest export, followed while it is made. */
export function useAccountExport() {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call(getAccountExport, {}, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => {
      if (state.data?.export?.state !== "running") return false;
      return Date.now() - Date.parse(state.data.export.created_at) < FIRST_LOOKS * FIRST_LOOKS_MS ? FIRST_LOOKS_MS : LOOK_MS;
    },
  });
}

/** Begins an export; `id` names it, so a second press makes no second one. */
export function useStartExport() {
  return useMutation({
    mutationFn: (id: string) => call(startAccountExport, { body: { id } }),
    onSuccess: (started) => void queryClient.setQueryData(KEY, started),
    onError: () => void queryClient.invalidateQueries({ queryKey: KEY }),
  });
}

/** Deletes an export, or gives one up that is being made. */
export function useDeleteExport() {
  return useMutation({
    mutationFn: (id: string) => call(deleteAccountExport, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: KEY }),
  });
}
