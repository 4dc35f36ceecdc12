import { useRef } from "react";
import { useLocation } from "react-router";
import { loginUrl } from "#web/features/session/login-url.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { Button } from "#web/ui/button.tsx";
import { Link } from "#web/ui/link.tsx";
import { useImport } from "./use-import.ts";

/** Picks an exported chat, shows how far it is, and says why where it cannot be imported. */
export function ImportChat() {
  const { isGuest } = useSession();
  const { pathname, search } = useLocation();
  const { progress, isBusy, error, start } = useImport();
  const input = useRef<HTMLInputElement>(null);
  if (isGuest) {
    return (
      <Link to={loginUrl(pathname + search)} className="text-13 font-medium text-accent hover:underline">
        Sign in to import chats
      </Link>
    );
  }
  const percent = Math.round(progress * 100);
  return (
    <>
      <div className="flex items-center gap-12">
        <Button busy={isBusy} onClick={() => input.current?.click()}>
          Import chat
        </Button>
        <span role="status" className="text-13 text-ink2 tabular-nums">
          {isBusy && (percent < 100 ? `Sending… ${percent} %` : "Importing…")}
        </span>
      </div>
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
      {error !== null && !isBusy && (
        <p role="alert" className="mt-8 text-13 text-danger">
          Failed to import chat. {error}
        </p>
      )}
    </>
  );
}
