import { Check, Copy, ExternalLink } from "lucide-react";
import { useState } from "react";
import { useMutation } from "@tanstack/react-query";
import { APP_NAME } from "#shared/app.ts";
import { unlinkWhatsApp } from "#shared/contracts/account/whatsapp.ts";
import { useCopy } from "#web/lib/use-copy.ts";
import { setSessionUser } from "#web/features/people/session/use-session.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { shownNumber } from "./phone-number.ts";

type LinkedNumberProps = { number: string; writeTo: string | null; onChange: () => void; onUnlinked: () => void };

/** The linked number, where it writes to and how one begins; it is changed and unlinked from here. */
export function LinkedNumber({ number, writeTo, onChange, onUnlinked }: LinkedNumberProps) {
  const [isAsking, setIsAsking] = useState(false);
  const unlink = useMutation({
    mutationFn: () => call(unlinkWhatsApp, {}),
    onSuccess: ({ user }) => {
      setSessionUser(user);
      void queryClient.invalidateQueries({ queryKey: keys.whatsappSetup });
      toast({ title: "Number unlinked", tone: "success" });
      onUnlinked();
    },
    onError: (error) => toast({ title: "Failed to unlink the number", description: error.message, tone: "danger" }),
    onSettled: () => setIsAsking(false),
  });
  return (
    <div className="shrink-0 px-24 pt-4 pb-24">
      <p className="text-13 font-medium text-ink">Your number</p>
      <div className="mt-4 flex flex-wrap items-center gap-8">
        <span className="min-w-0 text-16 text-ink tabular-nums">{shownNumber(number)}</span>
        <Badge tone="accent">Verified</Badge>
      </div>
      {writeTo !== null && <WriteTo number={writeTo} />}
      <p className="mt-16 text-14 text-pretty text-ink2">
        Send any message to begin: it opens a chat here, and the answer comes to both. Voice notes, pictures and documents go along. Write{" "}
        <strong className="font-medium text-ink">new</strong> for another chat, and <strong className="font-medium text-ink">chats</strong>{" "}
        to go back to an earlier one.
      </p>
      <div className="mt-20 flex flex-wrap gap-8 border-t border-line pt-16">
        <Button onClick={onChange}>Change the number</Button>
        <Button variant="quiet" onClick={() => setIsAsking(true)}>
          Unlink
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title="Unlink this number?"
        confirm="Unlink"
        busy={unlink.isPending}
        onConfirm={() => unlink.mutate()}
      >
        What <strong className="font-medium whitespace-nowrap text-ink">{shownNumber(number)}</strong> writes will no longer be taken as
        yours, and it gets no more answers. Your chats stay.
      </ConfirmDialog>
    </div>
  );
}

function WriteTo({ number }: { number: string }) {
  const { state, copy } = useCopy();
  const isCopied = state === "copied";
  return (
    <>
      <p className="mt-16 text-13 font-medium text-ink">{`Write to ${APP_NAME} at`}</p>
      <div className="mt-6 flex flex-wrap items-center gap-8">
        <span className="flex h-36 min-w-160 flex-1 items-center rounded-8 border border-line bg-s1 px-12 text-14 text-ink tabular-nums touch:h-44">
          {shownNumber(number)}
        </span>
        <Button onClick={() => copy(number)}>
          {isCopied ? <Check aria-hidden className="size-14" /> : <Copy aria-hidden className="size-14" />}
          {isCopied ? "Copied" : "Copy"}
        </Button>
        <a
          href={`https://wa.me/${number.replace(/^\+/, "")}`}
          target="_blank"
          rel="noreferrer"
          className="inline-flex h-36 w-full items-center justify-center gap-8 rounded-8 bg-accent px-14 text-13 font-medium text-accent-ink transition-colors duration-120 hover:bg-accent-hover touch:h-44 touch:text-14"
        >
          Open WhatsApp
          <ExternalLink aria-hidden className="size-14" />
        </a>
      </div>
      <output className="sr-only">{isCopied ? "Number copied" : state === "failed" ? "The number could not be copied" : ""}</output>
    </>
  );
}
