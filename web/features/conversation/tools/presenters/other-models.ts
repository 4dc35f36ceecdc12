import { BadgeCheck, Blend, PencilLine, ScanSearch } from "lucide-react";
import { firstText, listOf } from "../tool-input.ts";
import type { ToolPresenter } from "./tool-presenter.ts";

export const askSeveral: Partial<ToolPresenter> = {
  name: "Ask several models",
  icon: Blend,
  phrases: ({ input, parts }) => {
    const count = parts.length || listOf(input, "models").length;
    const whom = count > 0 ? `${count} models` : "several models";
    return { doing: `Asking ${whom}`, done: `Asked ${whom}`, infinitive: `ask ${whom}`, about: firstText(input, "question", "prompt") };
  },
};

export const draft: Partial<ToolPresenter> = {
  name: "Draft",
  icon: PencilLine,
  phrases: ({ input }) => ({
    doing: "Drafting an answer",
    done: "Drafted an answer",
    infinitive: "draft an answer",
    about: firstText(input, "question", "prompt"),
  }),
};

export const critique: Partial<ToolPresenter> = {
  name: "Critique",
  icon: ScanSearch,
  phrases: () => ({ doing: "Checking the draft", done: "Checked the draft", infinitive: "check the draft", about: null }),
};

export const refine: Partial<ToolPresenter> = {
  name: "Refine",
  icon: BadgeCheck,
  phrases: () => ({ doing: "Refining the answer", done: "Refined the answer", infinitive: "refine the answer", about: null }),
};
