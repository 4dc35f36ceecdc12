import * as z from "zod/mini";
import { Id } from "../../entities/ids.ts";
import { endpoint } from "../endpoint.ts";

const Place = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000_000));

export const readPassage = endpoint("GET", "/api/user-contexts/:id/documents/:documentId/passage", {
  summary: "What an answer cites of a knowledge entry: the passage between two places of a document, with what stands around it",
  access: "account",
  params: z.object({ id: Id, documentId: Id }),
  query: z.object({ from: Place, to: Place }),
  response: z.object({
    context: z.object({ id: Id, name: z.string() }),
    document: z.object({ id: Id, name: z.string(), pages: z.nullable(z.number()) }),
    /** Where it stands, in words; empty where nothing is known of it. */
    place: z.string(),
    page: z.nullable(z.number()),
    before: z.string(),
    text: z.string(),
    after: z.string(),
    /** Where the file itself is; null for text that is no file. */
    file_url: z.nullable(z.string()),
    /** The artifact that it stands in; null where it is none. */
    artifact_id: z.nullable(Id),
  }),
});
