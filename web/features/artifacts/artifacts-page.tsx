import { Plus, Search, Upload } from "lucide-react";
import { type ReactNode, useDeferredValue, useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { ArtifactFilter, ArtifactSort } from "#shared/entities/library/artifact-list.ts";
import { PaneHeader } from "#web/features/sidebar/pane-header.tsx";
import { useMinute } from "#web/features/chat-row/use-minute.ts";
import { usePageTitle } from "#web/features/sidebar/use-page-title.ts";
import { Button } from "#web/ui/button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Select } from "#web/ui/menu/select.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { fieldClass } from "#web/ui/text-field.tsx";
import { ArtifactCard } from "./artifact-card.tsx";
import { ArtifactsGate } from "./artifacts-gate.tsx";
import { artifactsOf, useArtifacts } from "./use-artifacts.ts";
import { useNewArtifact } from "./use-new-artifact.ts";

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
              <Button onClick={() => void list.refetch()}>Try again</Button>
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
