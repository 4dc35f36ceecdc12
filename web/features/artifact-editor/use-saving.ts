import { useEffect, useRef, useState } from "react";
import { putArtifactContent } from "#shared/contracts/artifacts.ts";
import type { ArtifactDetails } from "#shared/entities/artifact.ts";
import { showArtifact } from "#web/features/artifacts/change-artifact.ts";
import { readArtifact } from "#web/features/artifacts/use-artifact.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { call } from "#web/lib/api.ts";
import { openText } from "./open-text.ts";
import type { SaveState, Saving } from "./saving.ts";
import type { TextSource } from "./text-source.ts";

export type Opened = { source: TextSource; saving: Saving; state: SaveState };

/** Opens an artifact's text to be shown and typed in: saves what is typed, takes in what others save, and keeps what cannot be saved. */
export function useSaving(artifact: ArtifactDetails, canEdit: boolean): Opened {
  const { id, version, content } = artifact;
  const [state, setState] = useState<SaveState>({ kind: "saved" });
  const { user } = useSession();
  const [opened] = useState(() =>
    openText({
      artifact: { id, version, content },
      writerId: canEdit ? (user?.id ?? null) : null,
      put: async (text, base_version) => {
        const answer = await call(putArtifactContent, { params: { id }, body: { content: text, base_version } });
        showArtifact(id, { version: answer.version, updated_at: answer.updated_at, content: answer.content ?? text });
        return answer;
      },
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
