import { type RefObject, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useNavigate } from "react-router";
import { History, Users, X } from "lucide-react";
import type { ArtifactDetails, Artifact, ArtifactVersion } from "#shared/entities/artifact.ts";
import { putArtifactFile } from "#shared/contracts/artifacts.ts";
import { ARTIFACT_FILE_BYTES, ARTIFACT_TITLE_LENGTH } from "#shared/limits.ts";
import { UNTITLED_ARTIFACT } from "#shared/artifacts.ts";
import { plainName } from "#shared/shown-text.ts";
import { ComparePane } from "#web/features/library/artifact-history/compare-pane.tsx";
import { ReviewPane } from "#web/features/library/artifact-history/review-pane.tsx";
import { VersionsPanel } from "#web/features/library/artifact-history/versions-panel.tsx";
import { KindView } from "#web/features/library/artifact-kinds/kind-view.tsx";
import { outlineOf, type OutlineEntry } from "#web/features/library/artifact-preview/outline.ts";
import { Preview } from "#web/features/library/artifact-preview/preview.tsx";
import { ARTIFACTS_PATH } from "#web/features/library/artifacts/artifact-paths.ts";
import { removeArtifact, changeArtifact } from "#web/features/library/artifacts/change-artifact.ts";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { cx } from "#web/ui/cx.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { upload } from "#web/lib/upload.ts";
import { toast, toastFailure } from "#web/ui/toast/toast.tsx";
import { sharedBy } from "#web/features/library/artifacts/artifact-labels.ts";
import { relativeTime } from "#web/lib/relative-time.ts";
import { useAuthorName } from "#web/features/library/artifact-history/version-author.tsx";
import { useMinute } from "#web/lib/use-minute.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { useAutosize } from "#web/lib/use-autosize.ts";
import { ArtifactHeader } from "./artifact-header.tsx";
import type { SourcePaneProps } from "./source-pane.tsx";
import { type Desk, type OpenInChat, useDesk } from "./use-desk.ts";
import type { OpenEditor } from "./open-editor.ts";

const SourcePane = lazyPart<SourcePaneProps>(async () => (await import("./source-pane.tsx")).default);
const ShareDialog = lazyPart(async () => (await import("#web/features/library/artifact-sharing/artifact-share-dialog.tsx")).default);

const CONFLICT_LABELS = {
  name: "Conflict",
  accept: "Take yours",
  accepted: "Yours",
  acceptAll: "Take all of yours",
  reject: "Keep theirs",
  rejected: "Theirs",
  rejectAll: "Keep all of theirs",
} as const;

/** An open artifact with all that is done with it. */
export function ArtifactDesk({ artifact, openInChat }: { artifact: ArtifactDetails; openInChat: OpenInChat }) {
  const room = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const desk = useDesk({ artifact, openInChat, room, scroller });
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<"share" | "delete" | null>(null);
  const { side, setSide, editor, isPage, isPrinting, hasPanel } = desk;
  return (
    <div ref={room} className="flex min-h-0 min-w-0 flex-1 flex-col print:block">
      <ArtifactHeader
        artifact={artifact}
        state={desk.state}
        view={desk.shownView}
        canEdit={desk.canEdit}
        canSplit={desk.canSplit}
        hasHistory={side === "versions"}
        hasOutline={side === "outline"}
        onView={desk.show}
        onHistory={() => setSide(side === "versions" ? null : "versions")}
        onOutline={() => setSide(side === "outline" ? null : "outline")}
        onFind={editor && !isPage ? editor.find : null}
        onShare={() => setDialog("share")}
        onExport={desk.exportAs}
        onChat={desk.beginChat}
        onDelete={() => setDialog("delete")}
      />
      <div className="flex min-h-0 min-w-0 flex-1 print:block">
        <div className={cx("flex min-h-0 min-w-0 flex-1 flex-col print:block", side !== null && "max-desk:hidden print:max-desk:block")}>
          {!(isPage && desk.isTextShown) && (
            <div className="shrink-0 space-y-4 px-16 pb-12 desk:px-24">
              <Heading desk={desk} isLarge={false} />
            </div>
          )}
          {hasPanel && (
            <div data-print="hide" className={isPrinting ? "hidden" : "contents"}>
              <PanelInstead desk={desk} />
            </div>
          )}
          {!hasPanel && !isPrinting && desk.review.bar}
          <Text desk={desk} scroller={scroller} />
        </div>
        {side !== null && (
          <aside data-print="hide" className="min-h-0 w-full shrink-0 border-line desk:w-276 desk:border-l">
            {side === "outline" ? <Outline desk={desk} scroller={scroller} /> : <Versions desk={desk} />}
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
          void removeArtifact(artifact.id).then((isDeleted) => (isDeleted ? navigate(ARTIFACTS_PATH) : setDialog(null)));
        }}
      >
        All its versions and pictures go with it, for everybody it is shared with.
      </ConfirmDialog>
    </div>
  );
}

function Heading({ desk, isLarge }: { desk: Desk; isLarge: boolean }) {
  const { artifact, canEdit, latest, parsed, showUnseen } = desk;
  return (
    <>
      <ArtifactTitle artifact={artifact} canEdit={canEdit} isLarge={isLarge} />
      <DeskMeta artifact={artifact} latest={latest} wordCount={parsed.wordCount} onSeen={showUnseen} />
    </>
  );
}

/** What stands in the text's place while it is asked for: what others changed meanwhile, a review, a comparison. */
function PanelInstead({ desk }: { desk: Desk }) {
  const { artifact, canEdit, canSplit, source, saving, state, compared, closeComparison, review, restore } = desk;
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
  if (!compared) return review.pane;
  const { before, after, title, canRestore } = compared;
  return (
    <ComparePane
      key={`${before} ${after}`}
      id={artifact.id}
      before={before}
      after={after}
      title={title}
      onRestore={canRestore && canEdit ? () => restore.mutate(after) : null}
      onClose={closeComparison}
    />
  );
}

type WithScroller = { desk: Desk; scroller: RefObject<HTMLDivElement | null> };

/** Source, preview or both. Kept while something else is shown in its place: with its caret, its way back, and what is on its way into it. */
function Text({ desk, scroller }: WithScroller) {
  const { artifact, canEdit, source, saving, isNew, hasTyped, setEditor, isTextShown, shownView, isPage } = desk;
  return (
    <div className={cx("min-h-0 min-w-0 flex-1 print:block", isTextShown ? "flex" : "hidden", !isPage && "border-t border-line")}>
      {hasTyped && canEdit && (
        <div
          data-print="hide"
          className={cx("min-h-0 min-w-0 flex-1", isPage && "hidden", shownView === "split" && "border-r border-line")}
        >
          <SourcePane
            source={source}
            isReadOnly={!canEdit}
            takesFocus={isNew}
            onFiles={(files, held) => {
              if (!hasPictures(files)) return false;
              void addPictures(artifact.id, files, held);
              return true;
            }}
            onSave={() => void saving.flush()}
            onEditor={setEditor}
          />
        </div>
      )}
      {(isPage || shownView === "split") && <Page desk={desk} scroller={scroller} />}
    </div>
  );
}

/** The text as it reads, as a page of its own or beside its source. */
function Page({ desk, scroller }: WithScroller) {
  const { artifact, parsed, fenced, isPage, isPrinting, passage, askAbout } = desk;
  return (
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
            <Heading desk={desk} isLarge />
          </div>
        )}
        {fenced ? (
          <KindView artifactId={artifact.id} fenced={fenced} title={artifact.title} onAsk={askAbout} />
        ) : parsed.document.text.trim() === "" ? (
          <p className="text-15 text-ink3">Nothing is written here yet.</p>
        ) : (
          <Preview document={parsed.document} scroller={scroller} drawsAllBlocks={isPrinting} passage={passage} />
        )}
      </div>
    </div>
  );
}

function Outline({ desk, scroller }: WithScroller) {
  const { parsed, setSide, editor, isPage } = desk;
  const outline = useMemo(() => outlineOf(parsed.document.blocks), [parsed.document]);
  const isMobile = useIsMobile();
  return (
    <OutlinePanel
      entries={outline}
      onClose={() => setSide(null)}
      onGo={(entry) => {
        // There it is all that is seen, and gives way to what is chosen in it.
        if (isMobile) flushSync(() => setSide(null));
        if (editor && !isPage) editor.goTo(entry.start);
        else scrollToHeading(scroller.current, outline.indexOf(entry));
      }}
    />
  );
}

function Versions({ desk }: { desk: Desk }) {
  const { artifact, canEdit, compared, compare, setSide, restore } = desk;
  const isMobile = useIsMobile();
  return (
    <VersionsPanel
      id={artifact.id}
      current={artifact.version}
      canEdit={canEdit}
      shown={compared?.after ?? null}
      onShow={({ version }, before) => {
        if (isMobile) setSide(null);
        compare(before?.version ?? null, version, before ? `Version ${version}, against version ${before.version}` : `Version ${version}`);
      }}
      onRestore={restore.mutate}
      restoring={restore.isPending ? restore.variables : null}
      onClose={() => setSide(null)}
    />
  );
}

function scrollToHeading(box: HTMLElement | null, index: number): void {
  const heading = box?.querySelectorAll<HTMLElement>(".markdown-run > .markdown-heading")[index];
  heading?.scrollIntoView({ block: "start" });
}

const PICTURE = /^image\/(?:png|jpeg|gif|webp)$/;

/** Whether any of these files is a picture that an artifact can hold. */
function hasPictures(files: readonly File[]): boolean {
  return files.some(({ type }) => PICTURE.test(type));
}

/** Uploads pictures as files of an artifact, each with a mark in the text that gives way to it when it has arrived. */
async function addPictures(id: string, files: readonly File[], editor: OpenEditor): Promise<void> {
  for (const file of files.filter(({ type }) => PICTURE.test(type))) {
    const name = (file.name || "Picture").replaceAll(/[[\]\n]/g, " ");
    const fileId = crypto.randomUUID();
    const mark = `![Uploading ${name}](${fileId})`;
    if (file.size > ARTIFACT_FILE_BYTES) {
      toast({ tone: "danger", title: `${name} was not added`, description: "A picture may have up to 5 MB." });
      continue;
    }
    editor.insertBlock(mark);
    try {
      await upload(
        putArtifactFile,
        { params: { id, fileId }, query: { name } },
        { body: file, signal: new AbortController().signal, onProgress: () => {} },
      );
      editor.replaceOnce(mark, `![${name}](/api/artifacts/${id}/files/${fileId})`);
    } catch (error) {
      editor.replaceOnce(mark, "");
      toastFailure(`${name} was not added`, error);
    }
  }
}

type DeskMetaProps = { artifact: Artifact; latest: ArtifactVersion | null; wordCount: number; onSeen: (() => void) | null };

const NOBODY = { author_id: null, author_name: "", model_id: null };

/** What is known of an artifact below its title: when and by whom it was written last, its length, its version, who reaches it. */
function DeskMeta({ artifact, latest, wordCount, onSeen }: DeskMetaProps) {
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

const INDENTS = ["pl-12", "pl-12", "pl-24", "pl-36", "pl-48", "pl-48", "pl-48"] as const;

type OutlinePanelProps = { entries: readonly OutlineEntry[]; onGo: (entry: OutlineEntry) => void; onClose: () => void };

/** The headings of an artifact, each a way to its place. */
function OutlinePanel({ entries, onGo, onClose }: OutlinePanelProps) {
  return (
    <nav aria-label="Outline" className="flex h-full min-h-0 w-full flex-col">
      <div className="flex h-52 shrink-0 items-center justify-between pr-10 pl-24">
        <h2 className="text-13 font-medium text-ink">Outline</h2>
        <IconButton label="Close outline" icon={X} tooltip="Close" onClick={onClose} />
      </div>
      {entries.length === 0 ? (
        <p className="px-24 text-13 text-ink2">Headings of the text stand here.</p>
      ) : (
        <ul className="min-h-0 flex-1 overflow-y-auto px-12 pb-24">
          {entries.map((entry) => (
            <li key={entry.key}>
              <button
                type="button"
                onClick={() => onGo(entry)}
                className={cx(
                  "block min-h-32 w-full truncate rounded-8 py-6 pr-12 text-left text-13 hover:bg-s3 hover:text-ink touch:min-h-44",
                  INDENTS[entry.depth] ?? "pl-48",
                  entry.depth === 1 ? "font-medium text-ink" : "text-ink2",
                )}
              >
                {entry.text}
              </button>
            </li>
          ))}
        </ul>
      )}
    </nav>
  );
}

type ArtifactTitleProps = { artifact: Artifact; canEdit: boolean; isLarge: boolean };

/** The title, renamed in place. */
function ArtifactTitle({ artifact, canEdit, isLarge }: ArtifactTitleProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useAutosize(field);
  const look = cx("w-full font-serif text-ink", isLarge ? "text-28" : "text-21");
  if (!canEdit) return <h1 className={look}>{artifact.title}</h1>;
  const save = () => {
    setTyped(null);
    const title = typed === null ? artifact.title : plainName(typed);
    if (typed !== null && title !== artifact.title) void changeArtifact(artifact, { title: title || UNTITLED_ARTIFACT });
  };
  return (
    <h1 className="min-w-0">
      <span className="sr-only font-serif text-28 print:not-sr-only">{artifact.title}</span>
      {/* As many lines as it needs; it has no line breaks of its own. */}
      <textarea
        ref={field}
        aria-label="Title"
        data-print="hide"
        data-large
        rows={1}
        value={typed ?? artifact.title}
        maxLength={ARTIFACT_TITLE_LENGTH}
        onChange={(event) => setTyped(event.target.value.replaceAll("\n", " "))}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            setTyped(null);
            event.stopPropagation();
          }
          if (event.key === "Enter" && !event.nativeEvent.isComposing) {
            event.preventDefault();
            event.currentTarget.blur();
          }
        }}
        className={cx(look, "-ml-6 block resize-none rounded-6 bg-transparent px-6 [field-sizing:content] hover:bg-s1 focus:bg-s1")}
      />
    </h1>
  );
}
