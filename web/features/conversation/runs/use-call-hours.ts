import { clockTimeIn, nextOpening } from "#shared/tools/call-hours.ts";
import { useMinute } from "#web/lib/use-minute.ts";
import { useCallSettings } from "#web/features/conversation/runs/use-call-settings.ts";
import { callTimeLabel } from "./run-labels.ts";

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
