import { useDiscardMail, useSendMail } from "./use-mails.ts";
import { Button } from "#web/ui/button.tsx";

/** The word that an answer waits for which was written with what is its reader's alone. */
export function PendingAnswer({ chatId, mailId }: { chatId: string; mailId: string }) {
  const send = useSendMail(chatId, mailId);
  const discard = useDiscardMail(chatId, mailId);
  const error = send.error ?? discard.error;
  return (
    <div className="flex flex-wrap items-center gap-8">
      <Button size="sm" variant="primary" busy={send.isPending} disabled={discard.isPending} onClick={() => send.mutate()}>
        Send the answer
      </Button>
      <Button size="sm" variant="quiet" busy={discard.isPending} disabled={send.isPending} onClick={() => discard.mutate()}>
        {"Don't send"}
      </Button>
      {error && (
        <span role="alert" className="text-13 text-danger">
          {error.message}
        </span>
      )}
    </div>
  );
}
