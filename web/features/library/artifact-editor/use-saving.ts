import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { putArtifactContent } from "#shared/contracts/artifacts.ts";
import type { ArtifactDetails } from "#shared/entities/artifact.ts";
import { showArtifact } from "#web/features/library/artifacts/change-artifact.ts";
import { readArtifact } from "#web/features/library/artifacts/use-artifact.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { call } from "#web/lib/api.ts";
import { openText } from "./open-text.ts";
import type { SaveState, Saving } from "./saving.ts";
import type { TextSource } from "#web/features/library/artifacts/text-source.ts";

export type Opened = { source: TextSource; saving: Saving; state: SaveState };

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
export function useSaving(artifact: ArtifactDetails, canEdit: boolean): Opened {
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
