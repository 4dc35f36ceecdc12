import { Check, Copy, ExternalLink } from "lucide-react";
import { useEffect } from "react";
import type { ChatDetails } from "#shared/entities/chat.ts";
import { useCopy } from "#web/lib/use-copy.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { usePublish } from "./use-shares.ts";

type PublishDialogProps = { chat: ChatDetails; open: boolean; onOpenChange: (open: boolean) => void };

/** Makes a chat readable for everyone with its link, says what they will see, and takes it back. */
export default function PublishDialog({ chat, open, onOpenChange }: PublishDialogProps) {
  const publish = usePublish(chat.id);
  const change = (isPublic: boolean) =>
    publish.mutate(isPublic, {
      onError: (error) =>
        toast({ title: isPublic ? "Failed to publish chat" : "Failed to unpublish chat", description: error.message, tone: "danger" }),
    });
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={chat.public ? "Published" : "Publish chat"}
      subtitle={<span className="line-clamp-2">{chat.title || "New Chat"}</span>}
      width={560}
      footer={
        chat.public ? (
          <>
            <Button variant="quiet" className="mr-auto -ml-14 text-danger!" busy={publish.isPending} onClick={() => change(false)}>
              Unpublish
            </Button>
            <Button onClick={() => onOpenChange(false)}>Done</Button>
          </>
        ) : (
          <>
            <Button onClick={() => onOpenChange(false)}>Cancel</Button>
            <Button variant="primary" busy={publish.isPending} onClick={() => change(true)}>
              Publish
            </Button>
          </>
        )
      }
    >
      {chat.public ? <PublicLink chatId={chat.id} /> : <WhatIsShown />}
    </Dialog>
  );
}

function WhatIsShown() {
  return (
    <div className="space-y-12 text-14 text-ink2">
      <p>
        Anyone with the link can read this chat, without signing in: its title, your name, the messages and answers, the models and their
        sources. Later messages will appear there too.
      </p>
      <p>Files, reasoning, tool calls, todos and the names of others stay here. Search engines are asked not to list it.</p>
    </div>
  );
}

function PublicLink({ chatId }: { chatId: string }) {
  const { state, copy } = useCopy();
  const link = `${location.origin}/p/${chatId}`;
  useEffect(() => {
    if (state === "failed") toast({ title: "Failed to copy link", tone: "danger" });
  }, [state]);
  return (
    <>
      <p className="text-14 text-ink2">Anyone with this link can read the chat as it goes on.</p>
      <div className="mt-12 flex items-center gap-8">
        <input
          aria-label="Public link"
          readOnly
          value={link}
          onFocus={(event) => event.target.select()}
          className="h-36 min-w-0 flex-1 rounded-8 border border-line-strong bg-s2 px-11 text-13 text-ink focus-visible:border-line touch:h-44"
        />
        <Button variant="primary" onClick={() => copy(link)}>
          {state === "copied" ? <Check aria-hidden className="size-14" /> : <Copy aria-hidden className="size-14" />}
          {state === "copied" ? "Copied" : "Copy"}
        </Button>
      </div>
      <a
        href={link}
        target="_blank"
        rel="noopener"
        className="mt-12 inline-flex items-center gap-6 text-13 text-accent underline-offset-2 hover:underline touch:min-h-44"
      >
        Open the public page
        <ExternalLink aria-hidden className="size-14" />
      </a>
    </>
  );
}
