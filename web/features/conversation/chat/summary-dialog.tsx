import { useQuery } from "@tanstack/react-query";
import { BookOpen, Check, Copy, RefreshCw } from "lucide-react";
import { useEffect } from "react";
import { openManage } from "#web/features/library/kit/manage-store.ts";
import { Markdown } from "#web/features/library/markdown/markdown.tsx";
import { useCopy } from "#web/lib/use-copy.ts";
import { keys } from "#web/lib/query.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { generateChatSummary } from "#shared/contracts/chat/summaries.ts";
import { SUMMARY_CHARACTERS, SUMMARY_MESSAGES } from "#shared/limits.ts";
import { shortenConversation } from "#shared/shorten-conversation.ts";
import { loadFullPath } from "#web/features/conversation/messages/load-full-path.ts";
import { call } from "#web/lib/api.ts";
import { TryAgain } from "#web/ui/try-again.tsx";

type SummaryDialogProps = { chatId: string; open: boolean; onOpenChange: (open: boolean) => void };

/** What a chat comes to, made again each time it is opened after the chat went on. */
export default function SummaryDialog({ chatId, open, onOpenChange }: SummaryDialogProps) {
  const { data, isFetching, isError, error, refetch } = useQuery({
    queryKey: keys.summary(chatId),
    queryFn: ({ signal }) => summarize(chatId, signal),
    enabled: open,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const { state, copy } = useCopy();
  useEffect(() => {
    if (state === "failed") toast({ title: "Failed to copy summary", tone: "danger" });
  }, [state]);
  const isCopied = state === "copied";
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Summary"
      subtitle={isFetching ? "Reading the chat…" : undefined}
      width={560}
      footer={
        data !== undefined &&
        !isFetching && (
          <>
            <Button variant="quiet" onClick={() => void refetch()}>
              <RefreshCw aria-hidden className="size-14" />
              Summarize again
            </Button>
            <Button
              variant="quiet"
              onClick={() => {
                onOpenChange(false);
                openManage("knowledge", { kind: "new", from: data });
              }}
            >
              <BookOpen aria-hidden className="size-14" />
              Save as knowledge
            </Button>
            <Button variant="primary" onClick={() => copy(data)}>
              {isCopied ? <Check aria-hidden className="size-14" /> : <Copy aria-hidden className="size-14" />}
              {isCopied ? "Copied" : "Copy"}
            </Button>
          </>
        )
      }
    >
      {isFetching ? (
        <div role="status" className="space-y-10">
          <span className="sr-only">Summarizing</span>
          <Skeleton className="h-16 w-full" />
          <Skeleton className="h-16 w-11/12" />
          <Skeleton className="h-16 w-4/5" />
        </div>
      ) : isError ? (
        <div role="alert" className="text-14">
          <p className="text-ink">Failed to summarize chat</p>
          <p className="mt-4 text-13 text-ink2">{error.message}</p>
          <TryAgain className="mt-12" onClick={() => void refetch()} />
        </div>
      ) : (
        <div className="text-15 [overflow-wrap:anywhere]">
          <Markdown text={data ?? ""} />
        </div>
      )}
    </Dialog>
  );
}

/** A summary of the shown path; of a long one its start and its newest part are what counts. Throws `ApiError`. */
async function summarize(chatId: string, signal: AbortSignal): Promise<string> {
  const path = await loadFullPath(chatId);
  const nonEmpty = path.filter(({ content }) => content.trim() !== "").map(({ role, content }) => ({ role, content }));
  const { messages } = shortenConversation([...nonEmpty.slice(0, 1), ...nonEmpty.slice(1).slice(1 - SUMMARY_MESSAGES)], SUMMARY_CHARACTERS);
  const { summary } = await call(generateChatSummary, { body: { messages } }, { signal });
  return summary.trim() || "Failed to generate summary";
}
