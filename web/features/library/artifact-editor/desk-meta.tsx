import { History, Users } from "lucide-react";
import type { Artifact, ArtifactVersion } from "#shared/entities/artifact.ts";
import { sharedBy } from "#web/features/library/artifacts/artifact-labels.ts";
import { relativeTime } from "#web/lib/relative-time.ts";
import { useAuthorName } from "#web/features/library/artifact-history/version-author.tsx";
import { useMinute } from "#web/lib/use-minute.ts";

type DeskMetaProps = { artifact: Artifact; latest: ArtifactVersion | null; wordCount: number; onSeen: (() => void) | null };

const NOBODY = { author_id: null, author_name: "", model_id: null };

/** What is known of an artifact below its title: when and by whom it was written last, its length, its version, who reaches it. */
export function DeskMeta({ artifact, latest, wordCount, onSeen }: DeskMetaProps) {
  const now = useMinute(true);
  const author = useAuthorName(latest ?? NOBODY);
  const by = sharedBy(artifact);
  const edited = `Edited ${relativeTime(artifact.updated_at, now)}`;
  return (
    <p data-print="hide" className="flex flex-wrap items-center gap-x-16 gap-y-4 text-13 text-ink2">
      <span>{latest ? `${edited} by ${author === "You" ? "you" : author}` : edited}</span>
      <span className="tabular-nums">{`${wordCount.toLocaleString("en")} ${wordCount === 1 ? "word" : "words"}`}</span>
      <span className="inline-flex items-center gap-6 tabular-nums">
        <History aria-hidden className="size-14" />
        {`Version ${artifact.version}`}
      </span>
      {by !== null && <span>{`Shared by ${by}`}</span>}
      {artifact.is_shared && (
        <span className="inline-flex items-center gap-6">
          <Users aria-hidden className="size-14" />
          Shared
        </span>
      )}
      {onSeen && (
        <button type="button" onClick={onSeen} className="text-accent underline underline-offset-3 touch:min-h-44">
          What changed since you last looked
        </button>
      )}
    </p>
  );
}
