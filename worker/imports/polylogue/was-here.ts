import { claimItem, settleItem } from "../claim-item.ts";
import type { Importing } from "../source.ts";

/** True where a thing was here before this import: a repeat of a message finds what its first try made, which is no other thing. */
export async function wasHere(
  importing: Importing,
  place: number,
  { kind, key, isKnown }: { kind: string; key: string; isKnown: boolean },
): Promise<boolean> {
  const { state, row } = await claimItem(importing, place, { kind, key, version: 1, isStill: () => Promise.resolve(isKnown) });
  await settleItem(importing, row);
  return isKnown && state !== "again";
}
