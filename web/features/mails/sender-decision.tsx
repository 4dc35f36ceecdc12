import { QUARANTINE_DAYS } from "#shared/limits.ts";
import { Button } from "#web/ui/button.tsx";
import { useSenderDecision } from "./use-mails.ts";

type SenderDecisionProps = { chatId: string; mailId: string; isProven: boolean; isBlocked?: boolean };

/** What can be said about the sender of a mail in quarantine, and what follows: only one that is proven can be allowed for good. */
export function SenderDecision({ chatId, mailId, isProven, isBlocked = false }: SenderDecisionProps) {
  const decide = useSenderDecision(chatId, mailId);
  const pending = decide.isPending ? decide.variables : null;
  return (
    <div>
      <div className="flex flex-wrap gap-8">
        <Button
          size="sm"
          variant={isProven ? "primary" : "secondary"}
          busy={pending === "allow_once"}
          onClick={() => decide.mutate("allow_once")}
        >
          Allow once
        </Button>
        {isProven && (
          <Button size="sm" busy={pending === "allow_always"} onClick={() => decide.mutate("allow_always")}>
            Allow always
          </Button>
        )}
        {!isBlocked && (
          <Button size="sm" variant="quiet" busy={pending === "block"} onClick={() => decide.mutate("block")}>
            Block
          </Button>
        )}
      </div>
      <p className="mt-6 text-12/18 text-ink2">
        {isProven &&
          "Who is always allowed gets answers by mail without a word of yours, and an answer may use all that this chat says: allow nobody who must not read it. "}
        {isBlocked
          ? "Its source and files were deleted when the sender was blocked; its text can still be let in."
          : `Blocking deletes the source and files. Without a word the mail is deleted after ${QUARANTINE_DAYS} days.`}
      </p>
      {decide.isError && (
        <p role="alert" className="mt-8 text-13 text-danger">
          {decide.error.message}
        </p>
      )}
    </div>
  );
}
