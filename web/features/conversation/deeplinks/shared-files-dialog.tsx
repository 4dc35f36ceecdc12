import { APP_NAME } from "#shared/app.ts";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { useConnection } from "#web/features/conversation/replies/connection.ts";
import { loginUrl } from "#web/features/people/session/login-url.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { attachShared, forgetShared, openShared } from "./take-shared.ts";

/** The parameter that names what the service worker keeps of something shared; it stays in the address until that is taken. */
const SHARED_PARAMETER = "shared";

type Found = { id: string; files: readonly File[] };

/** Asks before it attaches what was shared with the installed application: any site's page can share as well. Only accounts attach files. */
export function SharedFilesDialog() {
  const { status, isCurrent } = useSession();
  const isOffline = useConnection().kind === "offline";
  const navigate = useNavigate();
  const { found, leaveAddress } = useShared();
  const isKnown = isCurrent || isOffline;
  const id = found?.id ?? null;
  const count = found?.files.length ?? 0;
  const needsAccount = id !== null && isKnown && (status === "visitor" || status === "guest");
  useEffect(() => {
    if (!needsAccount) return;
    toast({
      title: "Sign in to attach what you shared",
      description: count === 1 ? "The file waits until you have." : `The ${count} files wait until you have.`,
      tone: "warning",
      duration: null,
      action: { label: "Sign in", onClick: () => void navigate(loginUrl(`/new?${SHARED_PARAMETER}=${id}`)) },
    });
  }, [needsAccount, count, id, navigate]);
  if (!found) return null;
  const decide = (settle: (id: string, files: readonly File[]) => void) => {
    settle(found.id, found.files);
    leaveAddress();
  };
  return (
    <ConfirmDialog
      open={status === "user" && isKnown}
      back={false}
      onOpenChange={(next) => !next && decide(forgetShared)}
      title={count === 1 ? "Attach this file?" : `Attach these ${count} files?`}
      confirm="Attach"
      cancel="Leave out"
      danger={false}
      busy={isOffline || !isCurrent}
      onConfirm={() => decide(attachShared)}
    >
      <p>
        {!isOffline
          ? `Shared with ${APP_NAME} from elsewhere. Nothing is sent before you do.`
          : "You're offline. They can be attached once you're back."}
      </p>
      <p className="mt-8 max-h-160 overflow-y-auto break-words text-ink">{found.files.map(({ name }) => name).join(", ")}</p>
    </ConfirmDialog>
  );
}

/** What the new chat's address names of something shared: its text goes into the composer at once, its files are answered. */
function useShared(): { found: Found | null; leaveAddress: () => void } {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const id = pathname === "/new" ? new URLSearchParams(search).get(SHARED_PARAMETER) : null;
  const opened = useRef<string | null>(null);
  const [found, setFound] = useState<Found | null>(null);
  const leaveAddress = () => {
    const query = new URLSearchParams(search);
    query.delete(SHARED_PARAMETER);
    void navigate({ pathname, search: query.toString(), hash }, { replace: true, state });
  };
  const onOpened = useEffectEvent((asked: string, files: readonly File[]) => {
    if (opened.current !== asked) return;
    if (files.length === 0) leaveAddress();
    else setFound({ id: asked, files });
  });
  useEffect(() => {
    if (opened.current === id) return;
    opened.current = id;
    if (id !== null) void openShared(id).then((files) => onOpened(id, files));
  }, [id]);
  return { found: found?.id === id ? found : null, leaveAddress };
}
