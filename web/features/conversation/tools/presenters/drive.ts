import { HardDrive } from "lucide-react";
import { firstText } from "../tool-input.ts";
import type { ToolPresenter } from "./tool-presenter.ts";

export const searchDrive: Partial<ToolPresenter> = {
  name: "Search Google Drive",
  icon: HardDrive,
  phrases: ({ input }) => {
    const query = firstText(input, "query");
    return {
      doing: "Searching your Drive",
      done: "Searched your Drive",
      infinitive: "search your Drive",
      about: query === null ? null : `for ${query}`,
    };
  },
};
