import { useEffect } from "react";
import type { Message } from "#shared/entities/message.ts";
import { AnsweredByMail } from "#web/features/mail/mails/answered-by-mail.tsx";
import { onLive } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { AnsweredByApp } from "./answered-by-app.tsx";

export type AnsweredOutsideProps = { message: Message };

/** What became of an answer outside: of the mail that it went out as, or in the messaging app. */
export function AnsweredOutside({ message: { chat_id: chatId, answer_mail: mail, answer_messaging: messaging } }: AnsweredOutsideProps) {
  useEffect(
    () =>
      onLive((event) => {
        if (event.type === "mails.changed" && event.chat_id === chatId)
          void queryClient.invalidateQueries({ queryKey: keys.messages(chatId) });
      }),
    [chatId],
  );
  if (messaging) return <AnsweredByApp answer={messaging} />;
  return mail && <AnsweredByMail chatId={chatId} mail={mail} />;
}
