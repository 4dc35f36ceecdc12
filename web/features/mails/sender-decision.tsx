import type { Mail } from "#shared/entities/mail.ts";
import { Button } from "#web/ui/button.tsx";
import { useSenderDecision } from "./use-mails.ts";

/** What can be said about the sender of a mail in quarantine: only one that is proven can be allowed for good. */
export function SenderDecision({ mail }: { mail: Mail }) {
  const decide = useSenderDecision(mail.chat_id, mail.id);
  const isProven = mail.authentication?.result === "pass";
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
        {mail.state === "quarantined" && (
          <Button size="sm" variant="quiet" busy={pending === "block"} onClick={() => decide.mutate("block")}>
            Block
          </Button>
        )}
      </div>
      {decide.isError && (
        <p role="alert" className="mt-8 text-13 text-danger">
          {decide.error.message}
        </p>
      )}
    </div>
  );
}
