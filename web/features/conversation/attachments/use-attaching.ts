import { useCallback, useState } from "react";
import { type DraftFile, type DraftFiles, readyAttachments, useDraftFiles } from "#web/features/conversation/composer/draft-files.ts";
import { useDroppedFiles } from "#web/features/conversation/composer/use-dropped-files.ts";

export type Attaching = {
  draft: DraftFiles;
  /** Whether the draft's files can be sent as they are; a refused one is in no message's way, nor in any message. */
  files: "none" | "ready" | "waiting";
  hasPictures: boolean;
  /** True while files are held over the window. */
  isOver: boolean;
  paste: string | null;
  setPaste: (text: string | null) => void;
  add: (files: File[]) => void;
};

/** On its way, or stopped on it and to be tried again. */
function isAwaited(file: DraftFile): boolean {
  return file.kind === "uploading" || (file.kind === "failed" && file.canRetry);
}

/** What is attached to a draft and how more is: picked, pasted or dropped. The uploading itself loads with the first file. */
export function useAttaching(draftKey: string, refuse: (() => void) | null): Attaching {
  const draft = useDraftFiles(draftKey);
  const [pasted, setPasted] = useState<{ draftKey: string; text: string } | null>(null);
  const add = useCallback(
    (files: File[]) => {
      if (files.length === 0) return;
      if (refuse) refuse();
      else void import("./attach-files.ts").then(({ attachFiles }) => attachFiles(draftKey, files));
    },
    [draftKey, refuse],
  );
  const isOver = useDroppedFiles(add);
  const ready = readyAttachments(draft);
  return {
    draft,
    files: draft.files.some(isAwaited) ? "waiting" : ready.length > 0 ? "ready" : "none",
    hasPictures: ready.some(({ kind }) => kind === "image"),
    isOver,
    paste: pasted?.draftKey === draftKey ? pasted.text : null,
    setPaste: (text) => setPasted(text === null ? null : { draftKey, text }),
    add,
  };
}
