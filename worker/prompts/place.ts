import type { Database } from "../db/client.ts";
import { AppError } from "../app-error.ts";
import { renumber, selectEnds, selectNextPosition, selectPosition } from "./queries.ts";

type Place = {
  /** The prompt of one's own that it comes right behind; null for the first place. */
  after: string | null;
  /** The prompt that moves; null for a new one. */
  moving: string | null;
};

/** The position right behind a prompt or before all. Throws INVALID_INPUT for a prompt that is not the user's own. */
export async function placeAfter(db: Database, userId: string, place: Place): Promise<number> {
  if (place.after === null) return ((await selectEnds(db, userId)).first ?? 1) - 1;
  if (place.after === place.moving) throw new AppError("INVALID_INPUT", { message: "A prompt cannot stand behind itself." });
  const found = await between(db, userId, { ...place, after: place.after });
  if (found !== null) return found;
  // Halved too often, or taken by two at once: there is no number left between the two.
  await renumber(db, userId);
  return (await between(db, userId, { ...place, after: place.after })) ?? 0;
}

async function between(db: Database, userId: string, { after, moving }: Place & { after: string }): Promise<number | null> {
  const position = await selectPosition(db, userId, after);
  if (position === undefined) throw new AppError("INVALID_INPUT", { message: "The prompt before it is gone." });
  const next = await selectNextPosition(db, userId, { id: after, position, but: moving });
  if (next === undefined) return position + 1;
  const middle = (position + next) / 2;
  return middle > position && middle < next ? middle : null;
}
