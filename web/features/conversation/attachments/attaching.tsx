import { Paperclip } from "lucide-react";
import { useRef, useCallback, useState, useEffect } from "react";
import { ACCEPTED_FILES } from "#shared/attachment-rules.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { type DraftFile, type DraftFiles, readyAttachments, useDraftFiles } from "#web/features/conversation/composer/draft-files.ts";

/** Opens the file picker; where nothing may be attached, `onOpen` says so by answering false. */
export function AttachButton({ onOpen, onFiles }: { onOpen: () => boolean; onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton
        label="Attach files"
        icon={Paperclip}
        className="touch:max-[520px]:w-36!"
        onClick={() => onOpen() && input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={ACCEPTED_FILES}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // The same file may be chosen again.
          currentTarget.value = "";
        }}
      />
    </>
  );
}

/** Shows while files are held over the chat that they can be let go. */
export function DropOverlay() {
  return (
    <div aria-hidden className="pointer-events-none fixed inset-0 z-40 flex items-center justify-center bg-bg/80">
      <p className="flex items-center gap-10 rounded-18 border border-dashed border-line-strong bg-s2 px-28 py-20 text-16 font-medium text-ink shadow-overlay">
        <Paperclip className="size-20 text-accent" />
        Drop files to attach them
      </p>
    </div>
  );
}

type Attaching = {
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

/** Takes files dropped anywhere on the window, as people don't aim; answers whether some are held over it. */
function useDroppedFiles(onFiles: (files: File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const options = { signal: stop.signal };
    // Each element under the pointer is entered and left by itself.
    let depth = 0;
    const count = (event: DragEvent, step: number) => {
      if (!hasFiles(event)) return;
      depth = Math.max(0, depth + step);
      setIsOver(depth > 0);
    };
    window.addEventListener("dragenter", (event) => count(event, 1), options);
    window.addEventListener("dragleave", (event) => count(event, -1), options);
    window.addEventListener(
      "dragover",
      (event) => {
        // Else the browser would open the file in the chat's place.
        if (hasFiles(event)) event.preventDefault();
      },
      options,
    );
    window.addEventListener(
      "drop",
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        depth = 0;
        setIsOver(false);
        onFiles([...(event.dataTransfer?.files ?? [])]);
      },
      options,
    );
    return () => stop.abort();
  }, [onFiles]);
  return isOver;
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") === true;
}
