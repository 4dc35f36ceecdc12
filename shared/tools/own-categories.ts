import { isConnectionCategory } from "./connected-tools.ts";

/** The built-in categories whose tools read what is a person's own, wherever it lies. */
const OWN: ReadonlySet<string> = new Set(["gmail", "google-drive", "schedules", "codegen"]);

/** True for a category that gives a model what its person connected or keeps for all chats. */
export function isOwnCategory(id: string): boolean {
  return OWN.has(id) || isConnectionCategory(id);
}

/** Why an editor of a chat cannot switch such a category on. */
export const OWNERS_CHOICE = "Only the owner of this chat can switch this on, as it would read what is theirs.";
