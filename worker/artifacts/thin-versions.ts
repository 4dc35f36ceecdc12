import { ARTIFACT_VERSIONS } from "#shared/limits.ts";

/** Texts that a later save of the same sitting replaced stay so long, in milliseconds, and so many of them, for saves begun from them. */
const REPLACED_MS = 60 * 60_000;
const REPLACED_MAX = 50;

type Kept = { version: number; created_at: string; replaced_at: string | null };

/** Which versions go, of all of an artifact, newest first: a hundred stay whole, of the older ones the last of each day of UTC. */
export function versionsToDrop<V extends Kept>(versions: readonly V[], now: number): V[] {
  const latest = versions[0]?.version ?? 0;
  const days = new Set<string>();
  let whole = 0;
  return versions.filter(({ version, created_at: at, replaced_at: replacedAt }) => {
    if (replacedAt !== null) return version < latest - REPLACED_MAX || Date.parse(replacedAt) < now - REPLACED_MS;
    whole += 1;
    if (whole <= ARTIFACT_VERSIONS) return false;
    const day = at.slice(0, 10);
    if (days.has(day)) return true;
    days.add(day);
    return false;
  });
}
