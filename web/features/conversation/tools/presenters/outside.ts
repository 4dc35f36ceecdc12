import { Bot, Building2, Phone, User, Users } from "lucide-react";
import { groupedNumber } from "#web/lib/phone-number.ts";
import { firstText } from "../tool-input.ts";
import type { ToolPresenter } from "./tool-presenter.ts";

export const callNumber: Partial<ToolPresenter> = {
  name: "Call a number",
  icon: Phone,
  labels: { phone_number: "Number", first_sentence: "Begins", max_duration: "Minutes" },
  brief: (input) => ({ about: numberOf(input), lead: null, text: firstText(input, "task") ?? "" }),
  phrases: ({ input }) => {
    const number = numberOf(input) ?? "a number";
    return { doing: `Calling ${number}`, done: `Call to ${number}`, infinitive: `call ${number}`, about: null };
  },
};

function numberOf(input: unknown): string | null {
  const number = firstText(input, "phone_number");
  return number === null ? null : groupedNumber(number);
}

export const beginRun: Partial<ToolPresenter> = {
  name: "Start a code agent run",
  icon: Bot,
  labels: { prompt: "Task", repo_id: "Repository" },
  phrases: ({ input }) => ({
    doing: "Starting the code agent",
    done: "Started the code agent",
    infinitive: "start the code agent",
    about: firstText(input, "prompt"),
  }),
};

export const readRun: Partial<ToolPresenter> = {
  name: "Look at a code agent run",
  icon: Bot,
  phrases: () => ({ doing: "Looking at a run", done: "Looked at a run", infinitive: "look at a run of the code agent", about: null }),
};

export const listOrganizations: Partial<ToolPresenter> = {
  name: "List the code agent's organizations",
  icon: Building2,
  phrases: () => ({
    doing: "Listing organizations",
    done: "Listed organizations",
    infinitive: "list the code agent's organizations",
    about: null,
  }),
};

export const listCodegenPeople: Partial<ToolPresenter> = {
  name: "List the code agent's people",
  icon: Users,
  phrases: () => ({ doing: "Listing people", done: "Listed people", infinitive: "list the code agent's people", about: null }),
};

export const readCodegenPerson: Partial<ToolPresenter> = {
  name: "Look up one of the code agent's people",
  icon: User,
  phrases: () => ({
    doing: "Looking somebody up",
    done: "Looked somebody up",
    infinitive: "look up one of the code agent's people",
    about: null,
  }),
};
