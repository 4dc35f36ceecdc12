import * as z from "zod/mini";
import { Citation } from "#shared/entities/message.ts";
import { includesAllSources } from "#worker/conversation/tools/private-source.ts";
import { storedMail, withoutAddresses } from "./mail-text.ts";
import type { TurnRequest } from "./request.ts";

/** A message before a turn, as its room stores it; JSON columns as text. No more of it is read: a column less of a hundred rows is time until the first token. */
export type PathRow = {
  id: string;
  role: string;
  content: string;
  author_id: string | null;
  model_id: string | null;
  status: string;
  reasoning_details: string | null;
  citations: string | null;
  generation: number;
  attachments: string | null;
  /** JSON of the mail that it came as. */
  mail: string | null;
  /** The person for whom it is no untrusted text; null where it is for everybody. */
  trusted_for: string | null;
  /** Whose turn wrote it; null for a question. */
  payer_id: string | null;
  /** 1 where its model read what is its payer's alone. */
  used_own: number;
  /** JSON of `UsedMemory`, and of the sections that went along with the question that it answers. */
  memory: string | null;
  context: string | null;
};

/** The answers on a path that turns of this turn's person wrote: what their models kept of their thinking may hold what is theirs alone, and goes back to no other turn. */
export function answersOfOwnTurns(
  { reader, sources }: Pick<TurnRequest, "reader" | "sources">,
  path: readonly PathRow[],
): ReadonlySet<string> {
  if (!includesAllSources(sources)) return new Set();
  return new Set(path.flatMap(({ id, payer_id: payerId }) => (payerId === reader.userId ? [id] : [])));
}

/** A path as a turn's model may read it: where the chat's mails are nothing for the turn, those before its question come without addresses, as for most readers. */
export function readablePath(request: Pick<TurnRequest, "reader" | "sources">, path: readonly PathRow[]): PathRow[] {
  const own = answersOfOwnTurns(request, path);
  return path.map((row, index) => {
    const mail = request.sources.includes("mail") || index === path.length - 1 ? null : storedMail(row.mail);
    return {
      ...row,
      ...(mail && { mail: JSON.stringify(withoutAddresses(mail)) }),
      ...(!own.has(row.id) && { reasoning_details: null }),
    };
  });
}

const Citations = z.array(Citation);

/** The sources that a stored message cites. */
export function citationsOf({ citations }: Pick<PathRow, "citations">): Citation[] {
  return citations === null ? [] : Citations.parse(JSON.parse(citations));
}
