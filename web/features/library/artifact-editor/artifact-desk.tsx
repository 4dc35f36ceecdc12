import { type ReactNode, useEffect, useMemo, useRef, useState, type RefObject } from "react";
import { flushSync } from "react-dom";
import { useLocation, useNavigate } from "react-router";
import { artifactRights } from "#shared/artifacts.ts";
import { openedArtifact } from "#shared/contracts/artifacts.ts";
import type { ArtifactDetails } from "#shared/entities/artifact.ts";
import { ComparePane } from "#web/features/library/artifact-history/compare-pane.tsx";
import { ReviewPane } from "#web/features/library/artifact-history/review-pane.tsx";
import { VersionsPanel } from "#web/features/library/artifact-history/versions-panel.tsx";
import { parseFencedDocument } from "#web/features/library/artifact-kinds/kind-of.ts";
import { KindView, preloadKind } from "#web/features/library/artifact-kinds/kind-view.tsx";
import { outlineOf } from "#web/features/library/artifact-preview/outline.ts";
import { Preview } from "#web/features/library/artifact-preview/preview.tsx";
import { useParsedText } from "#web/features/library/artifact-preview/use-parsed-text.ts";
import { usePassage } from "#web/features/library/artifact-passage/use-passage.ts";
import { ARTIFACTS_PATH, artifactPath } from "#web/features/library/artifacts/artifact-paths.ts";
import { removeArtifact, showArtifact } from "#web/features/library/artifacts/change-artifact.ts";
import { useVersions } from "#web/features/library/artifacts/use-artifact.ts";
import { call } from "#web/lib/api.ts";
import { usePrinting } from "#web/lib/use-printing.ts";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { cx } from "#web/ui/cx.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { addPictures, hasPictures } from "./add-pictures.ts";
import { ArtifactHeader } from "./artifact-header.tsx";
import { ArtifactTitle } from "./artifact-title.tsx";
import { DeskMeta } from "./desk-meta.tsx";
import { firstView, storeView, type DeskView, SPLIT_PX } from "./desk-view.ts";
import type { OpenEditor } from "./open-editor.ts";
import { OutlinePanel } from "./outline-panel.tsx";
import type { SourcePaneProps } from "./source-pane.tsx";
import { useRestoreVersion } from "./use-restore-version.ts";
import { useReview } from "./use-review.tsx";
import { useSaving } from "./use-saving.ts";

const SourcePane = lazyPart<SourcePaneProps>(async () => (await import("./source-pane.tsx")).default);
const ShareDialog = lazyPart(async () => (await import("#web/features/library/artifact-sharing/artifact-share-dialog.tsx")).default);

type Side = "versions" | "outline" | null;
/** `during` is the review that was open then: it is covered as long as it stays that one. */
type Compared = { before: number | null; after: number; title: string; canRestore: boolean; during: string | null };

const CONFLICT_LABELS = {
  name: "Conflict",
  accept: "Take yours",
  accepted: "Yours",
  acceptAll: "Take all of yours",
  reject: "Keep theirs",
  rejected: "Theirs",
  rejectAll: "Keep all of theirs",
} as const;

/** Begins a chat with a document, and what to say about it. */
export type OpenInChat = (
  document: { title: string; content: string; text?: string },
  navigate: (path: string) => unknown,
) => Promise<void>;

/** An open artifact with all that is done with it. */
export function ArtifactDesk({ artifact, openInChat }: { artifact: ArtifactDetails; openInChat: OpenInChat }) {
  const { id, title, version } = artifact;
  const rights = artifactRights(artifact.permission_level);
  const navigate = useNavigate();
  const { source, saving, state } = useSaving(artifact, rights.edit);
  const parsed = useParsedText(source);
  const room = useRef<HTMLDivElement>(null);
  const canSplit = useDeskRoom(room);
  const [isNew] = useState(artifact.content === "");
  const [view, setView] = useState<DeskView>(() =>
    firstView({ isEmpty: isNew, canEdit: rights.edit, isNarrow: window.innerWidth < 1_000 }),
  );
  const [hasTyped, setHasTyped] = useState(view !== "preview");
  const [side, setSide] = useState<Side>(null);
  const asked = new URLSearchParams(useLocation().search).get("review");
  const [comparison, setCompared] = useState<Compared | null>(null);
  const compared = comparison?.during === asked ? comparison : null;
  const [dialog, setDialog] = useState<"share" | "delete" | null>(null);
  const [editor, setEditor] = useState<OpenEditor | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const versions = useVersions(id, true).data?.pages.flatMap((page) => page.versions) ?? [];
  const seen = useLastSeen(artifact);
  const passage = usePassage({ editor, source });
  const isPrinting = usePrinting();
  // There the panel at the side is all that is seen, and gives way to what is chosen in it.
  const isMobile = useIsMobile();
  const fitting = view === "split" && !canSplit ? "editor" : view;
  const shownView = isPrinting ? "preview" : fitting;
  const review = useReview({ artifact, versions, saving, source, canEdit: rights.edit, isWide: canSplit });
  const fenced = useMemo(() => parseFencedDocument(parsed.document.text), [parsed.document]);
  const kind = fenced?.kind;
  // Paper shows it, too, where only the source was on the screen.
  useEffect(() => {
    if (kind) preloadKind(kind);
  }, [kind]);
  const outline = useMemo(() => (side === "outline" ? outlineOf(parsed.document.blocks) : []), [side, parsed.document]);

  const show = (next: DeskView) => {
    storeView(next);
    setView(next);
    if (next !== "preview") setHasTyped(true);
    setCompared(null);
  };
  const restore = useRestoreVersion({ id, saving, onRestored: () => setCompared(null) });
  const exportAs = (format: "markdown" | "html" | "docx" | "pdf") => {
    // The menu is gone by the next frame.
    if (format === "pdf") requestAnimationFrame(() => requestAnimationFrame(() => print()));
    else
      void import("#web/features/library/artifact-export/export-artifact.ts").then(({ exportArtifact }) =>
        exportArtifact(format, { title, content: source.read() }),
      );
  };
  const askAbout = (error: string) =>
    void openInChat(
      {
        title,
        content: source.read(),
        // By its address a model finds the artifact itself, and need not write another.
        text: `The artifact “${title}” (${artifactPath(id)}) fails with this error. Mend it:\n\n> ${error.trim().replaceAll("\n", "\n> ")}\n`,
      },
      navigate,
    );
  const isPage = shownView === "preview";
  const panel = shownInstead();
  // Paper gets the text; the panel stays, with what was decided in it.
  const isTextShown = panel === null || isPrinting;
  const hasPanel = panel !== null;
  const hadPanel = useRef(false);
  useEffect(() => {
    const isClosed = hadPanel.current && !hasPanel;
    hadPanel.current = hasPanel;
    // What was pressed to close it is gone with it.
    if (!isClosed || (document.activeElement && document.activeElement !== document.body)) return;
    if (editor && !isPage) editor.focus();
    else scroller.current?.focus({ preventScroll: true });
  }, [hasPanel, editor, isPage]);
  return (
    <div ref={room} className="flex min-h-0 min-w-0 flex-1 flex-col print:block">
      <ArtifactHeader
        artifact={artifact}
        state={state}
        view={shownView}
        canEdit={rights.edit}
        canSplit={canSplit}
        hasHistory={side === "versions"}
        hasOutline={side === "outline"}
        onView={show}
        onHistory={() => setSide(side === "versions" ? null : "versions")}
        onOutline={() => setSide(side === "outline" ? null : "outline")}
        onFind={editor && !isPage ? editor.find : null}
        onShare={() => setDialog("share")}
        onExport={exportAs}
        onChat={() => void openInChat({ title, content: source.read() }, navigate)}
        onDelete={() => setDialog("delete")}
      />
      <div className="flex min-h-0 min-w-0 flex-1 print:block">
        <div className={cx("flex min-h-0 min-w-0 flex-1 flex-col print:block", side !== null && "max-desk:hidden print:max-desk:block")}>
          {!(isPage && isTextShown) && (
            <div className="shrink-0 space-y-4 px-16 pb-12 desk:px-24">
              <ArtifactTitle artifact={artifact} canEdit={rights.edit} isLarge={false} />
              <DeskMeta artifact={artifact} latest={versions[0] ?? null} wordCount={parsed.wordCount} onSeen={seenAction()} />
            </div>
          )}
          {panel !== null && (
            <div data-print="hide" className={isPrinting ? "hidden" : "contents"}>
              {panel}
            </div>
          )}
          {panel === null && !isPrinting && review.bar}
          {/* Kept while something else is shown in its place: with its caret, its way back, and what is on its way into it. */}
          <div className={cx("min-h-0 min-w-0 flex-1 print:block", isTextShown ? "flex" : "hidden", !isPage && "border-t border-line")}>
            {hasTyped && rights.edit && (
              <div
                data-print="hide"
                className={cx("min-h-0 min-w-0 flex-1", isPage && "hidden", shownView === "split" && "border-r border-line")}
              >
                <SourcePane
                  source={source}
                  isReadOnly={!rights.edit}
                  takesFocus={isNew}
                  onFiles={(files, held) => {
                    if (!hasPictures(files)) return false;
                    void addPictures(id, files, held);
                    return true;
                  }}
                  onSave={() => void saving.flush()}
                  onEditor={setEditor}
                />
              </div>
            )}
            {(isPage || shownView === "split") && (
              <div
                ref={scroller}
                // What scrolls must be reachable.
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
                tabIndex={0}
                role="region"
                aria-label="Preview"
                data-print="sheet"
                className="min-h-0 min-w-0 flex-1 overflow-y-auto outline-none print:overflow-visible"
              >
                <div
                  className={cx(
                    "mx-auto flex min-h-full w-full flex-col print:block print:max-w-none",
                    isPage ? "max-w-768 px-16 pt-28 pb-96 desk:pt-40 desk:px-24 print:p-0" : "px-24 py-16",
                  )}
                >
                  {isPage && (
                    <div className="mb-24 space-y-8">
                      <ArtifactTitle artifact={artifact} canEdit={rights.edit} isLarge />
                      <DeskMeta artifact={artifact} latest={versions[0] ?? null} wordCount={parsed.wordCount} onSeen={seenAction()} />
                    </div>
                  )}
                  {fenced ? (
                    <KindView artifactId={id} fenced={fenced} title={title} onAsk={askAbout} />
                  ) : parsed.document.text.trim() === "" ? (
                    <p className="text-15 text-ink3">Nothing is written here yet.</p>
                  ) : (
                    <Preview document={parsed.document} scroller={scroller} drawsAllBlocks={isPrinting} passage={passage} />
                  )}
                </div>
              </div>
            )}
          </div>
        </div>
        {side !== null && (
          <aside data-print="hide" className="min-h-0 w-full shrink-0 border-line desk:w-276 desk:border-l">
            {side === "outline" ? (
              <OutlinePanel
                entries={outline}
                onClose={() => setSide(null)}
                onGo={(entry) => {
                  if (isMobile) flushSync(() => setSide(null));
                  if (editor && !isPage) editor.goTo(entry.start);
                  else scrollToHeading(scroller.current, outline.indexOf(entry));
                }}
              />
            ) : (
              <VersionsPanel
                id={id}
                current={version}
                canEdit={rights.edit}
                shown={compared?.after ?? null}
                onShow={({ version: after }, before) => {
                  if (isMobile) setSide(null);
                  setCompared({
                    before: before?.version ?? null,
                    after,
                    title: before ? `Version ${after}, against version ${before.version}` : `Version ${after}`,
                    canRestore: after !== version,
                    during: asked,
                  });
                }}
                onRestore={restore.mutate}
                restoring={restore.isPending ? restore.variables : null}
                onClose={() => setSide(null)}
              />
            )}
          </aside>
        )}
      </div>
      <ShareDialog artifact={artifact} open={dialog === "share"} onOpenChange={(open) => setDialog(open ? "share" : null)} />
      <ConfirmDialog
        open={dialog === "delete"}
        onOpenChange={(open) => setDialog(open ? "delete" : null)}
        title="Delete this artifact?"
        confirm="Delete"
        onConfirm={() => {
          void removeArtifact(id).then((isDeleted) => (isDeleted ? navigate(ARTIFACTS_PATH) : setDialog(null)));
        }}
      >
        All its versions and pictures go with it, for everybody it is shared with.
      </ConfirmDialog>
    </div>
  );

  /** What stands in the text's place while it is asked for: what others changed meanwhile, a review, a comparison. */
  function shownInstead(): ReactNode {
    if (state.kind === "conflict") {
      const { version: theirs, content } = state.theirs;
      return (
        <ReviewPane
          key={`conflict ${theirs}`}
          before={content}
          after={source.read()}
          labels={CONFLICT_LABELS}
          isWide={canSplit}
          title="Others changed the same lines while you wrote. Theirs is red, yours is green: nothing is lost until you choose."
          onChange={null}
          onDone={() => {}}
          onChosen={(text) => void saving.resolve(text)}
        />
      );
    }
    if (!compared) return review.shown ? review.pane : null;
    const { before, after, title: name, canRestore } = compared;
    return (
      <ComparePane
        key={`${before} ${after}`}
        id={id}
        before={before}
        after={after}
        title={name}
        onRestore={canRestore && rights.edit ? () => restore.mutate(after) : null}
        onClose={() => setCompared(null)}
      />
    );
  }

  function seenAction(): (() => void) | null {
    if (seen === null) return null;
    return () =>
      setCompared({ before: seen, after: version, title: "What changed since you last looked", canRestore: false, during: asked });
  }
}

/** The version that the reader looked at before this time, where others are newer; what is open now is noted as seen. */
function useLastSeen({ id, version, seen_version: before }: ArtifactDetails): number | null {
  // What changes from now on is seen as it comes.
  const [seen] = useState(before !== null && before < version ? before : null);
  useEffect(() => {
    // That it was looked at matters to nobody else: where reporting it fails, the next look reports more.
    call(openedArtifact, { params: { id }, body: { version } }).then(
      () => showArtifact(id, { seen_version: version }),
      () => undefined,
    );
  }, [id, version]);
  return seen;
}

function scrollToHeading(box: HTMLElement | null, index: number): void {
  const heading = box?.querySelectorAll<HTMLElement>(".markdown-run > .markdown-heading")[index];
  heading?.scrollIntoView({ block: "start" });
}

/** Whether source and preview fit beside each other. */
function useDeskRoom(box: RefObject<HTMLElement | null>): boolean {
  const [isWide, setIsWide] = useState(() => window.innerWidth >= SPLIT_PX + 288);
  useEffect(() => {
    if (!box.current) return undefined;
    const watch = new ResizeObserver(([entry]) => entry && setIsWide(entry.contentRect.width >= SPLIT_PX));
    watch.observe(box.current);
    return () => watch.disconnect();
  }, [box]);
  return isWide;
}
