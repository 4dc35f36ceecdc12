import { Pin, Upload } from "lucide-react";
import { memo, useId, useRef, useState } from "react";
import { useMatch } from "react-router";
import { Virtualizer } from "virtua";
import type { Artifact } from "#shared/entities/artifact.ts";
import { SidebarNotice } from "#web/ui/sidebar-notice.tsx";
import { useMinute } from "#web/lib/use-minute.ts";
import { fullTime, rowTime } from "#web/lib/format.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Link } from "#web/ui/link.tsx";
import { ARTIFACTS_PATH, artifactPath } from "./artifact-paths.ts";
import { subtitle } from "./artifact-labels.ts";
import { LoginLink } from "#web/features/people/session/login-link.tsx";
import { SignInDialog } from "#web/features/people/session/sign-in-dialog.tsx";
import { useArtifactsOn } from "./artifacts-on.ts";
import { artifactsOf, useArtifacts } from "./use-artifacts.ts";
import { ARTIFACT_SKELETON_ROWS } from "#shared/limits.ts";
import { Skeleton } from "#web/ui/skeleton.tsx";

const WIDTHS = ["w-3/4", "w-1/2", "w-2/3", "w-4/5", "w-3/5"] as const;

/** Rows of the list's own shape while it loads. */
function ArtifactListSkeleton({ inDrawer }: { inDrawer: boolean }) {
  return (
    <output aria-label="Loading artifacts" className="block pt-36">
      {Array.from({ length: ARTIFACT_SKELETON_ROWS }, (_, index) => (
        <div
          key={index}
          data-skeleton
          className={cx("flex flex-col justify-center gap-8", inDrawer ? "mx-8 h-56 pr-12 pl-46" : "mx-12 h-52 pr-8 pl-32")}
        >
          <Skeleton className={cx("h-10", WIDTHS[index % WIDTHS.length])} />
          <Skeleton className="h-8 w-full" />
        </div>
      ))}
    </output>
  );
}

const UploadDialog = lazyPart(async () => (await import("./upload-dialog.tsx")).default);

const WHY_SIGN_IN = "Documents that you and models write together are kept for who has an account.";

type Item = { key: string; heading: string } | { key: string; artifact: Artifact };

/** The sidebar's artifacts: what is pinned, then the others by when they changed. */
export default function ArtifactList({ inDrawer, onFollow }: { inDrawer: boolean; onFollow: (() => void) | undefined }) {
  const isHere = useArtifactsOn() !== "sign-in";
  const list = useArtifacts();
  const pins = useArtifacts({ filter: "pinned" });
  const today = useMinute(true);
  const openId = useMatch(`${ARTIFACTS_PATH}/:id`)?.params["id"];
  const scroller = useRef<HTMLDivElement>(null);
  const [isUploading, setIsUploading] = useState(false);
  // Asked for apart, as one that was pinned long ago stands on a later page.
  const pinned = artifactsOf(pins.data);
  const recent = artifactsOf(list.data).filter(({ is_pinned: isPinned }) => !isPinned);
  const items: Item[] = [
    ...(pinned.length > 0 ? [{ key: "pinned", heading: "Pinned" }] : []),
    ...pinned.map((artifact) => ({ key: artifact.id, artifact })),
    ...(recent.length > 0 ? [{ key: "recent", heading: "Recent" }] : []),
    ...recent.map((artifact) => ({ key: artifact.id, artifact })),
  ];
  const readOn = () => {
    const box = scroller.current;
    if (!box || !list.hasNextPage || list.isFetchingNextPage) return;
    if (box.scrollHeight - box.scrollTop - box.clientHeight < box.clientHeight) void list.fetchNextPage();
  };
  return (
    <>
      <div
        ref={scroller}
        onScroll={readOn}
        className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto overscroll-contain pt-4 pb-12 [scrollbar-width:thin]"
      >
        <div className="beneath-bar">
          {!isHere ? (
            <SidebarNotice title="Sign in required" text={WHY_SIGN_IN}>
              <div className="mt-8 -ml-12">
                <LoginLink />
              </div>
            </SidebarNotice>
          ) : list.isPending ? (
            <ArtifactListSkeleton inDrawer={inDrawer} />
          ) : list.isError && !list.data ? (
            <SidebarNotice title="Your artifacts could not be loaded" text={list.error.message} retry={() => void list.refetch()} />
          ) : items.length === 0 ? (
            <SidebarNotice
              title="No artifacts yet. Create your first one!"
              text="Documents that you and models write together stand here."
            />
          ) : (
            <Virtualizer as="ul" item="li" scrollRef={scroller} itemSize={inDrawer ? 56 : 52}>
              {items.map((item) =>
                "heading" in item ? (
                  <h2 key={item.key} className={cx("flex h-36 items-end pb-6 text-12 font-medium text-ink2", inDrawer ? "px-20" : "px-20")}>
                    {item.heading}
                  </h2>
                ) : (
                  <Row
                    key={item.key}
                    artifact={item.artifact}
                    today={today}
                    isOpen={item.artifact.id === openId}
                    inDrawer={inDrawer}
                    onFollow={onFollow}
                  />
                ),
              )}
            </Virtualizer>
          )}
        </div>
      </div>
      <div className={cx("flex shrink-0 items-center justify-between border-t border-line py-6", inDrawer ? "px-8" : "px-12")}>
        <Link
          to={ARTIFACTS_PATH}
          replace={inDrawer}
          onClick={onFollow}
          className="inline-flex h-32 items-center rounded-8 px-8 text-13 text-ink2 hover:bg-s3 hover:text-ink touch:h-44"
        >
          All artifacts
        </Link>
        <Button size="sm" variant="quiet" onClick={() => setIsUploading(true)}>
          <Upload aria-hidden className="size-14" />
          Upload
        </Button>
      </div>
      {isHere ? (
        <UploadDialog open={isUploading} onOpenChange={setIsUploading} />
      ) : (
        <SignInDialog open={isUploading} onClose={() => setIsUploading(false)} what="upload artifacts" why={WHY_SIGN_IN} />
      )}
    </>
  );
}

type RowProps = { artifact: Artifact; today: Date; isOpen: boolean; inDrawer: boolean; onFollow: (() => void) | undefined };

const Row = memo(function Row({ artifact, today, isOpen, inDrawer, onFollow }: RowProps) {
  const about = useId();
  const quiet = isOpen ? "text-ink2" : "text-ink3";
  const below = subtitle(artifact);
  return (
    <div
      className={cx(
        "group/row relative flex rounded-8 transition-colors duration-120",
        inDrawer ? "mx-8 h-56 gap-14 px-12" : "mx-12 h-52 gap-8 px-8",
        isOpen ? "bg-s4" : "hover:bg-s3",
      )}
    >
      <Link
        to={artifactPath(artifact.id)}
        replace={inDrawer}
        onClick={onFollow}
        aria-label={artifact.title}
        aria-describedby={about}
        aria-current={isOpen ? "page" : undefined}
        className="absolute inset-0 rounded-8 -outline-offset-2!"
      />
      <span aria-hidden className={cx("flex shrink-0 justify-center pt-9", inDrawer ? "w-20" : "w-16")}>
        {artifact.is_pinned && <Pin className="size-14 text-ink3" />}
      </span>
      <div className="pointer-events-none flex min-w-0 flex-1 flex-col justify-center">
        <span className="flex items-baseline gap-8">
          <span className={cx("min-w-0 flex-1 truncate text-ink", inDrawer ? "text-15/20" : "text-14")}>{artifact.title}</span>
          <time dateTime={artifact.updated_at} className={cx("shrink-0 text-12 tabular-nums", quiet)}>
            {rowTime(artifact.updated_at, today)}
          </time>
        </span>
        <span className={cx("truncate", inDrawer ? "text-13/18" : "text-12/18", quiet)}>{below || "\u00a0"}</span>
      </div>
      <span id={about} className="sr-only">
        {[artifact.is_pinned && "Pinned", fullTime(artifact.updated_at), below].filter(Boolean).join(". ")}
      </span>
    </div>
  );
});
