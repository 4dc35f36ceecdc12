import { useMutation } from "@tanstack/react-query";
import { Info } from "lucide-react";
import { regenerateReply } from "#shared/contracts/chat/messages.ts";
import { settingsToSend } from "#web/features/conversation/chat-settings/picked-settings.ts";
import { useSelectedModel } from "#web/features/conversation/models/use-selected-model.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { Button } from "#web/ui/button.tsx";
import { branches } from "#web/features/conversation/sending/change-turn.ts";
import { useKeyed } from "#web/lib/keyed-store.ts";
import { pathOf } from "#web/features/conversation/messages/message-pages.ts";
import { useOutbox } from "#web/features/conversation/sending/outbox.ts";
import { useMessages } from "#web/features/conversation/messages/use-messages.ts";
import { useNotifyFailure } from "#web/features/conversation/sending/use-notify-failure.ts";

/** Says that a chat ends with a question, as a fork may, and has it answered by the composer's model. */
export function UnansweredNotice({ chatId }: { chatId: string }) {
  const { data } = useMessages(chatId, false);
  const pending = useOutbox(chatId);
  const branch = useKeyed(branches, chatId);
  const { modelId } = useSelectedModel(chatId);
  const notifyFailure = useNotifyFailure();
  const answer = useMutation({
    networkMode: "always",
    mutationFn: (messageId: string) =>
      call(regenerateReply, {
        params: { id: chatId, messageId },
        body: { id: crypto.randomUUID(), ...settingsToSend(chatId, modelId) },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.messages(chatId) }),
    onError: (error) => notifyFailure("Failed to answer", error, modelId),
  });
  const last = pathOf(data).at(-1);
  if (last?.role !== "user" || pending.length > 0 || branch !== null) return null;
  return (
    <div className="mx-12 mb-8 flex min-h-36 items-center gap-8 rounded-12 bg-s3 py-2 pr-4 pl-12 text-13 text-ink2 touch:min-h-44 desk:mx-20">
      <Info aria-hidden className="size-16 shrink-0" />
      <p className="min-w-0 flex-1">The last question has no answer yet.</p>
      <Button size="sm" variant="outline" busy={answer.isPending} onClick={() => answer.mutate(last.id)}>
        Answer
      </Button>
    </div>
  );
}
