/** The tool with which models look into their person's knowledge. */
export const SEARCH_KNOWLEDGE = "searchKnowledge";

/** The tool with which models look into their person's Drive. */
export const SEARCH_DRIVE = "searchIndexedFiles";

/** The tools of artifacts: what they read is their person's, whom else it is shared with is said there. */
export const ARTIFACT_TOOLS = [
  "listArtifacts",
  "readArtifact",
  "createArtifact",
  "copyArtifact",
  "editArtifact",
  "searchArtifacts",
] as const;
