import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import type { ChatDetails } from "#shared/entities/chat.ts";
import { leaveChat } from "#shared/contracts/chat/sharing.ts";
import { leaving } from "#web/features/conversation/sending/leaving.ts";
import { call } from "#web/lib/api.ts";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { toast } from "#web/ui/toast/toast.tsx";

type LeaveDialogProps = { chat: ChatDetails; open: boolean; onOpenChange: (open: boolean) => void };

/** Asks before a chat that others share is left: only they can let one in again. */
export default function LeaveDialog({ chat, open, onOpenChange }: LeaveDialogProps) {
  const navigate = useNavigate();
  const leave = useMutation({
    mutationFn: () => {
      leaving.add(chat.id);
      return call(leaveChat, { params: { id: chat.id } });
    },
    onSuccess: () => {
      onOpenChange(false);
      void navigate("/", { replace: true });
    },
    onError: (error) => {
      leaving.delete(chat.id);
      toast({ title: "Failed to leave chat", description: error.message, tone: "danger" });
    },
  });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Leave this chat?"
      confirm="Leave"
      busy={leave.isPending}
      onConfirm={() => leave.mutate()}
    >
      <p>
        <span className="font-medium text-ink [overflow-wrap:anywhere]">{chat.title || "New Chat"}</span> goes from your list.{" "}
        {chat.sharedByName ? `${chat.sharedByName} or an editor` : "Its owner or an editor"} can share it with you again.
      </p>
    </ConfirmDialog>
  );
}
