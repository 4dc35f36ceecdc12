import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { useMutation } from "@tanstack/react-query";
import { artifactRights } from "#shared/artifacts.ts";
import { openedArtifact, restoreArtifact, putArtifactContent } from "#shared/contracts/artifacts.ts";
import type { ArtifactDetails } from "#shared/entities/artifact.ts";
import { parseFencedDocument } from "#web/features/library/artifact-kinds/kind-of.ts";
import { preloadKind } from "#web/features/library/artifact-kinds/kind-view.tsx";
import { usePassage } from "#web/features/library/artifact-passage/use-passage.ts";
import { useParsedText } from "#web/features/library/artifact-preview/use-parsed-text.ts";
import { artifactPath } from "#web/features/library/artifacts/artifact-paths.ts";
import { showArtifact } from "#web/features/library/artifacts/change-artifact.ts";
import { useVersions, readArtifact } from "#web/features/library/artifacts/use-artifact.ts";
import { call } from "#web/lib/api.ts";
import { usePrinting } from "#web/lib/use-printing.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast, toastFailure } from "#web/ui/toast/toast.tsx";
import { useSession } from "#web/features/people/session/use-session.ts";
import type { TextSource } from "#web/features/library/artifacts/text-source.ts";
import { type DeskView, firstView, SPLIT_PX, storeView } from "./desk-view.ts";
import type { OpenEditor } from "./open-editor.ts";
import { useReview } from "./use-review.tsx";
import type { Saving, SaveState } from "./saving.ts";
import { openText } from "./artifact-drafts.ts";

type Side = "versions" | "outline" | null;
/** `during` is the review that was open then: it is covered as long as it stays that one. */
type Compared = { before: number | null; after: number; title: string; canRestore: boolean; during: string | null };

/** Begins a chat with a document, and what to say about it. */
export type OpenInChat = (
  document: { title: string; content: string; text?: string },
  navigate: (path: string) => unknown,
) => Promise<void>;

/** `room` holds all of it, `scroller` the text as it reads. */
type OpenDesk = {
  artifact: ArtifactDetails;
  openInChat: OpenInChat;
  room: RefObject<HTMLElement | null>;
  scroller: RefObject<HTMLElement | null>;
};

/** An open artifact: what is seen of it, and what is done with it. */
export type Desk = ReturnType<typeof useDesk>;

export function useDesk({ artifact, openInChat, room, scroller }: OpenDesk) {
  const { id, title, version } = artifact;
  const { edit: canEdit } = artifactRights(artifact.permission_level);
  const navigate = useNavigate();
  const { source, saving, state } = useSaving(artifact, canEdit);
  const parsed = useParsedText(source);
  const canSplit = useDeskRoom(room);
  const [isNew] = useState(artifact.content === "");
  const [view, setView] = useState<DeskView>(() => firstView({ isEmpty: isNew, canEdit, isNarrow: window.innerWidth < 1_000 }));
  const [hasTyped, setHasTyped] = useState(view !== "preview");
  const [side, setSide] = useState<Side>(null);
  const asked = new URLSearchParams(useLocation().search).get("review");
  const [comparison, setCompared] = useState<Compared | null>(null);
  const compared = comparison?.during === asked ? comparison : null;
  const [editor, setEditor] = useState<OpenEditor | null>(null);
  const versions = useVersions(id, true).data?.pages.flatMap((page) => page.versions) ?? [];
  const seen = useLastSeen(artifact);
  const passage = usePassage({ editor, source });
  const isPrinting = usePrinting();
  const fitting = view === "split" && !canSplit ? "editor" : view;
  const shownView = isPrinting ? "preview" : fitting;
  const isPage = shownView === "preview";
  const review = useReview({ artifact, versions, saving, source, canEdit, isWide: canSplit });
  const restore = useRestoreVersion({ id, saving, onRestored: () => setCompared(null) });
  const fenced = useMemo(() => parseFencedDocument(parsed.document.text), [parsed.document]);
  const kind = fenced?.kind;
  // Paper shows it, too, where only the source was on the screen.
  useEffect(() => {
    if (kind) preloadKind(kind);
  }, [kind]);
  const hasPanel = state.kind === "conflict" || compared !== null || review.shown;
  const hadPanel = useRef(false);
  useEffect(() => {
    const isClosed = hadPanel.current && !hasPanel;
    hadPanel.current = hasPanel;
    // What was pressed to close it is gone with it.
    if (!isClosed || (document.activeElement && document.activeElement !== document.body)) return;
    if (editor && !isPage) editor.focus();
    else scroller.current?.focus({ preventScroll: true });
  }, [hasPanel, editor, isPage, scroller]);

  const compare = (before: number | null, after: number, name: string) =>
    setCompared({ before, after, title: name, canRestore: after !== version, during: asked });
  return {
    artifact,
    canEdit,
    source,
    saving,
    state,
    parsed,
    fenced,
    canSplit,
    isNew,
    hasTyped,
    side,
    setSide,
    compared,
    compare,
    closeComparison: () => setCompared(null),
    editor,
    setEditor,
    latest: versions[0] ?? null,
    passage,
    isPrinting,
    shownView,
    isPage,
    review,
    restore,
    hasPanel,
    // Paper gets the text; the panel stays, with what was decided in it.
    isTextShown: !hasPanel || isPrinting,
    /** Shows what changed since the reader last looked; null where they have seen all. */
    showUnseen: seen === null ? null : () => compare(seen, version, "What changed since you last looked"),
    show(next: DeskView) {
      storeView(next);
      setView(next);
      if (next !== "preview") setHasTyped(true);
      setCompared(null);
    },
    exportAs(format: "markdown" | "html" | "docx" | "pdf") {
      // The menu is gone by the next frame.
      if (format === "pdf") requestAnimationFrame(() => requestAnimationFrame(() => print()));
      else
        void import("#web/features/library/artifact-export/export-artifact.ts").then(({ exportArtifact }) =>
          exportArtifact(format, { title, content: source.read() }),
        );
    },
    beginChat: () => void openInChat({ title, content: source.read() }, navigate),
    askAbout: (error: string) =>
      void openInChat(
        {
          title,
          content: source.read(),
          // By its address a model finds the artifact itself, and need not write another.
          text: `The artifact “${title}” (${artifactPath(id)}) fails with this error. Mend it:\n\n> ${error.trim().replaceAll("\n", "\n> ")}\n`,
        },
        navigate,
      ),
  };
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

/** Makes a version of an artifact its newest again, after what was typed is saved. */
function useRestoreVersion({ id, saving, onRestored }: { id: string; saving: Saving; onRestored: () => void }) {
  return useMutation({
    mutationFn: async (version: number) => {
      await saving.flush();
      return call(restoreArtifact, { params: { id }, body: { version } });
    },
    onSuccess: async ({ artifact }, version) => {
      showArtifact(id, artifact);
      saving.arrived({ version: artifact.version, content: artifact.content });
      onRestored();
      await queryClient.invalidateQueries({ queryKey: keys.artifactVersions(id) });
      toast({ tone: "success", title: `Version ${version} is restored` });
    },
    onError: (error) => toastFailure("The version was not restored", error),
  });
}

type Opened = { source: TextSource; saving: Saving; state: SaveState };

/** Saves an artifact's text; without a network it fails at once, and the text is kept here meanwhile. */
function useSaveContent(id: string) {
  return useMutation({
    networkMode: "always",
    mutationFn: ({ text, baseVersion }: { text: string; baseVersion: number }) =>
      call(putArtifactContent, { params: { id }, body: { content: text, base_version: baseVersion } }),
    onSuccess: ({ version, updated_at, content }, { text }) => showArtifact(id, { version, updated_at, content: content ?? text }),
  });
}

/** Opens an artifact's text to be shown and typed in: saves what is typed, takes in what others save, and keeps what cannot be saved. */
function useSaving(artifact: ArtifactDetails, canEdit: boolean): Opened {
  const { id, version, content } = artifact;
  const [state, setState] = useState<SaveState>({ kind: "saved" });
  const { user } = useSession();
  const { mutateAsync: save } = useSaveContent(id);
  const [opened] = useState(() =>
    openText({
      artifact: { id, version, content },
      writerId: canEdit ? (user?.id ?? null) : null,
      put: (text, baseVersion) => save({ text, baseVersion }),
      latest: () => readArtifact(id),
      onState: setState,
    }),
  );
  const { source, saving } = opened;

  useEffect(() => saving.arrived({ version, content }), [saving, version, content]);
  const wasDraft = useRef(opened.isDraft);
  useEffect(() => {
    const stop = source.subscribe((isTyped) => isTyped && saving.changed());
    if (wasDraft.current) saving.changed();
    wasDraft.current = false;
    const hide = () => {
      saving.keepNow();
      if (document.visibilityState === "hidden") void saving.flush();
    };
    const online = () => void saving.flush();
    document.addEventListener("visibilitychange", hide);
    window.addEventListener("pagehide", saving.keepNow);
    window.addEventListener("online", online);
    return () => {
      document.removeEventListener("visibilitychange", hide);
      window.removeEventListener("pagehide", saving.keepNow);
      window.removeEventListener("online", online);
      stop();
      saving.keepNow();
      void saving.flush();
    };
  }, [source, saving]);
  return { source, saving, state };
}
