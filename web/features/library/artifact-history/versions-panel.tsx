import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import type { ArtifactVersion } from "#shared/entities/artifact.ts";
import { useVersions, versionQuery } from "#web/features/library/artifacts/use-artifact.ts";
import { relativeTime } from "#web/lib/relative-time.ts";
import { useMinute } from "#web/lib/use-minute.ts";
import { fullTime } from "#web/lib/format.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { compareTexts, countLines } from "./hunks.ts";
import { AuthorMark, useAuthorName } from "./version-author.tsx";
import { TryAgain } from "#web/ui/try-again.tsx";

/** Larger versions, in bytes, are not fetched only to be counted. */
const COUNTED = 64_000;
/** Rows whose lines are counted: those that are seen first. */
const COUNTED_ROWS = 12;

export type VersionsPanelProps = {
  id: string;
  current: number;
  canEdit: boolean;
  /** The version that is shown beside the panel. */
  shown: number | null;
  /** Shows a version against the one before it. */
  onShow: (version: ArtifactVersion, before: ArtifactVersion | null) => void;
  onRestore: (version: number) => void;
  /** The version that is being restored. */
  restoring: number | null;
  onClose: () => void;
};

/** All versions of an artifact, newest first: who wrote each, when, and how many lines came and went. */
export function VersionsPanel({ id, current, canEdit, shown, onShow, onRestore, restoring, onClose }: VersionsPanelProps) {
  const list = useVersions(id, true);
  const now = useMinute(true);
  const versions = list.data?.pages.flatMap((page) => page.versions) ?? [];
  return (
    <section aria-label="Versions" className="flex h-full min-h-0 w-full flex-col">
      <div className="flex h-52 shrink-0 items-center justify-between pr-10 pl-24">
        <h2 className="text-13 font-medium text-ink">Versions</h2>
        <IconButton label="Close versions" icon={X} tooltip="Close" onClick={onClose} />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-12 pb-24">
        {list.isPending ? (
          <output aria-label="Loading versions" className="block space-y-16 px-12 pt-12">
            {Array.from({ length: 5 }, (_, index) => (
              <Skeleton key={index} className="h-28 w-full" />
            ))}
          </output>
        ) : list.isError && versions.length === 0 ? (
          <div role="alert" className="px-12 text-13 text-ink2">
            <p className="mb-12">{list.error.message}</p>
            <TryAgain onClick={() => void list.refetch()} />
          </div>
        ) : (
          <ol>
            {versions.map((version, index) => (
              <Row
                key={version.version}
                id={id}
                version={version}
                before={versions[index + 1] ?? null}
                isCounted={index < COUNTED_ROWS}
                isCurrent={version.version === current}
                isShown={version.version === shown}
                now={now}
                onShow={onShow}
                onRestore={canEdit ? onRestore : null}
                isRestoring={version.version === restoring}
              />
            ))}
          </ol>
        )}
        {list.hasNextPage && (
          <Button size="sm" className="mx-12 mt-8" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Older versions
          </Button>
        )}
      </div>
    </section>
  );
}

type RowProps = {
  id: string;
  version: ArtifactVersion;
  before: ArtifactVersion | null;
  isCounted: boolean;
  isCurrent: boolean;
  isShown: boolean;
  now: Date;
  onShow: VersionsPanelProps["onShow"];
  onRestore: VersionsPanelProps["onRestore"] | null;
  isRestoring: boolean;
};

function Row({ id, version, before, isCounted, isCurrent, isShown, now, onShow, onRestore, isRestoring }: RowProps) {
  const author = useAuthorName(version);
  const name = `Version ${version.version}`;
  return (
    <li
      className={cx(
        "group/version relative flex h-52 items-center gap-12 rounded-8 px-12 transition-colors duration-120",
        isShown ? "bg-s4" : "hover:bg-s3 focus-within:bg-s3",
      )}
    >
      <AuthorMark author={version} />
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-8 text-13 font-medium text-ink">
          <button
            type="button"
            aria-pressed={isShown}
            onClick={() => onShow(version, before)}
            className="truncate after:absolute after:inset-0 after:rounded-8"
          >
            {name}
          </button>
          {isCurrent && <Badge tone="accent">Current</Badge>}
        </p>
        <p className={cx("truncate text-12", isShown ? "text-ink2" : "text-ink3")} title={fullTime(version.created_at)}>
          {`${author}, ${relativeTime(version.created_at, now)}${kindSuffix(version)}`}
        </p>
      </div>
      {isCounted && version.size <= COUNTED && (before?.size ?? 0) <= COUNTED && (
        <Counts id={id} version={version.version} before={before?.version ?? null} hides={onRestore !== null && !isCurrent} />
      )}
      {onRestore !== null && !isCurrent && (
        <Button
          size="sm"
          busy={isRestoring}
          aria-label={`Restore ${name}`}
          className="absolute! right-8 z-1 opacity-0 group-hover/version:opacity-100 focus-visible:opacity-100 touch:static! touch:opacity-100"
          onClick={() => onRestore(version.version)}
        >
          Restore
        </Button>
      )}
    </li>
  );
}

function kindSuffix({ kind, restored_from: from }: ArtifactVersion): string {
  if (kind === "restore") return from === null ? ", restored" : `, restored ${from}`;
  if (kind === "merge") return ", merged";
  return kind === "review" ? ", reviewed" : "";
}

function Counts({ id, version, before, hides }: { id: string; version: number; before: number | null; hides: boolean }) {
  const after = useQuery(versionQuery(id, version));
  const prior = useQuery({ ...versionQuery(id, before ?? version), enabled: before !== null });
  if (!after.data || (before !== null && !prior.data)) return null;
  const { added, removed } = countLines(compareTexts(before === null ? "" : (prior.data?.content ?? ""), after.data.content));
  return (
    <span
      className={cx(
        "shrink-0 text-12 text-ink2 tabular-nums",
        hides && "group-hover/version:opacity-0 group-has-[:focus-visible]/version:opacity-0 touch:hidden",
      )}
    >
      <span className="sr-only">{`${added} lines added, ${removed} removed`}</span>
      <span aria-hidden>{`+${added} \u2212${removed}`}</span>
    </span>
  );
}
