import { SOURCE_OF_SECTION } from "./contribution.ts";
import type { Section } from "#worker/library/contribution.ts";
import { storedMail } from "./mail-text.ts";
import { answersOfOwnTurns, type PathRow } from "./path.ts";
import type { TurnRequest } from "./request.ts";
import type { StoredRound } from "./round.ts";
import { isVisibleToAll } from "./tool-call.ts";

type Prompt = { sections: readonly Section[]; path: readonly PathRow[]; rounds: ReadonlyMap<string, readonly StoredRound[]> };

/** True where a part of a system prompt is made of what is its person's alone. */
export function containPrivate(sections: readonly Section[]): boolean {
  return sections.some(({ kind }) => SOURCE_OF_SECTION[kind] !== null);
}

/**
 * True where a prompt holds what not every reader of the chat sees: its person's own in the sections, addresses of mails, what such calls
 * say, or what models thought about it. `path` and `rounds` are as its model reads them.
 */
export function promptHoldsPrivate(request: Pick<TurnRequest, "reader" | "sources">, { sections, path, rounds }: Prompt): boolean {
  const own = answersOfOwnTurns(request, path);
  return (
    containPrivate(sections) ||
    path.some(({ id, used_own: usedOwn, mail }) => (own.has(id) && usedOwn === 1) || hasAddresses(mail)) ||
    [...rounds.values()].flat().some(({ calls }) => calls.some(({ tool, output }) => output !== null && !isVisibleToAll(tool)))
  );
}

function hasAddresses(column: string | null): boolean {
  const mail = storedMail(column);
  return mail !== null && (mail.from_addr !== null || mail.quoted !== null);
}
