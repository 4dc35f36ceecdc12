import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { NO_SETTINGS } from "#shared/entities/chat-settings.ts";
import { connectionCategory } from "#shared/tools/connected-tools.ts";
import { startChatAndRead } from "#test/support/replies.ts";
import { signIn } from "#test/support/worker.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { mcpConnections } from "#worker/platform/db/schema/mcp-connections.ts";
import { contributeConnections } from "#worker/integrations/mcp/contribute.ts";
import { StoredTurn } from "#worker/conversation/turn/stored-turn.ts";

const CONNECTIONS = 3;
const TOOLS = 20;
const RUNS = 40;
const HOUR = 60 * 60_000;

const schema = {
  type: "object",
  properties: Object.fromEntries(
    ["query", "from", "to", "limit"].map((name) => [name, { type: "string", description: "What it should be about" }]),
  ),
};

/** Connections with tools, whose server never answers. */
async function connect(userId: string, freshUntil: number): Promise<string[]> {
  const at = new Date().toISOString();
  const ids = Array.from({ length: CONNECTIONS }, () => crypto.randomUUID());
  const tools = JSON.stringify(
    Array.from({ length: TOOLS }, (_, n) => ({
      name: `tool_${n}`,
      title: null,
      description: "Does what its name says. ".repeat(8),
      schema,
      saysReadOnly: false,
    })),
  );
  const server = `${env.MCP_SIMULATOR}/hostile/silent/mcp`;
  const rows = ids.map((id) => ({
    id,
    user_id: userId,
    name: id,
    server_url: server,
    tools,
    created_at: at,
    updated_at: at,
    fresh_until: new Date(freshUntil).toISOString(),
  }));
  for (const row of rows) await openDatabase(env.DB).insert(mcpConnections).values(row);
  return ids.map(connectionCategory);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function measure(freshUntil: number): Promise<number> {
  const person = await signIn();
  const tool_categories = await connect(person.user.id, freshUntil);
  const chat = await startChatAndRead(person, "say Fine.");
  const request = StoredTurn.shape.request.parse({
    kind: "send",
    id: crypto.randomUUID(),
    parentId: null,
    content: "",
    create: null,
    chatId: chat.chatId,
    reader: { userId: person.user.id, displayName: "A", sessionId: "s", anonymous: false },
    model: {
      requestedId: "a",
      aggregatorId: "a",
      routerModels: null,
      contextLength: null,
      promptPrice: null,
      completionPrice: null,
      tools: true,
    },
    titleModel: null,
    replyId: chat.replyId,
    hash: "",
  });
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const startedAt = performance.now();
    const input = { env, request, settings: { ...NO_SETTINGS, tool_categories }, question: () => ({ text: "", before: [], cited: [] }) };
    const { connected } = await contributeConnections(input);
    times.push(performance.now() - startedAt);
    expect(connected).toHaveLength(CONNECTIONS * TOOLS);
  }
  return median(times);
}

it("what three connections of 20 tools each cost a turn before its model is asked, with servers that never answer", async () => {
  const [cached, cold] = [await measure(Date.now() + HOUR), await measure(Date.now() - HOUR)];
  // Whoever waited for a server would wait for seconds.
  expect(Math.max(cached, cold)).toBeLessThan(1_000);
  // oxlint-disable-next-line no-console -- the line is what the benchmark reads
  console.log(`mcp-cost ${JSON.stringify({ cached, cold })}`);
});
