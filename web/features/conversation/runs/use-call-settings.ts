import { useMutation, useQuery } from "@tanstack/react-query";
import { getCallSettings, putCallSettings } from "#shared/contracts/outbound/phone.ts";
import type { CallSettings } from "#shared/entities/outbound/call-settings.ts";
import { clockTimeIn, nextOpening } from "#shared/tools/call-hours.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { useMinute } from "#web/lib/use-minute.ts";
import { callTimeLabel } from "./run-labels.ts";

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

/** What an approval of a call offers outside of its person's hours: when it goes out by itself, in words, and why not now. Null within them, and for what is no call. */
export function useCallHours(tool: string): { opens: string; why: string } | null {
  const { data } = useCallSettings({ enabled: tool === "blandCall" });
  const now = useMinute(tool === "blandCall").getTime();
  if (!data || tool !== "blandCall") return null;
  const { from_hour: from, until_hour: until, time_zone: zone } = data;
  const opens = nextOpening(data, zone, now);
  if (opens === null) return null;
  return {
    opens: callTimeLabel(opens, now, zone),
    why: `It is ${clockTimeIn(zone, now)} in ${zone.replaceAll("_", " ")}. Your calls go out from ${from}:00 to ${until}:00.`,
  };
}
