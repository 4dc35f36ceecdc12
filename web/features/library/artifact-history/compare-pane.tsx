import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { versionQuery } from "#web/features/library/artifacts/use-artifact.ts";
import { counted } from "#web/lib/format.ts";
import { Button } from "#web/ui/button.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { DiffLines } from "./diff-lines.tsx";
import { compareTexts, hunksOf } from "./hunks.ts";

type ComparePaneProps = {
  id: string;
  /** The versions compared; no one before for the first of all. */
  before: number | null;
  after: number;
  title: ReactNode;
  /** Null where the text that is shown cannot be restored. */
  onRestore: (() => void) | null;
  onClose: () => void;
};

/** A version as it differs from another. */
export function ComparePane({ id, before, after, title, onRestore, onClose }: ComparePaneProps) {
  const young = useQuery(versionQuery(id, after, true));
  const old = useQuery({ ...versionQuery(id, before ?? after, true), enabled: before !== null });
  const error = young.error ?? old.error;
  const isReady = young.data !== undefined && (before === null || old.data !== undefined);
  const segments = useMemo(
    () =>
      young.data && (before === null || old.data) ? compareTexts(before === null ? "" : (old.data?.content ?? ""), young.data.content) : [],
    [young.data, old.data, before],
  );
  const changes = hunksOf(segments).length;
  return (
    <section aria-label="Comparison" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex min-h-44 shrink-0 flex-wrap items-center gap-x-12 gap-y-4 border-y border-line bg-s2 px-16 py-4 desk:px-24">
        <p className="min-w-0 flex-1 text-13 text-ink2 max-desk:flex-none max-desk:basis-full">
          {title}
          {isReady && <span className="ml-12 tabular-nums">{changes === 0 ? "No changes" : counted(changes, "change")}</span>}
        </p>
        {onRestore && (
          <Button size="sm" onClick={onRestore}>
            Restore this version
          </Button>
        )}
        <Button size="sm" variant="quiet" onClick={onClose}>
          Back to the text
        </Button>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {error ? (
          <p role="alert" className="px-24 py-16 text-14 text-ink2">
            {error.message}
          </p>
        ) : isReady ? (
          <DiffLines segments={segments} />
        ) : (
          <output aria-label="Loading the versions" className="block px-24 py-16">
            <Skeleton className="h-200 w-full" />
          </output>
        )}
      </div>
    </section>
  );
}
