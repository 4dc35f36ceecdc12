import { ArrowLeft } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { MailAddress } from "./mail-address.tsx";
import { MailList } from "./mail-list.tsx";
import { MailReader } from "./mail-reader.tsx";
import { useMails } from "./use-mails.ts";

type MailsDialogProps = {
  chatId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The mail to begin with; the newest unless given. */
  mailId?: string | null;
};

/** The mails of a chat, in and out, and the address at which it is written to. */
export default function MailsDialog({ chatId, open, onOpenChange, mailId = null }: MailsDialogProps) {
  const { address } = useMails(chatId);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Emails"
      subtitle={address === null ? undefined : "Mail to this address continues the chat."}
      width={1000}
      height={680}
      bare
    >
      <MailsPanes key={mailId} chatId={chatId} mailId={mailId} onLeave={() => onOpenChange(false)} />
    </Dialog>
  );
}

function MailsPanes({ chatId, mailId, onLeave }: { chatId: string; mailId: string | null; onLeave: () => void }) {
  const list = useMails(chatId);
  const { mails, address } = list;
  const isMobile = useIsMobile();
  const [chosenId, setChosenId] = useState(mailId);
  const rows = useRef<HTMLDivElement>(null);
  // On a phone the list comes first, and a mail in its place.
  const shownId = chosenId ?? (isMobile ? null : (mails.find(({ state }) => state !== "quarantined") ?? mails[0])?.id) ?? null;
  const isReading = isMobile && shownId !== null;
  const back = () => {
    setChosenId(null);
    requestAnimationFrame(() => rows.current?.querySelector<HTMLElement>("button")?.focus());
  };
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      {address !== null && !isReading && (
        <div className="shrink-0 border-b border-line px-24 pb-16">
          <MailAddress chatId={chatId} address={address} />
        </div>
      )}
      {list.isPending ? (
        <div aria-hidden className="space-y-8 px-24 pt-20">
          <Skeleton className="h-44 w-full" />
          <Skeleton className="h-44 w-3/4" />
        </div>
      ) : list.isError && mails.length === 0 ? (
        <div className="flex items-center gap-12 px-24 pt-20 text-14 text-ink2">
          <p>The emails could not be loaded.</p>
          <Button size="sm" onClick={() => void list.refetch()}>
            Try again
          </Button>
        </div>
      ) : mails.length === 0 && shownId === null ? (
        <div className="px-24 pt-20">
          <p className="text-14 text-ink">No emails yet for this chat</p>
          {address !== null && <p className="mt-4 text-13 text-ink2">Write to its address, and the model answers by mail.</p>}
        </div>
      ) : (
        <div className="flex min-h-0 flex-1">
          {!isReading && (
            <div ref={rows} className="min-h-0 w-full shrink-0 overflow-y-auto pb-12 desk:w-356 desk:border-r desk:border-line">
              <MailList mails={mails} shownId={isMobile ? null : shownId} onShow={setChosenId} />
              {list.hasNextPage && (
                <div className="px-24 py-8">
                  <Button
                    size="sm"
                    variant="quiet"
                    className="w-full"
                    busy={list.isFetchingNextPage}
                    onClick={() => void list.fetchNextPage()}
                  >
                    Load more emails
                  </Button>
                </div>
              )}
            </div>
          )}
          {shownId !== null && (
            <div className="flex min-h-0 min-w-0 flex-1 flex-col">
              {isReading && (
                <div className="shrink-0 px-12">
                  <IconButton size="touch" label="Back to the emails" icon={ArrowLeft} tooltip={false} onClick={back} />
                </div>
              )}
              <MailReader key={shownId} chatId={chatId} id={shownId} listed={mails.find(({ id }) => id === shownId)} onLeave={onLeave} />
            </div>
          )}
        </div>
      )}
    </div>
  );
}
