import { useEffect } from "react";
import { updateUser } from "#shared/contracts/account/users.ts";
import { changeSessionUser, useSession } from "#web/features/people/session/use-session.ts";
import { call } from "#web/lib/api.ts";
import { browserZone } from "./time-zones.ts";

/** Whose zone this page has reported: two devices in different places would go on correcting each other. */
let reportedFor: string | null = null;

/** Reports once where this browser is, when that is news and nobody chose a zone. */
export function useReportTimeZone(): void {
  const { user, status, isCurrent } = useSession();
  const userId = user?.id ?? null;
  const mustReport = status === "user" && isCurrent && user !== null && !user.time_zone_chosen && user.time_zone !== browserZone();
  useEffect(() => {
    if (!mustReport || userId === null || reportedFor === userId) return;
    reportedFor = userId;
    call(updateUser, { body: { browser_time_zone: browserZone() } }).then(
      ({ user: { time_zone, time_zone_chosen } }) => changeSessionUser({ time_zone, time_zone_chosen }),
      // The next page reports it.
      () => undefined,
    );
  }, [mustReport, userId]);
}
