import { ArrowUpRight, PhoneOff } from "lucide-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Run } from "#shared/entities/outbound/run.ts";
import { safeUrl } from "#shared/markdown/safe-url.ts";
import { listRuns, stopRun } from "#shared/contracts/chat/runs.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { call } from "#web/lib/api.ts";
import { onLive } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { runStats, runStatusLabel } from "./run-labels.ts";

export type RunCardProps = { chatId: string; callId: string };

/** What a call set going outside, as it stands now; nothing in a chat that has only a copy of the call. */
export function RunCard({ chatId, callId }: RunCardProps) {
  const { data } = useRuns(chatId);
  const run = data?.runs.find((one) => one.call_id === callId);
  return run ? <Card chatId={chatId} run={run} /> : null;
}

function Card({ chatId, run }: { chatId: string; run: Run }) {
  const isPlanned = run.state === "planned";
  const isLive = run.state === "running" || run.state === "starting";
  const figures = runStats(run);
  return (
    <div className="mb-12 rounded-12 border border-line bg-s2 px-16 py-12 text-14 desk:ml-26">
      <div className="flex min-h-32 flex-wrap items-center gap-x-12 gap-y-8">
        <output className="flex min-w-0 flex-1 items-center gap-8">
          {isLive ? (
            <span aria-hidden className="thinking-dot shrink-0 text-accent" />
          ) : (
            <span aria-hidden className={cx("size-7 shrink-0 rounded-full", run.state === "done" || isPlanned ? "bg-accent" : "bg-ink3")} />
          )}
          <span className="font-medium text-ink">{runStatusLabel(run)}</span>
          {figures.length > 0 && <span className="text-13 text-ink2 tabular-nums">{figures.join(" · ")}</span>}
        </output>
        {run.kind === "phone" && (isPlanned || run.state === "running") && (
          <HangUp chatId={chatId} callId={run.call_id} label={isPlanned ? "Cancel call" : "End call"} />
        )}
      </div>
      {run.summary && <p className="mt-4 text-14 text-pretty [overflow-wrap:anywhere] text-ink">{run.summary}</p>}
      {run.note && <p className="mt-4 text-13 text-pretty text-ink2">{run.note}</p>}
      <RunLinks links={run.links} />
    </div>
  );
}

function RunLinks({ links }: Pick<Run, "links">) {
  const safe = links.flatMap(({ title, url }) => {
    const href = safeUrl(url);
    return href ? [{ title, href }] : [];
  });
  if (safe.length === 0) return null;
  return (
    <ul className="mt-6 flex flex-wrap gap-x-16">
      {safe.map(({ title, href }) => (
        <li key={href} className="min-w-0">
          <a
            href={href}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className="inline-flex min-h-28 max-w-full items-center gap-4 text-13 text-ink underline decoration-line-strong decoration-1 underline-offset-3 transition-colors duration-120 hover:decoration-ink touch:min-h-44"
          >
            <span className="truncate">{title}</span>
            <ArrowUpRight aria-hidden className="size-14 shrink-0" />
          </a>
        </li>
      ))}
    </ul>
  );
}

function HangUp({ chatId, callId, label }: RunCardProps & { label: string }) {
  const stop = useStopRun(chatId, callId);
  return (
    <span className="flex items-center gap-8">
      {stop.error && (
        <span role="alert" className="text-13 text-danger">
          {stop.error.message}
        </span>
      )}
      <Button size="sm" busy={stop.isPending || stop.isSuccess} onClick={() => stop.mutate()}>
        <PhoneOff aria-hidden className="size-14" />
        {label}
      </Button>
    </span>
  );
}

/** What a chat's tool calls set going outside, read again with each reported change. */
function useRuns(chatId: string) {
  useEffect(
    () =>
      onLive((event) => {
        const concernsRuns = (event.type === "runs.changed" && event.chat_id === chatId) || event.type === "hello";
        if (concernsRuns) void queryClient.invalidateQueries({ queryKey: keys.runs(chatId) });
      }),
    [chatId],
  );
  return useQuery({
    queryKey: keys.runs(chatId),
    queryFn: ({ signal }) => call(listRuns, { params: { id: chatId } }, { signal }),
    staleTime: 0,
  });
}

/** Hangs up. */
function useStopRun(chatId: string, callId: string) {
  return useMutation({
    mutationFn: () => call(stopRun, { params: { id: chatId, callId }, body: {} }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.runs(chatId) }),
  });
}
