import { chosenTools } from "../tools/chosen-tools.ts";
import { wantsConnections } from "../tools/connected/wants-connections.ts";
import { changeMemory } from "../memories/use-memory.ts";
import { speakAs } from "../personas/speak-as.ts";
import type { PrivateSource } from "./private-source.ts";
import { mayUse } from "../tools/tool-sources.ts";
import { type ContextInput, type Contribution, type Contributor, SOURCE_OF_SECTION } from "./contribution.ts";
import { contributeSchedule } from "../schedules/contribute.ts";
import { loadOnce } from "../load-once.ts";
import { strategyOf } from "./strategy.ts";

/** Each feature that has something to say to a model, or tools for it, stands here once. */
const CONTRIBUTORS: readonly Contributor[] = [
  chosenTools,
  connectServers,
  changeMemory,
  speakAs,
  readKnowledge,
  contributeSchedule,
  writeForPhone,
];

const connections = loadOnce(() => import("../mcp/contribute.ts"));
const knowledge = loadOnce(() => import("../passages/contribute.ts"));

/** Guests have no connections; what knows of them is loaded with the first chat that chose one. */
async function connectServers(input: ContextInput): Promise<Partial<Contribution>> {
  if (!input.request.sources.includes("accounts") || !wantsConnections(input)) return {};
  return (await connections()).contributeConnections(input);
}

/** Guests have no knowledge; what reads it is loaded with the first chat that has some. */
async function readKnowledge(input: ContextInput): Promise<Partial<Contribution>> {
  const { reader, sources } = input.request;
  if (!sources.includes("knowledge") || reader.anonymous || input.settings.context_ids.length === 0) return {};
  return (await knowledge()).contributeKnowledge(input);
}

const FOR_PHONE =
  "The person writes from a messaging app on their phone, and this answer is sent there: be brief, and use neither tables, headings nor formulas unless they ask for them.";

/** How an answer is written that goes out by the messaging app. */
async function writeForPhone({ request }: ContextInput): Promise<Partial<Contribution>> {
  return request.kind === "send" && request.messaging ? { sections: [{ kind: "notes", text: FOR_PHONE }] } : {};
}

/** Asks all contributors at once; what they add comes in their order, without what the turn may not use. */
export async function gatherContext(input: ContextInput): Promise<Contribution> {
  const parts = await Promise.all(CONTRIBUTORS.map((contribute) => contribute(input)));
  const { ownTools } = strategyOf(input.request);
  const { sources } = input.request;
  const isAllowed = (source: PrivateSource | null) => source === null || sources.includes(source);
  return {
    sections: parts.flatMap(({ sections = [] }) => sections).filter(({ kind }) => isAllowed(SOURCE_OF_SECTION[kind])),
    tools: ownTools ? [...ownTools] : parts.flatMap(({ tools = [] }) => tools).filter((id) => mayUse(sources, id)),
    connected: ownTools ? [] : parts.flatMap(({ connected = [] }) => connected),
    persona: parts.map(({ persona }) => persona).find(Boolean) ?? null,
    // The payer's hub returns them with what it holds back.
    memoryIds: [],
    contextIds: parts.flatMap(({ contextIds = [] }) => contextIds),
    look: parts.map(({ look }) => look).find(Boolean) ?? null,
    citations: parts.flatMap(({ citations = [] }) => citations),
  };
}
