import { BookmarkCheck, BookmarkX } from "lucide-react";
import { firstText } from "../tool-input.ts";
import type { ToolPresenter } from "./tool-presenter.ts";

export const remember: Partial<ToolPresenter> = {
  name: "Remember a fact",
  icon: BookmarkCheck,
  phrases: ({ input }) => ({
    doing: "Remembering a fact",
    done: "Remembered",
    infinitive: "remember a fact",
    about: firstText(input, "fact"),
  }),
};

export const forget: Partial<ToolPresenter> = {
  name: "Forget a fact",
  icon: BookmarkX,
  phrases: () => ({ doing: "Forgetting a fact", done: "Forgot a fact", infinitive: "forget a fact", about: null }),
};
