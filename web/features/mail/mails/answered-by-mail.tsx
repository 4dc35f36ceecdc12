import { useMutation } from "@tanstack/react-query";
import { MailCheck, MailX, Send } from "lucide-react";
import { sendMail } from "#shared/contracts/chat/mails.ts";
import { call } from "#web/lib/api.ts";
import { fullTime, rowTime } from "#web/lib/format.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { Button } from "#web/ui/button.tsx";
import { PendingAnswer } from "./pending-answer.tsx";
import type { AnswerMail } from "#shared/entities/mail.ts";

/** What became of the mail that an answer went out as; one that could not be sent is sent again from here. */
export function AnsweredByMail({ chatId, mail }: { chatId: string; mail: AnswerMail }) {
  const again = useMutation({
    mutationFn: (mailId: string) => call(sendMail, { params: { id: chatId, mailId }, body: {} }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.messages(chatId) }),
  });
  const { text, isBad } = mailStatus(mail);
  const Icon = isBad ? MailX : mail.state === "sent" ? MailCheck : Send;
  return (
    <div role={isBad ? "alert" : undefined} className="mt-12 border-y border-line py-8 text-13 text-ink2">
      <p className="flex flex-wrap items-center gap-8">
        <Icon aria-hidden className="size-16 shrink-0" />
        <span className={isBad ? "font-medium text-danger" : "font-medium text-ink"}>{text}</span>
        {mail.to !== null && <span className="min-w-0 [overflow-wrap:anywhere]">{`to ${mail.to.join(", ")}`}</span>}
        <time dateTime={mail.at} title={fullTime(mail.at)} className="ml-auto shrink-0 text-12 tabular-nums">
          {rowTime(mail.at)}
        </time>
        {mail.state === "failed" && mail.to !== null && (
          <Button size="sm" busy={again.isPending} onClick={() => again.mutate(mail.id)}>
            Retry
          </Button>
        )}
      </p>
      {mail.waits_for === "you" && (
        <div className="mt-8">
          <PendingAnswer chatId={chatId} mailId={mail.id} />
        </div>
      )}
      {mail.note !== null && <p className="mt-4 [overflow-wrap:anywhere]">{mail.note}</p>}
      {again.error && <p className="mt-4 text-danger">{again.error.message}</p>}
    </div>
  );
}

/** What is said of the mail that an answer went out as; `isBad` where it did not arrive. */
export function mailStatus({ state, waits_for: whose }: Pick<AnswerMail, "state" | "waits_for">): { text: string; isBad: boolean } {
  if (whose)
    return { text: whose === "you" ? "The answer waits for you" : "The answer waits for the person it was written for", isBad: false };
  switch (state) {
    case "draft":
      return { text: "The answer was not sent", isBad: false };
    case "sent":
      return { text: "Answered by mail", isBad: false };
    case "failed":
      return { text: "The answer was not sent", isBad: true };
    case "bounced":
      return { text: "The answer came back", isBad: true };
    case "complained":
      return { text: "The answer was marked as unwanted", isBad: true };
    default:
      return { text: "The answer is on its way", isBad: false };
  }
}
