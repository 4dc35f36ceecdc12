import { useMutation, useQuery } from "@tanstack/react-query";
import { getCallSettings, putCallSettings } from "#shared/contracts/outbound/phone.ts";
import type { CallSettings } from "#shared/entities/outbound/call-settings.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { keys, queryClient } from "#web/lib/query.ts";

/** When one's chats may call somebody, how often, and what a minute costs. */
export function useCallSettings({ enabled = true }: { enabled?: boolean } = {}) {
  return useQuery({
    enabled,
    queryKey: keys.callSettings,
    queryFn: ({ signal }) => call(getCallSettings, {}, { signal }),
    staleTime: lifetimes.connectionStatus,
  });
}

/** Sets them. */
export function useChangeCallSettings() {
  return useMutation({
    mutationFn: (settings: CallSettings) => call(putCallSettings, { body: settings }),
    onSuccess: (saved) => queryClient.setQueryData(keys.callSettings, saved),
  });
}
