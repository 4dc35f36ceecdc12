import { CalendarClock, CalendarX, ListChecks } from "lucide-react";
import { firstText } from "../tool-input.ts";
import type { ToolPresenter } from "./tool-presenter.ts";

export const setSchedule: Partial<ToolPresenter> = {
  name: "Set a schedule",
  icon: CalendarClock,
  phrases: ({ input }) => ({
    doing: "Setting a schedule",
    done: "Set a schedule",
    infinitive: "set a schedule",
    about: firstText(input, "when"),
  }),
};

export const readSchedules: Partial<ToolPresenter> = {
  name: "List schedules",
  icon: ListChecks,
  phrases: () => ({ doing: "Reading your schedules", done: "Read your schedules", infinitive: "read your schedules", about: null }),
};

export const endSchedule: Partial<ToolPresenter> = {
  name: "Delete a schedule",
  icon: CalendarX,
  phrases: () => ({ doing: "Deleting a schedule", done: "Deleted a schedule", infinitive: "delete a schedule", about: null }),
};
