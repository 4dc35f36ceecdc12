import { openDatabase } from "../../db/client.ts";
import type { Env } from "../../env.ts";
import { findBody } from "../bodies.ts";
import { selectReadable } from "./queries.ts";

/** An artifact that somebody may read, as an index of texts needs it. */
export type ReadableArtifact = { id: string; version: number; title: string; body: string; updated_at: string };

/** All artifacts that a user may read now, the last changed first. */
export function readableArtifacts(env: Env, userId: string): Promise<ReadableArtifact[]> {
  return selectReadable(openDatabase(env.DB), userId);
}

/** Its text; null where a later save has tidied it away, after which it is another version's. */
export function readText(env: Env, { id, body }: ReadableArtifact): Promise<string | null> {
  return findBody(env, id, body);
}
