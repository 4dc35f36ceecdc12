import { Paperclip } from "lucide-react";
import { useRef } from "react";
import { ACCEPTED_FILES } from "#shared/attachment-rules.ts";
import { IconButton } from "#web/ui/icon-button.tsx";

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
