/** What models see of artifacts; what the tools do is loaded when one is first called. */
import { configOf, type Env } from "#worker/platform/env.ts";
import { loadOnce } from "#worker/platform/load-once.ts";
import type { Tool } from "../tool.ts";
import { CopyInput, CreateInput, EditInput, ListInput, ReadInput, SearchInput } from "./inputs.ts";

/** What all six have in common: they are an account's, cost nothing, and need artifacts to be on. */
const OF_ARTIFACTS = {
  dollars: 0,
  actsOutside: false,
  isForAccounts: true,
  isSetUp: (env: Env) => configOf(env).hasArtifacts,
} as const;

const loadRunners = loadOnce(() => import("./run-artifact-tools.ts"));

/** Shows the model which artifacts there are. */
export const listArtifacts: Tool<typeof ListInput> = {
  ...OF_ARTIFACTS,
  id: "listArtifacts",
  description: "Lists the user's artifacts, the last changed first: documents that outlive chats, their own and those shared with them.",
  input: ListInput,
  readsOutside: true,
  run: async (input, context) => (await loadRunners()).list(input, context),
};

/** Shows the model an artifact's text. */
export const readArtifact: Tool<typeof ReadInput> = {
  ...OF_ARTIFACTS,
  id: "readArtifact",
  description: "Reads an artifact's text as it is now. Read it before you edit it.",
  input: ReadInput,
  readsOutside: true,
  run: async (input, context) => (await loadRunners()).read(input, context),
};

/** Makes an artifact. */
export const createArtifact: Tool<typeof CreateInput> = {
  ...OF_ARTIFACTS,
  id: "createArtifact",
  description:
    "Creates an artifact: a document that the user keeps, edits and shares, such as a letter, a report, a plan or a page. Use it when the user asks for a document; do not repeat its text in your answer. HTML, SVG, Mermaid or CSV goes in one fenced block as the whole content and is shown live.",
  input: CreateInput,
  readsOutside: false,
  affectsOthers: async (_input, place) => (await loadRunners()).isReadByTeam(place),
  run: async (input, context) => (await loadRunners()).create(input, context),
};

/** Copies an artifact. */
export const copyArtifact: Tool<typeof CopyInput> = {
  ...OF_ARTIFACTS,
  id: "copyArtifact",
  description: "Copies an artifact that the user can read into one of their own.",
  input: CopyInput,
  readsOutside: true,
  affectsOthers: async (_input, place) => (await loadRunners()).isReadByTeam(place),
  run: async (input, context) => (await loadRunners()).copy(input, context),
};

/** Changes an artifact. */
export const editArtifact: Tool<typeof EditInput> = {
  ...OF_ARTIFACTS,
  id: "editArtifact",
  description:
    "Changes an artifact by exact replacements. Each old_text must stand in it exactly once: add the words around it where it stands more often. The user sees each change and can take it back.",
  input: EditInput,
  readsOutside: true,
  affectsOthers: async (input, place) => (await loadRunners()).editAffectsOthers(input, place),
  run: async (input, context) => (await loadRunners()).edit(input, context),
};

/** Finds artifacts. */
export const searchArtifacts: Tool<typeof SearchInput> = {
  ...OF_ARTIFACTS,
  id: "searchArtifacts",
  description: "Finds artifacts of the user by words of their titles and texts, with the passage that matched.",
  input: SearchInput,
  readsOutside: true,
  run: async (input, context) => (await loadRunners()).search(input, context),
};
