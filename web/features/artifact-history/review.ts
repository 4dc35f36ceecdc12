import type { ArtifactVersion } from "#shared/entities/artifact.ts";
import * as shape from "#web/lib/shape.ts";
import { stored } from "#web/lib/storage.ts";

/** A model's change to be looked at: its version, and the one it is shown against. */
export type ReviewTarget = { version: ArtifactVersion; before: ArtifactVersion };

/**
 * What of an artifact waits to be looked at: the models' versions at the end of its history, newest first, that were not
 * reviewed yet, against the one before them; null where a person wrote last.
 */
export function openReview(versions: readonly ArtifactVersion[], reviewed: number): ReviewTarget | null {
  const isOpen = ({ kind, version }: ArtifactVersion) => kind === "model" && version > reviewed;
  const [latest] = versions;
  if (!latest || !isOpen(latest)) return null;
  const before = versions.find((version) => !isOpen(version));
  return before ? { version: latest, before } : null;
}

/** A version against the one before it, both named by number; null where either is not there. */
export function reviewOf(versions: readonly ArtifactVersion[], number: number): ReviewTarget | null {
  const at = versions.findIndex(({ version }) => version <= number);
  const [version, before] = [versions[at], versions[at + 1]];
  return at >= 0 && version && before ? { version, before } : null;
}

function store(id: string) {
  return stored(`artifact-reviewed:${id}`, shape.number, 0);
}

/** The last version whose changes were all accepted here. */
export function readReviewed(id: string): number {
  return store(id).read();
}

/** Notes that a version's changes were looked at. */
export function noteReviewed(id: string, version: number): void {
  store(id).write(version);
}
