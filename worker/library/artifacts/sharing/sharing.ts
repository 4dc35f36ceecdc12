import type { ShareInput } from "#shared/contracts/chat/sharing.ts";
import type { Shares } from "#shared/entities/share.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { countOrRefuse, hourly } from "#worker/platform/http/rate-limit.ts";
import { admitAddress, mailInvitation } from "#worker/people/invites/invitations.ts";
import { readMemberIds } from "#worker/people/teams/teams.ts";
import { nameInMail } from "#worker/platform/letters/letter.ts";
import { noteDoneJob } from "#worker/people/done-jobs/note-done-job.ts";
import { log } from "#worker/platform/log.ts";
import { findUser, findUserByEmail } from "#worker/people/users/users.ts";
import { requireArtifact, requireArtifactRight } from "../access/access.ts";
import { shareWithTeam } from "./share-with-team.ts";
import {
  deleteTeamShare,
  deleteUserShare,
  hasUserShare,
  selectTeamShares,
  selectUserShare,
  selectUserShares,
  upsertUserShare,
} from "./queries.ts";

/** Shares one person may set in an hour: each reveals whether an address has an account. */
const SHARES_PER_HOUR = 200;

type Place = { caller: Pick<Caller, "userId">; artifactId: string };

/** Who reaches an artifact, for its readers; only its owner sees other people's addresses and who is invited. Throws NOT_FOUND. */
export async function readShares(db: Database, { caller, artifactId }: Place): Promise<Shares> {
  const { row, level } = await requireArtifact(db, caller.userId, artifactId);
  const [owner, people, teams] = await Promise.all([
    findUser(db, row.user_id),
    selectUserShares(db, artifactId),
    selectTeamShares(db, artifactId),
  ]);
  const isOwner = level === "owner";
  const userShares = people
    .map((share) => ({ ...share, pending: share.userId === null }))
    .filter(({ pending }) => isOwner || !pending)
    .map((share) => (isOwner || share.userId === caller.userId ? share : { ...share, userEmail: "" }));
  const creator = { displayName: owner?.display_name ?? "", email: isOwner ? (owner?.email ?? "") : "" };
  return { creator, userShares, teamShares: teams };
}

/** Shares an artifact, or changes the level of a share; an invited address without an account is mailed. Its owner's alone. Throws `AppError`. */
export async function shareArtifact(
  env: Env,
  db: Database,
  { caller, artifactId, input, origin }: { caller: Caller; artifactId: string; input: ShareInput; origin: string },
): Promise<Shares> {
  await requireArtifactRight(db, caller.userId, artifactId, "share");
  await countOrRefuse(env, `shares:${caller.userId}`, hourly(SHARES_PER_HOUR), "RATE_LIMITED");
  if (input.type === "team") {
    await shareWithTeam(db, { artifactId, userId: caller.userId, teamId: input.teamId, level: input.permissionLevel });
    return readShares(db, { caller, artifactId });
  }
  const { email, permissionLevel: level, invite = false } = input;
  const person = await findUserByEmail(db, email);
  if (person?.id === caller.userId) throw new AppError("INVALID_INPUT", { message: "This artifact belongs to that address." });
  if (!person && !invite && !(await hasUserShare(db, artifactId, email))) throw new AppError("USER_NOT_FOUND");
  const invitation = invite ? await admitAddress(env, db, { caller, email, inviteId: input.invite_id }) : null;
  const isNew = person !== undefined && !(await hasUserShare(db, artifactId, email));
  await upsertUserShare(db, { artifactId, level, sharedBy: caller.userId, email, userId: person?.id ?? null });
  if (isNew && !invitation) await notifyReceiver(env, db, { artifactId, sharerId: caller.userId, userId: person.id });
  if (invitation) await mailInvitation(env, db, { caller, ...invitation, origin, path: `/artifacts/${artifactId}`, what: "an artifact" });
  return readShares(db, { caller, artifactId });
}

/** Notes for a person that an artifact came to them, once for each artifact. It is shared whatever becomes of that. */
async function notifyReceiver(env: Env, db: Database, { artifactId, sharerId, userId }: ShareNotice): Promise<void> {
  try {
    const sharer = await findUser(db, sharerId);
    if (!sharer?.email) return;
    const title = nameInMail({ name: sharer.display_name, email: sharer.email });
    await noteDoneJob(env, userId, {
      id: `artifact-${artifactId}`,
      what: "artifact",
      title,
      isOk: true,
      summary: null,
      path: `/artifacts/${artifactId}`,
    });
  } catch (cause) {
    log.warn("a person was not notified of a shared artifact", { artifactId, cause });
  }
}

type ShareNotice = { artifactId: string; sharerId: string; userId: string };

/** Takes a share back, which its owner may, and its own person too; answers who may have lost the artifact by it. Throws NOT_FOUND, FORBIDDEN. */
export async function removeShare(
  db: Database,
  { caller, artifactId, of, shareId }: Place & { of: "user" | "team"; shareId: string },
): Promise<string[]> {
  const { level } = await requireArtifact(db, caller.userId, artifactId);
  if (of === "user") {
    const share = await selectUserShare(db, artifactId, shareId);
    if (!share && level === "owner") throw new AppError("NOT_FOUND");
    if (level !== "owner" && share?.userId !== caller.userId) await requireArtifactRight(db, caller.userId, artifactId, "share");
    await deleteUserShare(db, artifactId, shareId);
    return share?.userId ? [share.userId] : [];
  }
  await requireArtifactRight(db, caller.userId, artifactId, "share");
  const teamId = await deleteTeamShare(db, artifactId, shareId);
  if (teamId === undefined) throw new AppError("NOT_FOUND");
  return (await readMemberIds(db, teamId)).filter((userId) => userId !== caller.userId);
}
