import { toolName } from "./tool-names.ts";
import { firstText, listOf } from "./tool-input.ts";

/** What a tool's row says: while it runs, when it is done, and (after 'Could not') what failed. */
export type ToolWords = { doing: string; done: string; wish: string; about: string | null };

type Wording = (input: unknown, parts: number) => Omit<ToolWords, "about"> & { about?: string | null };

const WORDINGS: Record<string, Wording> = {
  parallelWebSearch: (input) => ({
    doing: "Searching the web",
    done: "Searched the web",
    wish: "search the web",
    about: after("for", firstText(input, "search_queries", "query", "objective")),
  }),
  exaCrawl: (input) => {
    const urls = listOf(input, "urls", "url");
    const what = urls.length === 1 ? hostOf(urls[0] ?? "") : `${urls.length} pages`;
    const about = urls.length > 1 ? [...new Set(urls.map(hostOf))].join(", ") : null;
    return { doing: `Reading ${what}`, done: `Read ${what}`, wish: `read ${what}`, about };
  },
  exaImageSearch: (input) => ({
    doing: "Searching for images",
    done: "Searched for images",
    wish: "search for images",
    about: after("of", firstText(input, "query")),
  }),
  viewTodoList: () => ({ doing: "Reading the todo list", done: "Read the todo list", wish: "read the todo list" }),
  addTodoItem: (input) => ({ doing: "Adding a todo", done: "Added a todo", wish: "add a todo", about: firstText(input, "text") }),
  updateTodoItem: (input) => {
    const done = { complete: "Finished a todo", in_progress: "Began a todo" }[firstText(input, "status") ?? ""] ?? "Changed a todo";
    return { doing: "Changing a todo", done, wish: "change a todo", about: firstText(input, "text") };
  },
  deleteTodoItem: () => ({ doing: "Removing a todo", done: "Removed a todo", wish: "remove a todo" }),
  multiModelSynthesis: (input, parts) => {
    const count = parts || listOf(input, "models").length;
    const whom = count > 0 ? `${count} models` : "several models";
    return { doing: `Asking ${whom}`, done: `Asked ${whom}`, wish: `ask ${whom}`, about: firstText(input, "question", "prompt") };
  },
  truthSeekDraft: (input) => ({
    doing: "Drafting an answer",
    done: "Drafted an answer",
    wish: "draft an answer",
    about: firstText(input, "question", "prompt"),
  }),
  truthSeekCritique: () => ({ doing: "Checking the draft", done: "Checked the draft", wish: "check the draft" }),
  researchPlan: () => ({ doing: "Planning the research", done: "Planned the research", wish: "plan the research" }),
  researchQuestion: (input) => ({ doing: "Looking into", done: "Looked into", wish: "look into", about: firstText(input, "question") }),
  researchGaps: () => ({ doing: "Checking what is missing", done: "Checked what is missing", wish: "check what is missing" }),
  truthSeekRefine: () => ({ doing: "Refining the answer", done: "Refined the answer", wish: "refine the answer" }),
};

/** A call in plain words; of a tool that is not known here, by its id. */
export function wordsOf(tool: string, input: unknown, parts: number): ToolWords {
  const wording = Object.hasOwn(WORDINGS, tool) ? WORDINGS[tool] : undefined;
  const words = wording?.(input, parts) ?? { doing: `Using ${tool}`, done: `Used ${tool}`, wish: `use ${tool}` };
  return { about: null, ...words };
}

/** What a call that was not allowed to run would have done. */
export function discardedWords(tool: string): string {
  return `Discarded: ${toolName(tool)}`;
}

function after(word: string, text: string | null): string | null {
  return text === null ? null : `${word} ${text}`;
}

/** The host of an address without `www.`, or what was given instead of one. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, "") : url;
}
