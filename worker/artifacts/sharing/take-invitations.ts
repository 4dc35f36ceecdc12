import type { Database } from "../../db/client.ts";
import { log } from "../../log.ts";
import { takeInvited } from "./queries.ts";

/** As a person signs in: the artifacts that their proven addresses are invited to are theirs. Nobody is kept from signing in by it. */
export async function takeArtifactInvitations(
  db: Database,
  { userId, emails }: { userId: string; emails: readonly string[] },
): Promise<void> {
  for (const email of new Set(emails)) {
    try {
      await takeInvited(db, { email, userId });
    } catch (cause) {
      log.error("invitations to artifacts were not taken", { userId, cause });
    }
  }
}
