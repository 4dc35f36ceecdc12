import { APP_NAME } from "#shared/app.ts";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { ATTACHMENT_BYTES, ATTACHMENTS_PER_MESSAGE } from "#shared/limits.ts";
import { formatBytes } from "#shared/attachment-rules.ts";
import { useConnection } from "#web/lib/connection.ts";
import { loginUrl } from "#web/features/people/session/login-url.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { attachFiles } from "#web/features/conversation/attachments/attach-files.ts";
import { NEW_CHAT } from "#web/features/conversation/composer/drafts.ts";
import { deleteShared, storeRemaining, peekShared, type Shared } from "#web/lib/shared-inbox.ts";
import { fillComposer } from "./follow-deeplink.ts";

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

/** Puts the text of what was shared with the installed application into the new chat's composer; answers its files, which stay where they are until their person decides. */
async function openShared(id: string): Promise<readonly File[]> {
  const shared = await readShared(id);
  if (shared === null) {
    toast({ title: "What was shared is gone", description: "Share it again.", tone: "warning" });
    return [];
  }
  const { text, files, leftOut = 0 } = shared;
  if (text !== "") fillComposer(text, { isFilledIn: false });
  if (leftOut > 0) {
    toast({
      title: leftOut === 1 ? "One file was left out" : `${leftOut} files were left out`,
      description: `A message takes at most ${ATTACHMENTS_PER_MESSAGE} files of up to ${formatBytes(ATTACHMENT_BYTES)} each.`,
      tone: "warning",
      duration: null,
    });
  }
  // What was said and filled in once is not again, when the page is drawn anew.
  await (files.length === 0 ? deleteShared(id) : storeRemaining(id, { ...shared, text: "", leftOut: 0 })).catch(() => undefined);
  return files.map(({ name, type, bytes }) => new File([bytes], name, { type }));
}

/** Attaches shared files to the new chat, as their person wants. */
function attachShared(id: string, files: readonly File[]): void {
  attachFiles(NEW_CHAT, files);
  forgetShared(id);
}

/** Forgets shared files that nobody wants. */
function forgetShared(id: string): void {
  void deleteShared(id).catch(() => undefined);
}

async function readShared(id: string): Promise<Shared | null> {
  try {
    return await peekShared(id);
  } catch {
    // A browser that forgot its database has nothing to take.
    return null;
  }
}
