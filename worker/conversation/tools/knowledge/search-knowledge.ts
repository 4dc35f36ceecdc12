import { SEARCH_KNOWLEDGE } from "#shared/private-tools.ts";
import * as z from "zod/mini";
import type { Tool } from "../tool.ts";
import { loadOnce } from "#worker/platform/load-once.ts";

const searching = loadOnce(() => import("#worker/library/knowledge/lookup/search-tool.ts"));

const Input = z.object({
  query: z
    .string()
    .check(z.trim(), z.minLength(1), z.maxLength(1_000), z.describe("What is sought, in the words that the documents may use.")),
});

/** Looks again into the knowledge of the chat. */
export const searchKnowledge: Tool<typeof Input> = {
  id: SEARCH_KNOWLEDGE,
  description:
    "Searches the knowledge that the person gave this chat (their documents) and answers with passages, each with a number to cite it by. Use it where the passages that you have do not answer the question, with other words than the question's.",
  input: Input,
  dollars: 0,
  actsOutside: false,
  readsOutside: true,
  run: async (input, context) => (await searching()).searchAgain(input, context),
};
