import { firstText } from "../tool-input.ts";
import type { ToolPresenter } from "./tool-presenter.ts";

export const planResearch: Partial<ToolPresenter> = {
  name: "Plan a research",
  phrases: () => ({ doing: "Planning the research", done: "Planned the research", infinitive: "plan the research", about: null }),
};

export const lookInto: Partial<ToolPresenter> = {
  name: "Search and read",
  phrases: ({ input }) => ({ doing: "Looking into", done: "Looked into", infinitive: "look into", about: firstText(input, "question") }),
};

export const findGaps: Partial<ToolPresenter> = {
  name: "Check for gaps",
  phrases: () => ({ doing: "Checking what is missing", done: "Checked what is missing", infinitive: "check what is missing", about: null }),
};
