import type { Mail } from "#shared/entities/mail.ts";
import { Button } from "#web/ui/button.tsx";
import { useSendMail } from "./use-mails.ts";

/** Sends a draft, or again what could not be sent. */
export function SendMail({ mail }: { mail: Mail }) {
  const send = useSendMail(mail.chat_id, mail.id);
  return (
    <div className="mt-12">
      <Button size="sm" variant="primary" busy={send.isPending} onClick={() => send.mutate()}>
        {mail.state === "draft" ? "Send" : "Send again"}
      </Button>
      {send.isError && (
        <p role="alert" className="mt-8 text-13 text-danger">
          {send.error.message}
        </p>
      )}
    </div>
  );
}
