import { Pin, Users } from "lucide-react";
import { memo, useId } from "react";
import type { Artifact } from "#shared/entities/artifact.ts";
import { fullTime } from "#web/lib/format.ts";
import { Link } from "#web/ui/link.tsx";
import { artifactPath } from "./artifact-paths.ts";
import { newsOf, sharedBy, whenInWords } from "./artifact-words.ts";

/** An artifact of the list: its title, how it begins, when it changed and whose it is. */
export const ArtifactCard = memo(function ArtifactCard({ artifact, now }: { artifact: Artifact; now: Date }) {
  const about = useId();
  const by = sharedBy(artifact);
  const news = newsOf(artifact);
  return (
    <li className="relative min-w-0 border-b border-line px-4 py-14 transition-colors duration-120 hover:bg-s1 [content-visibility:auto] [contain-intrinsic-size:auto_132px] desk:flex desk:h-148 desk:flex-col desk:rounded-12 desk:border desk:bg-s2 desk:p-16 desk:hover:border-line-strong">
      <h2 className="flex items-center gap-8 text-15/20 font-medium text-ink">
        <Link
          to={artifactPath(artifact.id)}
          aria-describedby={about}
          className="min-w-0 truncate after:absolute after:inset-0 after:rounded-12"
        >
          {artifact.title}
        </Link>
        {news !== null && <span title={news} className="size-7 shrink-0 rounded-full bg-signal" />}
        {artifact.is_pinned && <Pin aria-hidden className="ml-auto size-14 shrink-0 text-ink3" />}
      </h2>
      <p className="mt-6 line-clamp-2 flex-1 text-13 text-ink2 desk:line-clamp-3">{artifact.content_preview || "Empty"}</p>
      <p className="mt-8 flex items-center gap-12 text-12 text-ink3">
        <time dateTime={artifact.updated_at} title={fullTime(artifact.updated_at)}>
          {whenInWords(artifact.updated_at, now)}
        </time>
        {by !== null && <span className="truncate">{`Shared by ${by}`}</span>}
        {artifact.is_shared && (
          <span className="inline-flex items-center gap-4">
            <Users aria-hidden className="size-12" />
            Shared
          </span>
        )}
      </p>
      <span id={about} className="sr-only">
        {[artifact.is_pinned && "Pinned", news].filter(Boolean).join(". ")}
      </span>
    </li>
  );
});
