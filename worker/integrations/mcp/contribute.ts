import { isToolOn } from "#shared/tools/tool-rules.ts";
import { connectionCategory } from "#shared/tools/connected-tools.ts";
import type { ToolSettings } from "#shared/entities/tool-setting.ts";
import { type Database, openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import type { ConnectedTool } from "#worker/conversation/tools/connected/connected-tool.ts";
import type { ContextInput, Contribution } from "#worker/conversation/turn/contribution.ts";
import type { Section } from "#worker/library/contribution.ts";
import { claimListing, type ConnectionRow, selectConnections } from "./queries.ts";
import { fingerprint, refreshConnection } from "./refresh.ts";
import { connectedToolId, parseTools, withinBytes } from "./served-tool.ts";

/** Tools of connections that one turn carries: each goes along with every request of it. */
const TOOLS_PER_TURN = 100;
/** A server that did not answer is not asked again within so many milliseconds. */
const PAUSE_MS = 30_000;

/**
 * The tools of the person's connections, as they were agreed to, and notes on those that are missing. No server is asked before the model is:
 * a list that is no longer fresh is asked for while the model answers, and each call checks its own tool.
 */
export async function contributeConnections({
  env,
  request,
  settings,
}: ContextInput): Promise<Pick<Contribution, "tools" | "connected" | "sections">> {
  const { reader, tools } = request;
  const chosen = tools.categories ?? settings.tool_categories;
  const db = openDatabase(env.DB);
  const rows = (await selectConnections(db, reader.userId)).filter(({ enabled }) => enabled);
  const connected: ConnectedTool[] = [];
  const notes: string[] = [];
  const now = Date.now();
  for (const row of rows) {
    const agreed = toolsOf(row, { settings: tools.settings, chosen });
    const isWanted = agreed.length > 0 || chosen.includes(connectionCategory(row.id));
    if (!isWanted) continue;
    notes.push(...noteOn(row));
    if (row.state !== "needs_sign_in") connected.push(...agreed);
    if (isStale(row, now)) {
      void renewList(env, db, row).catch((cause: unknown) => log.warn("a list of tools was not renewed", { cause }));
    }
  }
  const carried = withinBytes(connected.slice(0, TOOLS_PER_TURN));
  if (carried.length < connected.length) notes.push(`${connected.length - carried.length} more connected tools were left out.`);
  const sections: Section[] = notes.length === 0 ? [] : [{ kind: "connections", text: notes.join("\n") }];
  return { tools: carried.map(({ id }) => id), connected: carried, sections };
}

/** Asks a server for its tools, unless another turn does so already. */
async function renewList(env: Env, db: Database, row: ConnectionRow): Promise<void> {
  if (await claimListing(db, row)) await refreshConnection(env, db, row, { agrees: false });
}

type Choice = { settings: ToolSettings; chosen: readonly string[] };

/** A connection's tools that are on; what its server changed since is not agreed to and not among them. */
function toolsOf(row: ConnectionRow, { settings, chosen }: Choice): ConnectedTool[] {
  const category = { id: connectionCategory(row.id), isAlwaysOn: false };
  const served = row.offers === null ? null : new Set(parseTools(row.offers).map(fingerprint));
  return parseTools(row.tools).flatMap((tool) => {
    const id = connectedToolId(row.id, tool.name);
    const setting = Object.hasOwn(settings, id) ? settings[id] : undefined;
    const agreed = fingerprint(tool);
    if (!isToolOn(category, setting, chosen) || (served && !served.has(agreed))) return [];
    return [
      {
        id,
        connectionId: row.id,
        connection: row.name,
        serverUrl: row.server_url,
        name: tool.name,
        description: tool.description,
        schema: tool.schema,
        agreed,
        // Whoever set one of a trusted server's to ask is asked.
        isQuiet: row.trusted && tool.saysReadOnly && (setting === undefined || setting.always_allowed),
      },
    ];
  });
}

function noteOn({ name, state, offers }: ConnectionRow): string[] {
  const named = JSON.stringify(name);
  if (state === "needs_sign_in") return [`The tools of ${named} are missing until the user signs in to it in the settings.`];
  const isChanged = offers !== null;
  return [
    ...(state === "failing" ? [`${named} could not be reached last time: its tools may fail.`] : []),
    ...(isChanged ? [`Some tools of ${named} changed and are missing until the user looks at them in the settings.`] : []),
  ];
}

function isStale({ state, fresh_until: until, checked_at: checked }: ConnectionRow, now: number): boolean {
  if (state === "needs_sign_in") return false;
  const isPaused = checked !== null && Date.parse(checked) > now - PAUSE_MS;
  return !isPaused && (state === "failing" || until === null || Date.parse(until) <= now);
}
