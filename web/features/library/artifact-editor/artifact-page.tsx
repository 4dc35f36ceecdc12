import { ApiError } from "#web/lib/api.ts";
import { ARTIFACTS_PATH } from "#web/features/library/artifacts/artifact-paths.ts";
import { useArtifact } from "#web/features/library/artifacts/use-artifact.ts";
import { PaneHeader } from "#web/ui/pane-header.tsx";
import { usePageTitle } from "#web/lib/page-title.ts";
import { Link } from "#web/ui/link.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { TryAgain } from "#web/ui/try-again.tsx";
import { ArtifactDesk } from "./artifact-desk.tsx";
import type { OpenInChat } from "./use-desk.ts";

/** One artifact: read, typed in, compared, shared. */
export default function ArtifactPage({ id, openInChat }: { id: string; openInChat: OpenInChat }) {
  const { data, error, refetch } = useArtifact(id);
  usePageTitle(data?.artifact.title ?? "Artifact");
  const isUnavailable = error instanceof ApiError && (error.status === 404 || error.status === 403 || error.status === 400);
  if (data && !isUnavailable) return <ArtifactDesk artifact={data.artifact} openInChat={openInChat} />;
  return (
    <>
      <PaneHeader />
      {error ? (
        <div className="mx-auto flex w-full max-w-752 flex-1 flex-col items-start justify-center gap-20 px-16 pb-[18dvh]">
          <h1 className="font-serif text-28 text-balance text-ink">
            {isUnavailable ? "This artifact doesn't exist, or you have no access to it." : "This artifact could not be loaded."}
          </h1>
          {isUnavailable ? (
            <Link to={ARTIFACTS_PATH} className="text-15 text-accent underline underline-offset-3">
              All artifacts
            </Link>
          ) : (
            <>
              <p className="text-15 text-ink2">{error.message}</p>
              <TryAgain size="md" onClick={() => void refetch()} />
            </>
          )}
        </div>
      ) : (
        <output aria-label="Loading the artifact" className="mx-auto block w-full max-w-752 space-y-16 px-16 pt-28 desk:pt-40">
          <Skeleton className="h-34 w-1/2" />
          <Skeleton className="h-14 w-1/3" />
          <Skeleton className="h-200 w-full" />
        </output>
      )}
    </>
  );
}
