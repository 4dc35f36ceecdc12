import { Pin, Plus, Search, Upload, Users } from "lucide-react";
import { memo, type ReactNode, useDeferredValue, useEffect, useId, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { ArtifactFilter, ArtifactSort } from "#shared/entities/library/artifact-list.ts";
import { PaneHeader } from "#web/ui/pane-header.tsx";
import { useMinute } from "#web/lib/use-minute.ts";
import { usePageTitle } from "#web/lib/page-title.ts";
import { Button } from "#web/ui/button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Select } from "#web/ui/menu/select.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { fieldClass } from "#web/ui/text-field.tsx";
import { ArtifactsGate } from "./artifacts-gate.tsx";
import { artifactsOf, useArtifacts } from "./use-artifacts.ts";
import { useNewArtifact } from "./use-new-artifact.ts";
import type { Artifact } from "#shared/entities/artifact.ts";
import { fullTime } from "#web/lib/format.ts";
import { Link } from "#web/ui/link.tsx";
import { artifactPath } from "./artifact-paths.ts";
import { sharedBy, unseenNoteOf } from "./artifact-labels.ts";
import { relativeTime } from "#web/lib/relative-time.ts";
import { TryAgain } from "#web/ui/try-again.tsx";

/** An artifact of the list: its title, how it begins, when it changed and whose it is. */
const ArtifactCard = memo(function ArtifactCard({ artifact, now }: { artifact: Artifact; now: Date }) {
  const about = useId();
  const by = sharedBy(artifact);
  const unseenNote = unseenNoteOf(artifact);
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
        {unseenNote !== null && <span title={unseenNote} className="size-7 shrink-0 rounded-full bg-signal" />}
        {artifact.is_pinned && <Pin aria-hidden className="ml-auto size-14 shrink-0 text-ink3" />}
      </h2>
      <p className="mt-6 line-clamp-2 flex-1 text-13 text-ink2 desk:line-clamp-3">{artifact.content_preview || "Empty"}</p>
      <p className="mt-8 flex items-center gap-12 text-12 text-ink3">
        <time dateTime={artifact.updated_at} title={fullTime(artifact.updated_at)}>
          {relativeTime(artifact.updated_at, now)}
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
        {[artifact.is_pinned && "Pinned", unseenNote].filter(Boolean).join(". ")}
      </span>
    </li>
  );
});

const UploadDialog = lazyPart(async () => (await import("./upload-dialog.tsx")).default);

const FILTERS = [
  { value: "all", label: "All artifacts" },
  { value: "owned", label: "Yours" },
  { value: "shared", label: "Shared with you" },
  { value: "pinned", label: "Pinned" },
] as const satisfies readonly { value: ArtifactFilter; label: string }[];
const SORTS = [
  { value: "updated", label: "Last changed" },
  { value: "created", label: "Newest" },
  { value: "title", label: "Title" },
] as const satisfies readonly { value: ArtifactSort; label: string }[];

/** All artifacts of the shown workspace: a list, on wide screens a grid with how each begins. */
export default function ArtifactsPage() {
  usePageTitle("Artifacts");
  return (
    <ArtifactsGate>
      <Artifacts />
    </ArtifactsGate>
  );
}

function Artifacts() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const query = new URLSearchParams(search);
  const filter = ArtifactFilter.safeParse(query.get("filter")).data ?? "all";
  const sort = ArtifactSort.safeParse(query.get("sort")).data ?? "updated";
  const [text, setText] = useState("");
  const q = useDeferredValue(text.trim());
  const list = useArtifacts({ filter, sort, q });
  const artifacts = artifactsOf(list.data);
  const now = useMinute(true);
  const [isUploading, setIsUploading] = useState(false);
  const newArtifact = useNewArtifact();
  const choose = (name: string, value: string) => {
    query.set(name, value);
    void navigate(`${pathname}?${query}`, { replace: true });
  };
  const isPlain = filter === "all" && q === "";
  return (
    <>
      <PaneHeader />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <section aria-labelledby="artifacts-title" className="mx-auto w-full max-w-1120 px-16 pt-12 pb-48 desk:px-32">
          <div className="flex flex-wrap items-center gap-8">
            <h1 id="artifacts-title" className="min-w-0 flex-1 font-serif text-28 text-ink">
              Artifacts
            </h1>
            <Button onClick={() => setIsUploading(true)}>
              <Upload aria-hidden className="size-16" />
              Upload
            </Button>
            <Button variant="primary" onClick={newArtifact}>
              <Plus aria-hidden className="size-16" />
              New Artifact
            </Button>
          </div>
          <div className="mt-20 flex flex-wrap items-center gap-8">
            <div className="relative min-w-200 flex-1">
              <Search aria-hidden className="pointer-events-none absolute top-1/2 left-12 size-16 -translate-y-1/2 text-ink3" />
              <input
                type="search"
                aria-label="Search artifacts"
                placeholder="Search titles..."
                value={text}
                onChange={(event) => setText(event.target.value)}
                className={`${fieldClass} h-36 pl-36! text-14 touch:h-44 touch:text-16`}
              />
            </div>
            <Select label="Show" value={filter} options={FILTERS} onChange={(value) => choose("filter", value)} />
            <Select label="Order" value={sort} options={SORTS} onChange={(value) => choose("sort", value)} />
          </div>
          {list.isPending ? (
            <output aria-label="Loading artifacts" className="mt-24 grid gap-16 desk:grid-cols-2 min-[1200px]:grid-cols-3">
              {Array.from({ length: 6 }, (_, index) => (
                <Skeleton key={index} className="h-108 w-full rounded-12 desk:h-148" />
              ))}
            </output>
          ) : list.isError && !list.data ? (
            <div role="alert" className="mt-24 text-15 text-ink2">
              <p className="mb-16">{`Your artifacts could not be loaded. ${list.error.message}`}</p>
              <TryAgain size="md" onClick={() => void list.refetch()} />
            </div>
          ) : artifacts.length === 0 ? (
            <p className="mt-24 text-15 text-ink2">{isPlain ? "No artifacts yet. Create your first one!" : "No artifacts match."}</p>
          ) : (
            <>
              <ul aria-label="Artifacts" className="mt-24 grid gap-x-16 desk:grid-cols-2 desk:gap-y-16 min-[1200px]:grid-cols-3">
                {artifacts.map((artifact) => (
                  <ArtifactCard key={artifact.id} artifact={artifact} now={now} />
                ))}
              </ul>
              {list.hasNextPage && (
                <ReadOn onReached={() => void list.fetchNextPage()} isBusy={list.isFetchingNextPage}>
                  Show more
                </ReadOn>
              )}
            </>
          )}
        </section>
      </div>
      <UploadDialog open={isUploading} onOpenChange={setIsUploading} />
    </>
  );
}

/** Reads the next page when it comes into sight, or by a press. */
function ReadOn({ onReached, isBusy, children }: { onReached: () => void; isBusy: boolean; children: ReactNode }) {
  const mark = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = mark.current;
    if (!box || isBusy) return undefined;
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && onReached(), { rootMargin: "600px" });
    watch.observe(box);
    return () => watch.disconnect();
  });
  return (
    <div ref={mark} className="mt-24">
      <Button busy={isBusy} onClick={onReached}>
        {children}
      </Button>
    </div>
  );
}
