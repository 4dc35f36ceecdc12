import * as z from "zod/mini";
import { SEARCH_DRIVE } from "#shared/private-tools.ts";
import { configOf } from "#worker/platform/env.ts";
import { loadOnce } from "#worker/platform/load-once.ts";
import type { Tool } from "#worker/conversation/tools/tool.ts";

const searching = loadOnce(() => import("./search-tool.ts"));

const Input = z.object({
  query: z.string().check(z.trim(), z.minLength(1), z.maxLength(1_000), z.describe("What is sought, in the words that the files may use.")),
});

export const searchIndexedFiles: Tool<typeof Input> = {
  id: SEARCH_DRIVE,
  description:
    "Searches the files in the user's Google Drive that are indexed (documents, sheets, slides, PDFs, Office and text files) and answers with passages, each with a number to cite it by. Use it for what only their own files can tell; try other words where nothing is found.",
  input: Input,
  dollars: 0,
  actsOutside: false,
  readsOutside: true,
  isForAccounts: true,
  isSetUp: (env) => configOf(env).google.features.includes("drive"),
  run: async (input, context) => (await searching()).searchDrive(input, context),
};
