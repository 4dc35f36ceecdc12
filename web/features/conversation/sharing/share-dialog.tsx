import { Check, Link2 } from "lucide-react";
import { useEffect } from "react";
import type { ChatDetails } from "#shared/entities/chat.ts";
import { useCopy } from "#web/lib/use-copy.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { AccessList } from "./access-list.tsx";
import { ShareForm } from "./share-form.tsx";
import { useShares } from "./use-shares.ts";
import { TryAgain } from "#web/ui/try-again.tsx";

type ShareDialogProps = { chat: ChatDetails; open: boolean; onOpenChange: (open: boolean) => void };

/** Shares a living chat with people and teams by name, and says who reaches it. */
export default function ShareDialog({ chat, open, onOpenChange }: ShareDialogProps) {
  const { data, isError, error, refetch } = useShares(chat.id, open);
  const { state, copy } = useCopy();
  useEffect(() => {
    if (state === "failed") toast({ title: "Failed to copy link", tone: "danger" });
  }, [state]);
  const mayShare = chat.permissionLevel !== "viewer";
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Share chat"
      subtitle={<span className="line-clamp-2">{chat.title || "New Chat"}</span>}
      width={560}
      footer={
        <>
          <Button variant="quiet" className="-ml-14" onClick={() => copy(`${location.origin}/c/${chat.id}`)}>
            {state === "copied" ? <Check aria-hidden className="size-14" /> : <Link2 aria-hidden className="size-14" />}
            {state === "copied" ? "Copied" : "Copy link"}
          </Button>
          <span className="mr-auto hidden text-12 text-ink2 desk:inline">
            {chat.public ? "Others find its public page there" : "Opens only for people listed here"}
          </span>
          <Button className="ml-auto" onClick={() => onOpenChange(false)}>
            Done
          </Button>
        </>
      }
    >
      {mayShare ? (
        // A folder that holds a chat of no team is one of Personal.
        <ShareForm chatId={chat.id} shares={data} leavesFolder={chat.folder_id !== null && chat.teams.length === 0} />
      ) : (
        <p className="text-14 text-ink2">You can read along here. The owner and editors share this chat with others.</p>
      )}
      {data ? (
        <AccessList chatId={chat.id} shares={data} isOwner={chat.permissionLevel === "owner"} mayShare={mayShare} />
      ) : isError ? (
        <div role="alert" className="mt-24 flex items-center gap-12 text-14 text-ink2">
          <p className="min-w-0 flex-1">Who reaches this chat could not be loaded. {error.message}</p>
          <TryAgain onClick={() => void refetch()} />
        </div>
      ) : (
        <div aria-busy className="mt-24">
          <h3 className="flex h-28 items-center text-13 font-medium text-ink">People with access</h3>
          {["w-160", "w-120"].map((width) => (
            <div key={width} className="flex h-52 items-center gap-12">
              <Skeleton className="size-32 rounded-full" />
              <span className="space-y-6">
                <Skeleton className={`h-12 ${width}`} />
                <Skeleton className="h-10 w-200" />
              </span>
            </div>
          ))}
        </div>
      )}
    </Dialog>
  );
}
