import * as z from "zod";
import { type Bench, median } from "./figure.ts";
import { errorsOf, startReaders } from "./load/readers.ts";
import { makeChats, makeUsers } from "./seed.ts";

const CALLS = 50;

const Request = z.looseObject({
  at: z.string(),
  body: z.nullish(
    z.looseObject({
      stream: z.optional(z.boolean()),
      messages: z.optional(
        z.array(
          z.looseObject({
            role: z.string(),
            tool_call_id: z.optional(z.string()),
            tool_calls: z.nullish(z.array(z.looseObject({ id: z.string() }))),
          }),
        ),
      ),
    }),
  ),
});

/** Fifty calls that a model makes at once, each one writing: from its request to the next one, which carries all results in their order. */
export const bench: Bench = {
  id: "C1",
  title: `${CALLS} parallel tool calls in one turn`,
  async measure({ serve, runs }) {
    const server = await serve();
    let chats = await makeChats(server, await makeUsers(server, 1));
    const readers = startReaders();
    const control = `${new URL(server.aggregator).origin}/control/requests`;
    const roundOf = async (calls: number) => {
      await fetch(control, { method: "DELETE" });
      const lines = Array.from({ length: calls }, (_, n) => `call addTodoItem {"text":"Item ${n}"}`);
      const [chat] = chats;
      if (!chat) throw new Error("No chat was made.");
      const { user, chatId, parentId } = chat;
      const ask = { kind: "chat" as const, origin: server.origin, cookie: user.cookie, chatId, parentId };
      const turns = await readers.run([{ startAfterMs: 0, turns: 1, content: [...lines, "then", "say Done."].join("\n"), ask }]);
      const failed = errorsOf(turns);
      if (failed.length > 0) throw new Error(failed[0]);
      chats = [{ ...chat, parentId: turns[0]?.[0]?.lastId ?? parentId }];
      return betweenRounds(z.array(Request).parse(await (await fetch(control)).json()), calls);
    };
    // The first turn with tools finds cold code.
    await roundOf(1);
    const one: number[] = [];
    const many: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      one.push(await roundOf(1));
      many.push(await roundOf(CALLS));
    }
    await readers.close();
    const time = { unit: "ms" as const, isTime: true, target: null };
    return [
      { ...time, name: "from the model's request to the next, 1 call", values: one },
      { ...time, name: `the same, ${CALLS} calls`, values: many },
      { ...time, name: "a call more", values: many.map((ms) => (ms - median(one)) / (CALLS - 1)) },
    ];
  },
};

/** Milliseconds between the two requests of a turn; throws where the second lacks a result or has them in another order. */
function betweenRounds(requests: z.infer<typeof Request>[], calls: number): number {
  const [first, second] = requests.filter(({ body }) => body?.stream === true);
  if (!first || !second) throw new Error("The turn had no second round.");
  const messages = second.body?.messages ?? [];
  const asked = messages.findLast(({ tool_calls: made }) => made?.length)?.tool_calls?.map(({ id }) => id) ?? [];
  const answered = messages.filter(({ role }) => role === "tool").map(({ tool_call_id: id }) => id);
  if (asked.length !== calls || answered.slice(-calls).join(" ") !== asked.join(" "))
    throw new Error("The results are not those that were asked for.");
  return Date.parse(second.at) - Date.parse(first.at);
}
