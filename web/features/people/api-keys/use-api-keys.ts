import { useMutation, useQuery } from "@tanstack/react-query";
import { createApiKey, deleteApiKey, listApiKeys, updateApiKey } from "#shared/contracts/account/api-keys.ts";
import type { ApiKey, ApiScope } from "#shared/entities/library/api-key.ts";
import { call } from "#web/lib/api.ts";
import { watched } from "#web/lib/lifetimes.ts";
import { keys, queryClient } from "#web/lib/query.ts";

/** What a key is made with, or changed to. */
export type KeyFields = { name: string; scopes: ApiScope[]; budget: number | null };

/** The person's keys: other programs use them meanwhile. */
export function useApiKeys() {
  return useQuery({ queryKey: keys.apiKeys, queryFn: ({ signal }) => call(listApiKeys, {}, { signal }), ...watched });
}

/** Makes a key; `id` is the form's, so a second press makes no second one. */
export function useCreateKey(onCreated: (made: { key: ApiKey; secret: string | null }) => void) {
  return useMutation({
    mutationFn: (body: KeyFields & { id: string }) => call(createApiKey, { body }),
    onSuccess: onCreated,
    onSettled: refresh,
  });
}

/** Changes a key. */
export function useUpdateKey(id: string, onUpdated: () => void) {
  return useMutation({
    mutationFn: (body: KeyFields) => call(updateApiKey, { params: { id }, body }),
    onSuccess: onUpdated,
    onSettled: refresh,
  });
}

/** Revokes a key; one that is gone already is as gone as it should be. */
export function useRevokeKey(onRevoked: () => void) {
  return useMutation({
    mutationFn: (id: string) => call(deleteApiKey, { params: { id } }),
    onSuccess: onRevoked,
    onSettled: refresh,
  });
}

function refresh(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: keys.apiKeys });
}
