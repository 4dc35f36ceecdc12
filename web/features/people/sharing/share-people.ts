import type { ShareLevel, Shares } from "#shared/entities/share.ts";
import type { Team } from "#shared/entities/team.ts";
import { counted } from "#web/lib/format.ts";

/** One row of the share dialog: a person, an invited address or a team. */
export type ShareRow = {
  kind: "user" | "team";
  id: string;
  /** Null for a team, and for who has no account yet. */
  userId: string | null;
  name: string;
  /** What stands below the name. */
  note: string;
  level: ShareLevel;
  /** What shares again with the same person or team; null where the address is not shown. */
  key: { email: string } | { teamId: string } | null;
  isYou: boolean;
  /** Invited, not signed up yet. */
  isPending: boolean;
};

type Reader = {
  ownId: string | null;
  /** Their teams, whose size they know. */
  teams: readonly Pick<Team, "id" | "memberCount">[];
};

/** The rows under the owner's: people by the order of sharing, then teams. */
export function toRows({ userShares, teamShares }: Shares, { ownId, teams }: Reader): ShareRow[] {
  return [
    ...userShares.map((share): ShareRow => {
      const name = share.userDisplayName || share.userEmail;
      const note = share.pending ? "Invited, not signed up yet" : share.userEmail === name ? "" : share.userEmail;
      const key = share.userEmail === "" ? null : { email: share.userEmail };
      return {
        kind: "user",
        id: share.id,
        userId: share.userId,
        name,
        note,
        level: share.permissionLevel,
        key,
        isYou: share.userId === ownId && ownId !== null,
        isPending: share.pending,
      };
    }),
    ...teamShares.map((share): ShareRow => {
      const key = { teamId: share.teamId };
      const own = teams.find(({ id }) => id === share.teamId);
      return {
        kind: "team",
        id: share.id,
        userId: null,
        name: share.teamName,
        note: own ? counted(own.memberCount, "member") : "Team",
        level: share.permissionLevel,
        key,
        isYou: false,
        isPending: false,
      };
    }),
  ];
}

/** The rows as shown: one that was just removed keeps its place, so it can be undone there. */
export function withRemoved(
  rows: readonly ShareRow[],
  removed: readonly { row: ShareRow; at: number }[],
): (ShareRow & { isRemoved: boolean })[] {
  const shown = rows.map((row) => ({ ...row, isRemoved: false }));
  for (const { row, at } of removed) {
    if (shown.some((other) => isSame(other, row))) continue;
    shown.splice(Math.min(at, shown.length), 0, { ...row, isRemoved: true });
  }
  return shown;
}

/** True for two rows of the same person or team, whatever share they stand for. */
export function isSame(one: ShareRow, other: ShareRow): boolean {
  return one.kind === other.kind && (one.id === other.id || (one.key !== null && JSON.stringify(one.key) === JSON.stringify(other.key)));
}

/** The count beside the list's heading, the owner included: '3 people, 1 team'. */
export function shareCountLabel({ userShares, teamShares }: Shares): string {
  const people = userShares.length + 1;
  const parts = [people === 1 ? "1 person" : `${people} people`];
  if (teamShares.length > 0) parts.push(teamShares.length === 1 ? "1 team" : `${teamShares.length} teams`);
  return parts.join(", ");
}
