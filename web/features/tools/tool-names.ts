const NAMES: Record<string, string> = {
  parallelWebSearch: "Search the web",
  exaCrawl: "Read web pages",
  exaImageSearch: "Search for images",
  viewTodoList: "View the list",
  addTodoItem: "Add an item",
  updateTodoItem: "Change an item",
  deleteTodoItem: "Remove an item",
  multiModelSynthesis: "Ask several models",
  truthSeekDraft: "Draft",
  truthSeekCritique: "Critique",
  truthSeekRefine: "Refine",
  researchPlan: "Plan a research",
  researchQuestion: "Search and read",
  researchGaps: "Check for gaps",
};

/** Whether an id is one of the product's own tools, and no model's. */
export function isKnownTool(id: string): boolean {
  return Object.hasOwn(NAMES, id);
}

/** A tool's name for people: `sendEmail` is 'Send email', `github__list_issues` 'Github list issues'. */
export function toolName(id: string): string {
  if (Object.hasOwn(NAMES, id)) return NAMES[id] ?? id;
  return asWords(id) || id;
}

/** A key or id in words: `reply_to`, `replyTo` and `reply-to` are 'Reply to'. */
export function asWords(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/[_\-.\s]+/g, " ")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
