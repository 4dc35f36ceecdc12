import { ArrowDownLeft, ArrowLeft, ArrowUpRight, Check, Copy, Mail as MailIcon, Paperclip, RefreshCw } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { MailReader } from "./mail-reader.tsx";
import { useMails, useNewAddress } from "./use-mails.ts";
import { useCopy } from "#web/lib/use-copy.ts";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import type { Mail } from "#shared/entities/mail.ts";
import { fullTime, rowTime } from "#web/lib/format.ts";
import { cx } from "#web/ui/cx.ts";
import { mailStateLabel, writerOf } from "./mail-labels.ts";
import { TryAgain } from "#web/ui/try-again.tsx";

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
          <TryAgain onClick={() => void list.refetch()} />
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

/** Where the chat is written to: to be copied, or replaced by a new one. */
function MailAddress({ chatId, address }: { chatId: string; address: string }) {
  const { state, copy } = useCopy();
  const renew = useNewAddress(chatId);
  const isCopied = state === "copied";
  const [isAsking, setIsAsking] = useState(false);
  const makeNew = () => {
    setIsAsking(false);
    renew.mutate(undefined, { onError: ({ message }) => toast({ title: message, tone: "danger" }) });
  };
  return (
    <div className="flex flex-wrap items-center gap-8">
      <span className="flex h-36 min-w-0 flex-1 items-center gap-8 rounded-8 border border-line bg-s1 px-12 max-desk:basis-full desk:max-w-440 touch:h-44">
        <MailIcon aria-hidden className="size-16 shrink-0 text-ink2" />
        <span data-address className="min-w-0 truncate font-mono text-13 text-ink" title={address}>
          {address}
        </span>
      </span>
      <Button onClick={() => copy(address)}>
        {isCopied ? <Check aria-hidden className="size-14" /> : <Copy aria-hidden className="size-14" />}
        {isCopied ? "Copied" : "Copy"}
      </Button>
      <Button variant="quiet" busy={renew.isPending} onClick={() => setIsAsking(true)}>
        <RefreshCw aria-hidden className="size-14" />
        New address
      </Button>
      <output className="sr-only">{isCopied ? "Address copied" : state === "failed" ? "The address could not be copied" : ""}</output>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title="Make a new address?"
        confirm="Make a new address"
        danger={false}
        onConfirm={makeNew}
      >
        Mail to the old one then comes back to its sender.
      </ConfirmDialog>
    </div>
  );
}

type MailListProps = { mails: readonly Mail[]; shownId: string | null; onShow: (id: string) => void };

/** What waits for a word about its sender, then all others, each newest first. */
function MailList({ mails, shownId, onShow }: MailListProps) {
  const waiting = mails.filter(({ state }) => state === "quarantined");
  const others = mails.filter(({ state }) => state !== "quarantined");
  return (
    <>
      {waiting.length > 0 && <Group label="Waiting for you" mails={waiting} shownId={shownId} onShow={onShow} />}
      {others.length > 0 && <Group label="In this chat" mails={others} shownId={shownId} onShow={onShow} />}
    </>
  );
}

function Group({ label, mails, shownId, onShow }: MailListProps & { label: string }) {
  return (
    <section aria-label={label}>
      <h3 className="px-24 pt-14 pb-6 text-12 font-medium text-ink3">{label}</h3>
      <ul>
        {mails.map((mail) => (
          <li key={mail.id} className="px-12">
            <Row mail={mail} isShown={mail.id === shownId} onShow={() => onShow(mail.id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Row({ mail, isShown, onShow }: { mail: Mail; isShown: boolean; onShow: () => void }) {
  const state = mailStateLabel(mail);
  const Way = mail.direction === "in" ? ArrowDownLeft : ArrowUpRight;
  return (
    <button
      type="button"
      aria-current={isShown || undefined}
      onClick={onShow}
      className="flex w-full gap-10 rounded-8 px-12 py-8 text-left transition-colors duration-120 hover:bg-s3 aria-[current]:bg-s4"
    >
      <span className="flex h-20 w-16 shrink-0 items-center justify-center text-ink2">
        {mail.state === "quarantined" ? (
          <span aria-hidden className="size-7 rounded-full bg-signal" />
        ) : (
          <Way aria-hidden className="size-14" />
        )}
        <span className="sr-only">{mail.direction === "in" ? "In: " : "Out: "}</span>
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-8">
          <span className="min-w-0 flex-1 truncate text-14 font-medium text-ink">{writerOf(mail)}</span>
          <time dateTime={mail.created_at} title={fullTime(mail.created_at)} className="shrink-0 text-12 text-ink2 tabular-nums">
            {rowTime(mail.created_at)}
          </time>
        </span>
        <span className="flex items-center gap-6 text-12/18 text-ink2">
          <span className="min-w-0 flex-1 truncate">{mail.subject || "No subject"}</span>
          {mail.attachments.length > 0 && <Paperclip aria-label="Has attachments" className="size-12 shrink-0" />}
        </span>
        {state && <span className={cx("block truncate text-12/18", state.isBad ? "text-signal-ink" : "text-ink2")}>{state.text}</span>}
      </span>
    </button>
  );
}
