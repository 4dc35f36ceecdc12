import { base64url } from "jose";
import * as z from "zod/mini";
import type { Artifact } from "#shared/entities/artifact.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { findAccessibleArtifacts } from "../access/access.ts";
import { type ListInput, type Place, selectPlaces, selectTeamIds } from "./queries.ts";

const Cursor = z.tuple([z.string(), z.string()]);

type Input = Omit<ListInput, "after" | "userId"> & { cursor?: string | undefined };

/** A page of what a user may read. Throws INVALID_INPUT for a cursor of something else. */
export async function listArtifacts(
  db: Database,
  userId: string,
  { cursor, ...input }: Input,
): Promise<{ artifacts: Artifact[]; nextCursor: string | null }> {
  const after = cursor === undefined ? null : parseCursor(cursor);
  const teamIds = await selectTeamIds(db, userId);
  const places = await selectPlaces(db, { ...input, userId, after, limit: input.limit + 1 }, teamIds);
  const page = places.slice(0, input.limit);
  const accessible = await findAccessibleArtifacts(
    db,
    userId,
    page.map(({ id }) => id),
  );
  const last = page.at(-1);
  return { artifacts: accessible.map(({ shown }) => shown), nextCursor: places.length > input.limit && last ? formatCursor(last) : null };
}

function formatCursor({ key, id }: Place): string {
  return base64url.encode(JSON.stringify([key, id]));
}

function parseCursor(cursor: string): Place {
  try {
    const [key, id] = Cursor.parse(JSON.parse(new TextDecoder().decode(base64url.decode(cursor))));
    return { key, id };
  } catch (cause) {
    throw new AppError("INVALID_INPUT", { message: "This cursor is not one of this list.", cause });
  }
}
