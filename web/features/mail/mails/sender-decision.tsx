import { QUARANTINE_DAYS } from "#shared/limits.ts";
import { Button } from "#web/ui/button.tsx";
import { useSenderDecision } from "./use-mails.ts";

type SenderDecisionProps = {
  chatId: string;
  mailId: string;
  isProven: boolean;
  isBlocked?: boolean;
  /** False for an editor: whoever pays for the answer lets mail in. */
  canLetIn: boolean;
};

/** What can be said about the sender of a mail in quarantine, and what follows: only one that is proven can be allowed for good. */
export function SenderDecision({ chatId, mailId, isProven, isBlocked = false, canLetIn }: SenderDecisionProps) {
  const decide = useSenderDecision(chatId, mailId);
  const pending = decide.isPending ? decide.variables : null;
  return (
    <div>
      <div className="flex flex-wrap gap-8">
        {canLetIn && (
          <>
            <Button size="sm" busy={pending === "allow_once"} onClick={() => decide.mutate("allow_once")}>
              Allow once
            </Button>
            <Button size="sm" busy={pending === "allow_with_data"} onClick={() => decide.mutate("allow_with_data")}>
              Allow with my data
            </Button>
            {isProven && (
              <Button size="sm" busy={pending === "allow_always"} onClick={() => decide.mutate("allow_always")}>
                Allow always
              </Button>
            )}
          </>
        )}
        {!isBlocked && (
          <Button size="sm" variant="quiet" busy={pending === "block"} onClick={() => decide.mutate("block")}>
            Block
          </Button>
        )}
      </div>
      <p className="mt-6 text-12/18 text-ink2">
        {canLetIn
          ? `An answer may use all that this chat says, and nothing else of yours. With your data it may also use your memory, artifacts, knowledge and connected accounts; it then stands in this chat and is mailed only once you have read it.${isProven ? " Who is always allowed gets answers by mail without a word of yours." : ""} `
          : "The owner of this chat pays for its answers, so they alone let mail in. "}
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
