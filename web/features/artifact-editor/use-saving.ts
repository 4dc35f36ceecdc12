import { useEffect, useRef, useState } from "react";
import { putArtifactContent } from "#shared/contracts/artifacts.ts";
import type { ArtifactDetails } from "#shared/entities/artifact.ts";
import { showArtifact } from "#web/features/artifacts/change-artifact.ts";
import { readArtifact } from "#web/features/artifacts/use-artifact.ts";
import { call } from "#web/lib/api.ts";
import { keepArtifactDraft, readArtifactDraft } from "./artifact-drafts.ts";
import { createSaving, type SaveState, type Saving } from "./saving.ts";
import { createTextSource, type TextSource } from "./text-source.ts";

export type Opened = { source: TextSource; saving: Saving; state: SaveState };

/** Opens an artifact's text to be shown and typed in: saves what is typed, takes in what others save, and keeps what cannot be saved. */
export function useSaving(artifact: ArtifactDetails, canEdit: boolean): Opened {
  const { id, version, content } = artifact;
  const [state, setState] = useState<SaveState>({ kind: "saved" });
  const [opened] = useState(() => open({ id, version, content, canEdit, onState: setState }));
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

type Opening = { id: string; version: number; content: string; canEdit: boolean; onState: (state: SaveState) => void };

function open({ id, version, content, canEdit, onState }: Opening) {
  const draft = canEdit ? readArtifactDraft(id) : null;
  const isDraft = draft !== null && draft.content !== content;
  const source = createTextSource(isDraft ? draft.content : content);
  const saving = createSaving({
    // A draft goes on from the version it began from: what others wrote since is merged where it is saved.
    base: isDraft ? { version: draft.version, content: draft.version === version ? content : "" } : { version, content },
    read: source.read,
    write: source.write,
    put: async (text, base_version) => {
      const answer = await call(putArtifactContent, { params: { id }, body: { content: text, base_version } });
      showArtifact(id, { version: answer.version, updated_at: answer.updated_at, content: answer.content ?? text });
      return answer;
    },
    latest: () => readArtifact(id),
    keep: (kept) => keepArtifactDraft(id, kept),
    onState,
    onSaved: () => {},
  });
  return { source, saving, isDraft };
}
