import type { AdminUser } from "#shared/entities/admin-user.ts";
import { Badge } from "#web/ui/badge.tsx";
import { planWord } from "./admin-words.ts";

/** What somebody is: blocked, a guest, or on which plan. */
export function UserPlan({ user: { anonymous, blocked_at: blockedAt, plan } }: { user: AdminUser }) {
  if (blockedAt !== null) return <Badge tone="signal">Blocked</Badge>;
  if (anonymous) return <Badge>Guest</Badge>;
  if (plan === "none") return <span className="text-13 text-ink2">None</span>;
  return <Badge tone={plan === "team" ? "accent" : "neutral"}>{planWord(plan)}</Badge>;
}
