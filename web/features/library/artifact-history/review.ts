import { updateArtifact } from "#shared/contracts/artifacts.ts";
import type { ArtifactReview, ArtifactVersion } from "#shared/entities/artifact.ts";
import type { Decision } from "./hunks.ts";
import { showArtifact } from "#web/features/library/artifacts/change-artifact.ts";
import { call } from "#web/lib/api.ts";

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

/** The versions that a review compared when it was left; null where one of them is not kept any more. */
export function savedTarget(versions: readonly ArtifactVersion[], kept: ArtifactReview | null): ReviewTarget | null {
  const find = (number: number | undefined) => versions.find(({ version }) => version === number);
  const [version, before] = [find(kept?.version), find(kept?.before)];
  return version && before ? { version, before } : null;
}

/** What was decided of a review that was left, by the places of its hunks. */
export function savedDecisions({ accepted, rejected }: ArtifactReview): Map<number, Decision> {
  return new Map([...accepted.map((index) => [index, "accepted"] as const), ...rejected.map((index) => [index, "rejected"] as const)]);
}

/** A review that was opened: the version's number it was asked for by, and what it shows. */
export type OpenedReview = { wanted: number; target: ReviewTarget };

/** The review of a version's number, as it was when it was opened, or left before (`left`): what is decided in it moves neither of its versions. */
export function resolveReview(
  current: OpenedReview | null,
  {
    wanted,
    waiting,
    left,
    versions,
  }: { wanted: number | null; waiting: ReviewTarget | null; left: ReviewTarget | null; versions: readonly ArtifactVersion[] },
): OpenedReview | null {
  if (wanted === null) return null;
  if (current?.wanted === wanted) return current;
  const [latest] = versions;
  // The list is about to be read again.
  if (!latest || latest.version < wanted) return null;
  const target = [left, waiting].find((one) => one?.version.version === wanted) ?? reviewOf(versions, wanted);
  return target && { wanted, target };
}

/** Notes that a version's changes were looked at, for this account on all its devices. */
export function markReviewed(id: string, version: number): void {
  showArtifact(id, { reviewed_version: version });
  // Where it cannot be noted, the same changes are offered once more.
  call(updateArtifact, { params: { id }, body: { reviewed_version: version } }).catch(() => undefined);
}

/** Keeps how far a review came, for this account on all its devices. */
export function saveReview(id: string, review: ArtifactReview): void {
  showArtifact(id, { review });
  // Where it cannot be kept, the texts are all the same what was decided.
  call(updateArtifact, { params: { id }, body: { review } }).catch(() => undefined);
}
