import { Plus } from "lucide-react";
import { useState } from "react";
import type { Schedule } from "#shared/entities/schedules/schedule.ts";
import { LoginLink } from "#web/features/people/session/login-link.tsx";
import { UnknownVisitor } from "#web/features/people/session/unknown-visitor.tsx";
import { useSession } from "#web/features/people/session/use-session.ts";
import { PaneHeader } from "#web/ui/pane-header.tsx";
import { usePageTitle } from "#web/lib/page-title.ts";
import { Button } from "#web/ui/button.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { ScheduleDialog } from "./schedule-dialog.tsx";
import { ScheduleRow } from "./schedule-row.tsx";
import { useSchedules } from "./use-schedules.ts";
import { TryAgain } from "#web/ui/try-again.tsx";

type Shown = { kind: "none" } | { kind: "new"; key: number } | { kind: "edit"; edited: Schedule };

/** All that this person has sent by itself, with when it comes next and what became of it. */
export default function SchedulesPage() {
  usePageTitle("Schedules");
  const { user, status, isUnknown } = useSession();
  const isAccount = user !== null && !user.anonymous;
  const { data, error, isError, isPending, refetch } = useSchedules(isAccount);
  const [shown, setShown] = useState<Shown>({ kind: "none" });
  const [isOpen, setIsOpen] = useState(false);
  const open = (next: Shown) => {
    setShown(next);
    setIsOpen(true);
  };
  const schedules = data?.schedules ?? [];
  return (
    <>
      <PaneHeader />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <section aria-labelledby="schedules-title" className="mx-auto w-full max-w-752 px-16 pt-12 pb-48">
          <div className="flex items-center gap-12">
            <h1 id="schedules-title" tabIndex={-1} className="min-w-0 flex-1 font-serif text-28 text-ink outline-none">
              Schedules
            </h1>
            {isAccount && (
              <Button variant="primary" onClick={() => open({ kind: "new", key: Date.now() })}>
                <Plus aria-hidden className="size-16" />
                New schedule
              </Button>
            )}
          </div>
          <p className="mt-8 max-w-560 text-15 text-pretty text-ink2">
            Messages that are sent by themselves: at their times, or when a page changes. You hear of an answer when there is something to
            say.
          </p>
          {isUnknown ? (
            <UnknownVisitor className="mt-16 text-15" />
          ) : status === "visitor" || user?.anonymous ? (
            <div className="mt-16 text-15 text-ink2">
              <p className="mb-16">Log in to have messages sent by themselves.</p>
              <LoginLink />
            </div>
          ) : isError && data === undefined ? (
            <div role="alert" className="mt-16 text-15 text-ink2">
              <p className="mb-16">{`Your schedules could not be loaded. ${error.message}`}</p>
              <TryAgain size="md" onClick={() => void refetch()} />
            </div>
          ) : isPending ? (
            <output aria-label="Loading" className="mt-24 block space-y-16">
              <Skeleton className="h-64 w-full" />
              <Skeleton className="h-64 w-full" />
            </output>
          ) : schedules.length === 0 ? (
            <p className="mt-24 text-15 text-pretty text-ink2">
              {/* A narrow composer has no clock. */}
              Nothing is scheduled.{" "}
              <span className="max-[1023px]:hidden">Write a message and press the clock beside it, or begin here: </span>
              <span className="min-[1024px]:hidden">Begin with ‘New schedule’: </span>
              ‘every weekday at 8’, ‘in 20 minutes’, ‘when this page changes’.
            </p>
          ) : (
            <ul aria-label="Your schedules" className="mt-24 border-t border-line">
              {schedules.map((schedule) => (
                <ScheduleRow key={schedule.id} schedule={schedule} onEdit={() => open({ kind: "edit", edited: schedule })} />
              ))}
            </ul>
          )}
        </section>
      </div>
      {shown.kind !== "none" && (
        <ScheduleDialog
          key={shown.kind === "edit" ? `${shown.edited.id} ${shown.edited.updated_at}` : shown.key}
          open={isOpen}
          onOpenChange={setIsOpen}
          existing={shown.kind === "edit" ? shown.edited : undefined}
        />
      )}
    </>
  );
}
