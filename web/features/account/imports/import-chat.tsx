import { useEffect, useRef, useState } from "react";
import { Button } from "#web/ui/button.tsx";
import { LedgerRow } from "#web/ui/ledger.tsx";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { APP_NAME } from "#shared/app.ts";
import { importChat } from "#shared/contracts/chat/copies.ts";
import { IMPORT_BYTES } from "#shared/limits.ts";
import { ApiError } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { upload } from "#web/lib/upload.ts";
import { toast } from "#web/ui/toast/toast.tsx";

const TOO_LARGE = `This file is too large: at most ${IMPORT_BYTES / 1_000_000} MB can be imported.`;

const NO_JSON = `This is not a chat that was exported from ${APP_NAME}.`;

/** Sends an exported chat to become one's own and opens it; who has gone elsewhere meanwhile is notified. `progress` is the part that has gone out, 0 to 1. */
function useImport() {
  const navigate = useNavigate();
  const [progress, setProgress] = useState(0);
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const sending = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > IMPORT_BYTES) throw new Error(TOO_LARGE);
      setProgress(0);
      // The file goes out as it is: its schema is where it arrives.
      const body = { body: file, type: "application/json", signal: new AbortController().signal, onProgress: setProgress };
      return (await upload(importChat, {}, body).catch(rethrowReadable)).chat;
    },
    onSuccess: (chat) => {
      queryClient.setQueryData(keys.chat(chat.id), { chat });
      const open = () => void navigate(`/c/${chat.id}`, { replace: isHere.current });
      if (isHere.current) open();
      else toast({ tone: "success", title: "Chat imported", description: chat.title, action: { label: "Open", onClick: open } });
    },
    onError: (error) => {
      if (!isHere.current) toast({ tone: "danger", title: "Failed to import chat", description: error.message });
    },
  });
  return { progress, isBusy: sending.isPending, error: sending.error?.message ?? null, start: (file: File) => sending.mutate(file) };
}

/** Who picked a file knows of no request and its body. */
function rethrowReadable(error: unknown): never {
  throw error instanceof ApiError && error.code === "INVALID_JSON" ? new Error(NO_JSON) : error;
}

/** Picks an exported chat, shows how far it is, and says why where it cannot be imported; in Settings > General, which guests do not have. */
export function ImportChat() {
  const { progress, isBusy, error, start } = useImport();
  const input = useRef<HTMLInputElement>(null);
  const percent = Math.round(progress * 100);
  const failure = error !== null && !isBusy ? `Failed to import chat. ${error}` : null;
  return (
    <LedgerRow label="Import a chat" description="One that was exported as JSON, with its versions and without its files" error={failure}>
      <span role="status" className="text-13 text-ink2 tabular-nums">
        {isBusy && (percent < 100 ? `Sending… ${percent} %` : "Importing…")}
      </span>
      <Button size="sm" busy={isBusy} onClick={() => input.current?.click()}>
        Import chat
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,application/json"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) start(file);
          // The same file may be chosen again.
          currentTarget.value = "";
        }}
      />
    </LedgerRow>
  );
}
