import type { Database } from "#worker/platform/db/client.ts";
import { log } from "#worker/platform/log.ts";
import { acceptInvited } from "./queries.ts";

/** As a person signs in: the artifacts that their proven addresses are invited to are theirs. Nobody is kept from signing in by it. */
export async function acceptArtifactInvitations(
  db: Database,
  { userId, emails }: { userId: string; emails: readonly string[] },
): Promise<void> {
  for (const email of new Set(emails)) {
    try {
      await acceptInvited(db, { email, userId });
    } catch (cause) {
      log.error("invitations to artifacts were not taken", { userId, cause });
    }
  }
}
