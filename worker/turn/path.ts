import * as z from "zod/mini";
import { Citation } from "#shared/entities/message.ts";

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
};

const Citations = z.array(Citation);

/** The sources that a stored message cites. */
export function citationsOf({ citations }: Pick<PathRow, "citations">): Citation[] {
  return citations === null ? [] : Citations.parse(JSON.parse(citations));
}
