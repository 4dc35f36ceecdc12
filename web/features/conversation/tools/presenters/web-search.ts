import { BookOpenText, Globe, Images } from "lucide-react";
import { firstText, hostOf, listOf } from "../tool-input.ts";
import { failedFigure } from "./plain.tsx";
import type { ToolPresenter } from "./tool-presenter.ts";

export const searchTheWeb: Partial<ToolPresenter> = {
  name: "Search the web",
  icon: Globe,
  phrases: ({ input }) => ({
    doing: "Searching the web",
    done: "Searched the web",
    infinitive: "search the web",
    about: after("for", firstText(input, "search_queries", "query", "objective")),
  }),
};

export const readPages: Partial<ToolPresenter> = {
  name: "Read web pages",
  icon: BookOpenText,
  phrases: ({ input }) => {
    const urls = listOf(input, "urls", "url");
    const what = urls.length === 1 ? hostOf(urls[0] ?? "") : `${urls.length} pages`;
    const about = urls.length > 1 ? [...new Set(urls.map(hostOf))].join(", ") : null;
    return { doing: `Reading ${what}`, done: `Read ${what}`, infinitive: `read ${what}`, about };
  },
  // How many it was asked to read its words say.
  figures: ({ sources }) => failedFigure(sources),
};

export const searchImages: Partial<ToolPresenter> = {
  name: "Search for images",
  icon: Images,
  phrases: ({ input }) => ({
    doing: "Searching for images",
    done: "Searched for images",
    infinitive: "search for images",
    about: after("of", firstText(input, "query")),
  }),
};

function after(word: string, text: string | null): string | null {
  return text === null ? null : `${word} ${text}`;
}
