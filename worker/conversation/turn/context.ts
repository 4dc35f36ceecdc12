import { mayUse } from "#worker/conversation/tools/tool-sources.ts";
import { type ContextInput, type Contribution, type Contributor, SOURCE_OF_SECTION } from "./contribution.ts";
import type { PrivateSource } from "#worker/conversation/tools/private-source.ts";
import { strategyOf } from "./strategy.ts";

/** Asks all contributors at once; what they add comes in their order, without what the turn may not use. */
export async function gatherContext(contributors: readonly Contributor[], input: ContextInput): Promise<Contribution> {
  const parts = await Promise.all(contributors.map((contribute) => contribute(input)));
  const { ownTools } = strategyOf(input.request);
  const { sources } = input.request;
  const isAllowed = (source: PrivateSource | null) => source === null || sources.includes(source);
  return {
    sections: parts.flatMap(({ sections = [] }) => sections).filter(({ kind }) => isAllowed(SOURCE_OF_SECTION[kind])),
    tools: ownTools ? [...ownTools] : parts.flatMap(({ tools = [] }) => tools).filter((id) => mayUse(sources, id)),
    connected: ownTools ? [] : parts.flatMap(({ connected = [] }) => connected),
    persona: parts.map(({ persona }) => persona).find(Boolean) ?? null,
    // The payer's hub returns them with what it reserves.
    memoryIds: [],
    knowledgeIds: parts.flatMap(({ knowledgeIds = [] }) => knowledgeIds),
    look: parts.map(({ look }) => look).find(Boolean) ?? null,
    citations: parts.flatMap(({ citations = [] }) => citations),
  };
}
