import { useMutation, useQuery } from "@tanstack/react-query";
import { Check, Copy } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import type { Shareable } from "#web/features/people/arrival/link-store.ts";
import { useCopy } from "#web/lib/use-copy.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { BeforeLink, isKnown, linkStateOf } from "./before-link.tsx";
import { KINDS } from "./kinds.ts";

type ShareLinkDialogProps = { item: Shareable; open: boolean; onOpenChange: (open: boolean) => void };

/** Makes a link to something of one's own, shows it once, and takes it back. */
export function ShareLinkDialog({ item: { kind, id, name }, open, onOpenChange }: ShareLinkDialogProps) {
  const { describe, share, remove } = KINDS[kind];
  const [url, setUrl] = useState<string | null>(null);
  const queryKey = keys.shareLink(kind, id);
  // Asked again each time, as other tabs share too.
  const linkQuery = useQuery({ queryKey, queryFn: ({ signal }) => describe(id, signal), enabled: open, staleTime: 0 });
  const state = linkStateOf(linkQuery);
  const createdAt = linkQuery.data?.createdAt ?? null;
  const making = useMutation({
    mutationFn: () => share(id),
    onSuccess: ({ shareUrl }) => {
      setUrl(shareUrl);
      toast({ title: "Share link generated successfully!", tone: "success" });
    },
    onError: (error) => toast({ title: "Failed to generate share link", description: error.message, tone: "danger" }),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
  const removing = useMutation({
    mutationFn: () => remove(id),
    onSuccess: () => {
      setUrl(null);
      toast({ title: "The link was removed." });
    },
    onError: (error) => toast({ title: "The link was not removed", description: error.message, tone: "danger" }),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
  const hasLink = url !== null || createdAt !== null;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Share ${kind}`}
      subtitle={<span className="line-clamp-2 break-words">{name}</span>}
      width={560}
      footer={
        <>
          {hasLink && (
            <Button
              variant="quiet"
              className="mr-auto -ml-14 text-danger!"
              busy={removing.isPending}
              onClick={() => !making.isPending && removing.mutate()}
            >
              Remove link
            </Button>
          )}
          <Button
            variant={url === null ? "primary" : "secondary"}
            busy={making.isPending}
            disabled={url === null && !making.isPending && !isKnown(state)}
            onClick={() => !removing.isPending && making.mutate()}
          >
            {hasLink ? "Generate new link" : "Generate link"}
          </Button>
          {url !== null && <Button onClick={() => onOpenChange(false)}>Done</Button>}
        </>
      }
    >
      {making.isPending ? (
        <output className="block text-14 text-ink2">Generating the link...</output>
      ) : url === null ? (
        <BeforeLink kind={kind} state={state} onRetry={() => void linkQuery.refetch()} />
      ) : (
        <Link url={url} />
      )}
    </Dialog>
  );
}

function Link({ url }: { url: string }) {
  const { state, copy } = useCopy();
  const onOutcome = useEffectEvent((outcome: typeof state) => {
    if (outcome === "copied") toast({ title: "Share link copied to clipboard!", tone: "success" });
    if (outcome === "failed") toast({ title: "Failed to copy to clipboard", tone: "danger" });
  });
  useEffect(() => onOutcome(state), [state]);
  return (
    <>
      <p className="text-14 text-ink2">Copy the link now: it is shown this once. A new one can take its place at any time.</p>
      <div className="mt-12 flex items-center gap-8">
        <input
          aria-label="Share link"
          readOnly
          value={url}
          onFocus={(event) => event.target.select()}
          className="h-36 min-w-0 flex-1 rounded-8 border border-line-strong bg-s2 px-11 text-13 text-ink focus-visible:border-line touch:h-44"
        />
        <Button variant="primary" onClick={() => copy(url)}>
          {state === "copied" ? <Check aria-hidden className="size-14" /> : <Copy aria-hidden className="size-14" />}
          {state === "copied" ? "Copied" : "Copy"}
        </Button>
      </div>
    </>
  );
}
