import { join } from "node:path";

/** Where the pictures are put: where `npm run screens` was told to, else into the repository's own folder for them. */
export function folder(): string {
  return process.env["SCREENS_FOLDER"] || join(import.meta.dirname, "../../.screens");
}

/** Whose browsers there are: one with a long life here, one who just came, and who administers the deployment. */
export type Who = "owner" | "newcomer" | "admin";

/** What scenes open, by its id or path. */
export type World = Record<
  | "chat"
  | "longChat"
  | "codeChat"
  | "tablesChat"
  | "mailChat"
  | "waitingChat"
  | "failedChat"
  | "sharedChat"
  | "publicChat"
  | "importedChat"
  | "comparedChat"
  | "checkedChat"
  | "phoneChat"
  | "memoryChat"
  | "artifact"
  | "team"
  | "invitation"
  | "personaLink"
  | "promptLink"
  | "knowledgeLink",
  string
>;

type Session = { cookies: []; origins: [] };
export type Place = { sessions: Record<Who, Session>; world: World };

/** Where the seed leaves for the scenes what it made. */
export function placeFile(): string {
  return join(process.env["TMPDIR"] ?? "", "screens.json");
}
