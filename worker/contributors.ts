import { contributeSchedule } from "#worker/conversation/schedules/contribute.ts";
import { contributeEnabledTools } from "#worker/conversation/turn/enabled-tools.ts";
import type { ContextInput, Contribution, Contributor } from "#worker/conversation/turn/contribution.ts";
import { usesConnections } from "#worker/integrations/mcp/uses-connections.ts";
import { contributeMessagingStyle } from "#worker/integrations/messaging/contribute.ts";
import { changeMemory } from "#worker/library/memories/use-memory.ts";
import { contributePersona } from "#worker/library/personas/contribute.ts";
import { loadOnce } from "#worker/platform/load-once.ts";
import { TOOLS } from "./tools.ts";

const connections = loadOnce(() => import("#worker/integrations/mcp/contribute.ts"));
const knowledge = loadOnce(() => import("#worker/library/knowledge/lookup/contribute.ts"));

/** Guests have no connections; what knows of them is loaded with the first chat that chose one. */
async function connectServers(input: ContextInput): Promise<Partial<Contribution>> {
  if (!input.request.sources.includes("accounts") || !usesConnections(input)) return {};
  return (await connections()).contributeConnections(input);
}

/** Guests have no knowledge; what reads it is loaded with the first chat that has some. */
async function readKnowledge(input: ContextInput): Promise<Partial<Contribution>> {
  const { reader, sources } = input.request;
  if (!sources.includes("knowledge") || reader.anonymous || input.settings.context_ids.length === 0) return {};
  return (await knowledge()).contributeKnowledge(input);
}

/** Each feature that has something to say to a model, or tools for it, stands here once, in the order in which models read it. */
export const CONTRIBUTORS: readonly Contributor[] = [
  contributeEnabledTools(TOOLS),
  connectServers,
  changeMemory,
  contributePersona,
  readKnowledge,
  contributeSchedule,
  contributeMessagingStyle,
];
