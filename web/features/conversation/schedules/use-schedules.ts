import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { BodyOf } from "#shared/contracts/endpoint.ts";
import {
  createSchedule,
  deleteSchedule,
  listScheduleRuns,
  listSchedules,
  runSchedule,
  updateSchedule,
} from "#shared/contracts/schedules.ts";
import { call } from "#web/lib/api.ts";
import { followChanges } from "#web/lib/live.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toastFailure } from "#web/ui/toast/toast.tsx";

export type ScheduleChange = BodyOf<typeof updateSchedule>;

/** The person's schedules, kept current while they are shown. */
export function useSchedules(isWanted = true) {
  useEffect(follow, []);
  return useQuery({
    queryKey: keys.schedules,
    queryFn: ({ signal }) => call(listSchedules, {}, { signal }),
    staleTime: lifetimes.short,
    enabled: isWanted,
  });
}

/** What became of a schedule's times so far. */
export function useScheduleRuns(id: string) {
  return useQuery({
    queryKey: keys.scheduleRuns(id),
    queryFn: ({ signal }) => call(listScheduleRuns, { params: { id } }, { signal }),
    staleTime: 0,
  });
}

function follow(): () => void {
  return followChanges((event) => event.type === "content.changed" && event.kind === "schedule", reread);
}

function reread(): void {
  void queryClient.invalidateQueries({ queryKey: keys.schedules });
}

/** Makes a schedule, or changes the one of this id. */
export function useSaveSchedule(id: string, { isNew, onSaved }: { isNew: boolean; onSaved: () => void }) {
  return useMutation({
    mutationFn: (body: BodyOf<typeof createSchedule>) =>
      isNew ? call(createSchedule, { body: { ...body, id } }) : call(updateSchedule, { params: { id }, body: changeOf(body) }),
    onSuccess: onSaved,
    onSettled: reread,
  });
}

function changeOf({ id: _id, ...change }: BodyOf<typeof createSchedule>): ScheduleChange {
  return change;
}

/** What can be done with a schedule in the list. */
export function useScheduleActions(id: string) {
  const onSettled = reread;
  return {
    pause: useMutation({
      mutationFn: (paused: boolean) => call(updateSchedule, { params: { id }, body: { paused } }),
      onSettled,
      onError: (error) => toastFailure("The schedule was not changed", error),
    }),
    run: useMutation({
      mutationFn: () => call(runSchedule, { params: { id }, body: {} }),
      onSettled,
      onError: (error) => toastFailure("The schedule did not run", error),
    }),
    remove: useMutation({
      mutationFn: () => call(deleteSchedule, { params: { id } }),
      onSettled,
      onError: (error) => toastFailure("The schedule was not deleted", error),
    }),
  };
}
