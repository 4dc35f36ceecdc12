import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { editMessage, listMessages, regenerateReply, sendMessage } from "#shared/contracts/chat/messages.ts";
import type { InputOf } from "#shared/contracts/endpoint.ts";
import { createMemory } from "#shared/contracts/memories.ts";
import { contentText } from "#test/support/content-text.ts";
import { addEntry } from "#test/support/indexed-entry.ts";
import { readReply } from "#test/support/replies.ts";
import { addTestTools, switchOnTestTools } from "#test/support/test-tools.ts";
import { type Client, signIn } from "#test/support/worker.ts";

addTestTools();

const MARKED_MODEL = "anthropic/claude-sonnet-4.6";
const OTHER_MODEL = "openai/gpt-5-mini";

/** Too long to be read whole by any model, so each question gets passages of its own. */
const RULES = Array.from(
  { length: 3_000 },
  (_, at) => `## Rule ${at}\n\nIn room ${at} ${"everybody keeps to the house rules. ".repeat(4)}\n\n`,
).join("");

type Sent = {
  model: string;
  session_id?: string;
  stream?: boolean;
  tools?: unknown[];
  messages: { role: string; content: unknown; tool_calls?: unknown; cache_control?: unknown }[];
};

async function requestsOf(chatId: string): Promise<Sent[]> {
  const response = await fetch(`${new URL(env.AGGREGATOR_SIMULATOR).origin}/control/requests`);
  const requests: { body: Sent | null }[] = await response.json();
  return requests.flatMap(({ body }) => (body?.session_id === chatId && body.stream === true ? [body] : []));
}

/** None of them says anything about another. */
const FACTS = [
  "Plays the cello",
  "Lives near a harbour",
  "Grows quinces",
  "Writes with a fountain pen",
  "Rides to work",
  "Collects lighthouses",
  "Sings in a choir",
  "Reads Polish",
  "Repairs clocks",
  "Swims before breakfast",
  "Bakes rye bread",
  "Draws maps",
];

/** A request as a provider's cache compares it: marks say where it is kept, and are no part of it. */
function prefixOf({ tools, messages }: Sent): string[] {
  const said = messages.map(({ role, content, tool_calls: calls }) => JSON.stringify([role, contentText(content), calls ?? null]));
  return [JSON.stringify(tools ?? null), ...said];
}

function marksIn({ messages }: Sent): { role: string; ttl: unknown }[] {
  return messages.flatMap(({ role, content }) =>
    (Array.isArray(content) ? content : []).flatMap((part: { cache_control?: { ttl?: string } }) =>
      part.cache_control ? [{ role, ttl: part.cache_control.ttl }] : [],
    ),
  );
}

/** Numbers that are the same in each run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

async function usageOf(client: Client, chatId: string, replyId: string) {
  const { messages } = await client.take(listMessages, { params: { id: chatId } });
  return messages.find(({ id }) => id === replyId)?.usage ?? null;
}

it.each([3, 8])("each request repeats the one before it on its path, whatever was asked between (chat %i)", async (seed) => {
  const user = await signIn();
  await switchOnTestTools(user);
  await user.take(createMemory, { body: { id: crypto.randomUUID(), text: "Keeps bees" } });
  const contextId = await addEntry(user, { name: "House", documents: { "Rules.md": RULES } });
  const random = randomFrom(seed);
  const chatId = crypto.randomUUID();
  /** The questions with their replies; `before` is the reply that a question follows. */
  const turns: { messageId: string; replyId: string; before: string | null }[] = [];
  const lastRequest = new Map<string, Sent>();
  let seen = 0;
  for (let step = 0; step < 12; step += 1) {
    const at = random(turns.length + 1);
    const turn = turns[at];
    const model = random(5) === 0 ? OTHER_MODEL : MARKED_MODEL;
    const content =
      [`say Step ${step}.`, `call testEcho {"name":"${step}"}\nthen\nsay Step ${step} is done.`, `What holds in room ${step}?`][
        random(3)
      ] ?? "";
    if (random(3) === 0) await user.take(createMemory, { body: { id: crypto.randomUUID(), text: FACTS[step] ?? "" } });
    const id = crypto.randomUUID();
    let made: { messageId: string; replyId: string };
    let before: string | null;
    const chance = random(8);
    if (turn && chance < 2) {
      before = turn.before;
      made = await user.take(editMessage, { params: { id: chatId, messageId: turn.messageId }, body: { id, content, model_id: model } });
    } else if (turn && chance < 4) {
      before = turn.before;
      made = await user.take(regenerateReply, { params: { id: chatId, messageId: turn.replyId }, body: { id, model_id: model } });
    } else {
      before = turns.at(-1)?.replyId ?? null;
      const body = { id, parent_id: before, content, model_id: model, context_ids: [contextId] };
      made = await user.take(sendMessage, { params: { id: chatId }, body });
    }
    await readReply(user, { chatId, replyId: made.replyId });
    turns.push({ ...made, before });

    const requests = (await requestsOf(chatId)).slice(seen);
    seen += requests.length;
    let earlier = before === null ? null : (lastRequest.get(before) ?? null);
    expect(requests.length).toBeGreaterThan(0);
    for (const request of requests) {
      const expected = earlier ? prefixOf(earlier) : [];
      expect(prefixOf(request).slice(0, expected.length)).toEqual(expected);
      const [least, most] = request.model === MARKED_MODEL ? [1, 3] : [0, 0];
      expect(marksIn(request).length).toBeGreaterThanOrEqual(least);
      expect(marksIn(request).length).toBeLessThanOrEqual(most);
      earlier = request;
    }
    if (earlier) lastRequest.set(made.replyId, earlier);
  }
});

it("a marked prompt is read from the provider's cache by the next turn, which says so and costs less", async () => {
  const user = await signIn();
  const text = "We talk about the harbour, its tides, its lights and its pilots. ".repeat(100);
  const chatId = crypto.randomUUID();
  let before: string | null = null;
  const costs: number[] = [];
  const cached: number[] = [];
  for (const content of [`say Yes.\n${text}`, "say And so on.", "say The end."]) {
    const body: InputOf<typeof sendMessage>["body"] = { id: crypto.randomUUID(), parent_id: before, content, model_id: MARKED_MODEL };
    const { replyId }: { replyId: string } = await user.take(sendMessage, { params: { id: chatId }, body });
    await readReply(user, { chatId, replyId });
    before = replyId;
    const { messages } = await user.take(listMessages, { params: { id: chatId } });
    costs.push(messages.at(-1)?.cost ?? 0);
    cached.push((await usageOf(user, chatId, replyId))?.cached_tokens ?? 0);
  }
  // Other chats may have asked with the same tools and rules before.
  expect((cached[1] ?? 0) - (cached[0] ?? 0)).toBeGreaterThan(1_500);
  expect(cached[2]).toBeGreaterThan(cached[1] ?? 0);
  expect(costs[1]).toBeLessThan((costs[0] ?? 0) / 2);
  const [first] = await requestsOf(chatId);
  expect(first && marksIn(first)).toContainEqual({ role: "user", ttl: undefined });
});
