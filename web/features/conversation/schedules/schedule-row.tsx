import { Ellipsis, Pause, Pencil, Play, Trash2, Zap } from "lucide-react";
import { useState } from "react";
import type { Schedule } from "#shared/entities/schedules/schedule.ts";
import { formatCost } from "#web/lib/dollars.ts";
import { zoneName } from "#web/features/people/time-zone/time-zones.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Link } from "#web/ui/link.tsx";
import { Menu, MenuItem, MenuSeparator } from "#web/ui/menu/menu.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { isRunning, lastRunLabel, nextRunLabel, runTone, runStateLabel, timeIn } from "./schedule-labels.ts";
import { useScheduleActions, useScheduleRuns } from "./use-schedules.ts";

type ScheduleRowProps = { schedule: Schedule; onEdit: () => void };

/** One schedule: its times, what became of the last one, and its history. */
export function ScheduleRow({ schedule, onEdit }: ScheduleRowProps) {
  const { id, title, words, time_zone: zone, state, note, last_run: run } = schedule;
  const { pause, run: runNow, remove } = useScheduleActions(id);
  const [isShown, setIsShown] = useState(false);
  const [isRemoving, setIsRemoving] = useState(false);
  const isBusy = isRunning(run);
  return (
    <li className="border-b border-line py-14">
      <div className="flex items-center gap-8">
        <h2 className="flex min-w-0 flex-1 items-center gap-8 text-15 font-medium text-ink">
          <span className="line-clamp-2 [overflow-wrap:anywhere]">{title}</span>
          {state === "paused" && <Badge tone="signal">Paused</Badge>}
          {state === "done" && <Badge>Over</Badge>}
        </h2>
        <Button size="sm" variant="quiet" aria-expanded={isShown} onClick={() => setIsShown(!isShown)} aria-label={`History of ${title}`}>
          History
        </Button>
        <Menu label={`Actions for ${title}`} trigger={<IconButton label={`Actions for ${title}`} tooltip="Actions" icon={Ellipsis} />}>
          {!isBusy && (
            <MenuItem icon={Zap} onClick={() => runNow.mutate()}>
              Run now
            </MenuItem>
          )}
          {state === "active" && (
            <MenuItem icon={Pause} onClick={() => pause.mutate(true)}>
              Pause
            </MenuItem>
          )}
          {state === "paused" && (
            <MenuItem icon={Play} onClick={() => pause.mutate(false)}>
              Resume
            </MenuItem>
          )}
          <MenuItem icon={Pencil} onClick={onEdit}>
            Edit
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={Trash2} danger onClick={() => setIsRemoving(true)}>
            Delete
          </MenuItem>
        </Menu>
      </div>
      <p className="mt-2 text-13 break-words text-ink2">
        {words} · {zoneName(zone)}
      </p>
      <p className="mt-2 text-13 text-ink2 tabular-nums">
        {state === "active" && (
          <>
            <span className="text-ink">{nextRunLabel(schedule)}</span>
            {" · "}
          </>
        )}
        {run?.chat_id ? (
          <Link to={`/c/${run.chat_id}`} className="underline decoration-line-strong underline-offset-3 hover:text-ink">
            {lastRunLabel(schedule)}
          </Link>
        ) : (
          lastRunLabel(schedule)
        )}
      </p>
      {note !== null && <p className="mt-4 text-13 text-pretty text-signal-ink">{note}</p>}
      {isShown && <History schedule={schedule} />}
      <ConfirmDialog
        open={isRemoving}
        onOpenChange={setIsRemoving}
        title="Delete this schedule?"
        confirm="Delete"
        busy={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => setIsRemoving(false) })}
      >
        <strong className="font-medium break-words text-ink">{title}</strong> and its history go. The chats that it made stay.
      </ConfirmDialog>
    </li>
  );
}

function History({ schedule: { id, title, time_zone: zone } }: { schedule: Schedule }) {
  const { data, isError, refetch } = useScheduleRuns(id);
  if (isError) {
    return (
      <p className="mt-8 text-13 text-ink2">
        The history could not be loaded.{" "}
        <button type="button" className="text-accent underline-offset-2 hover:underline" onClick={() => void refetch()}>
          Try again
        </button>
      </p>
    );
  }
  if (data === undefined) return <Skeleton className="mt-8 h-36 w-full" />;
  if (data.runs.length === 0) return <p className="mt-8 text-13 text-ink2">It has not run yet.</p>;
  return (
    <ul aria-label={`Runs of ${title}`} className="mt-8 rounded-12 bg-s1 px-12 py-4 text-13">
      {data.runs.map((run) => (
        <li key={run.id} className="flex flex-wrap items-center gap-x-12 gap-y-2 py-6">
          <time dateTime={run.due_at} className="w-128 shrink-0 text-ink2 tabular-nums">
            {timeIn(run.due_at, zone)}
          </time>
          <Badge tone={runTone(run.state)}>{runStateLabel(run.state)}</Badge>
          <span className="min-w-0 flex-1 text-ink2">{run.note}</span>
          {run.cost !== null && <span className="text-ink2 tabular-nums">{formatCost(run.cost)}</span>}
          {run.chat_id !== null && (
            <Link
              to={`/c/${run.chat_id}${run.message_id === null ? "" : `?message=${run.message_id}`}`}
              className="text-accent underline-offset-2 hover:underline touch:inline-flex touch:min-h-44 touch:items-center"
            >
              Open chat
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}
