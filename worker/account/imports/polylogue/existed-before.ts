import { claimItem, completeItem } from "../claim-item.ts";
import type { Importing } from "../source.ts";
import { type OwnKind, selectOwnIds } from "./queries.ts";

/** True where a thing was here before this import: a repeat of a message finds what its first try made, which is no other thing. */
export async function existedBefore(
  importing: Importing,
  place: number,
  { kind, key, isKnown }: { kind: string; key: string; isKnown: boolean },
): Promise<boolean> {
  const { state, row } = await claimItem(importing, place, { kind, key, version: 1, isStill: () => Promise.resolve(isKnown) });
  await completeItem(importing, row);
  return isKnown && state !== "again";
}

/** True for a thing of this kind that the person has under this id. */
export async function isOwn({ db, user }: Importing, kind: OwnKind, id: string): Promise<boolean> {
  return (await selectOwnIds(db, user.userId, kind)).has(id);
}
