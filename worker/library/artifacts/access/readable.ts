import * as z from "zod/mini";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { findBody } from "../bodies.ts";
import { selectReadable } from "./queries.ts";

/** An artifact that somebody may read, as an index of texts needs it, with those of their teams that it is shared with. */
export type ReadableArtifact = { id: string; version: number; title: string; body: string; updated_at: string; teamIds: string[] };

const TeamIds = z.array(z.string());

/** All artifacts that a user may read now, the last changed first. */
export async function readableArtifacts(env: Env, userId: string): Promise<ReadableArtifact[]> {
  const rows = await selectReadable(openDatabase(env.DB), userId);
  return rows.map(({ team_ids: json, ...row }) => ({ ...row, teamIds: TeamIds.parse(JSON.parse(json)) }));
}

/** Its text; null where a later save has tidied it away, after which it is another version's. */
export function readText(env: Env, { id, body }: ReadableArtifact): Promise<string | null> {
  return findBody(env, id, body);
}
