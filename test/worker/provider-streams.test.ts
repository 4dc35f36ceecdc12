import { expect, it } from "vitest";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import { CHEAP_MODEL, readReply, startChatAndRead } from "#test/support/replies.ts";
import { addTestTools, ran, switchOnTestTools } from "#test/support/test-tools.ts";
import { signIn } from "#test/support/worker.ts";

const CLAUDE = "anthropic/claude-sonnet-4.6";

addTestTools();

/** Asks in a new chat with the test's tools on and answers what was stored of the reply. */
async function ask(prompt: string, modelId: string = CHEAP_MODEL) {
  const user = await signIn();
  await switchOnTestTools(user);
  const { chatId, replyId, settled } = await startChatAndRead(user, prompt, modelId);
  const { messages } = await user.take(listMessages, { params: { id: chatId } });
  const reply = messages.find(({ id }) => id === replyId);
  if (!reply) throw new Error("There is no reply.");
  return { reply, settled, received: await readReply(user, { chatId, replyId }) };
}

it.each(["no-finish", "no-end"])("a turn runs the calls of a stream that ends with them, with %s", async (fault) => {
  ran.length = 0;
  const { reply } = await ask(`fault ${fault}\ncall testEcho {"name":"one"}\ncall testEcho {"name":"two"}\nthen\nsay All read.`);
  expect(ran).toEqual(["one", "two"]);
  expect(reply).toMatchObject({ status: "done", content: "All read.", tool_calls: [{ status: "done" }, { status: "done" }] });
});

it("a turn runs no call whose arguments the stream broke off in", async () => {
  ran.length = 0;
  const { reply } = await ask('before Let me look.\nfault no-end\ncall testEcho {"name":"on}');
  expect(ran).toEqual([]);
  expect(reply).toMatchObject({ status: "interrupted", content: "Let me look.", tool_calls: [] });
});

it("a turn takes the server's word that an answer has ended for its reason, and a mere end for a broken connection", async () => {
  const { reply } = await ask("fault no-finish\nsay Said to its end.");
  expect(reply).toMatchObject({ status: "done", content: "Said to its end.", error: null });
  const { reply: cut } = await ask("fault no-end\nsay Said to");
  expect(cut).toMatchObject({ status: "interrupted", content: "Said to", error: { code: "AGGREGATOR_CUT" } });
});

it.each(["reasoning-content", "reasoning-details-only", "content-parts"])(
  "a turn shows reasoning, text, usage and end with %s",
  async (fault) => {
    const { reply, received } = await ask(`fault ${fault}\nthink Let me see.\nsay Seen it now.`, CLAUDE);
    expect(reply).toMatchObject({ status: "done", reasoning: "Let me see.", content: "Seen it now.", error: null });
    expect(reply.usage?.completion_tokens).toBe(8);
    expect(reply.cost).toBeGreaterThan(0);
    expect(received.flatMap(({ event }) => (event.type === "reasoning" ? [event.text] : [])).join("")).toBe("Let me see.");
  },
);

it("a turn shows reasoning once where it comes by itself and in its details", async () => {
  const { reply } = await ask("think Let me see.\nsay Seen.", CLAUDE);
  expect(reply.reasoning).toBe("Let me see.");
});

it("a turn asks for the usage of a stream, which some servers send only then", async () => {
  const { reply } = await ask("fault usage-if-asked\nsay one two three");
  expect(reply.usage?.completion_tokens).toBe(3);
});

it("a turn reads the usage where Groq puts it, and computes the cost", async () => {
  const { reply } = await ask("fault usage-x-groq\nsay one two three");
  expect(reply.usage?.completion_tokens).toBe(3);
  expect(reply.cost).toBeGreaterThan(0);
});

it("a turn cites the sources that Perplexity names beside an answer, once, and takes its cost", async () => {
  const { reply } = await ask(
    "fault citations-beside\ncite https://example.com/a The first\ncite https://example.com/b\nsay Two sources [1][2].",
  );
  expect(reply.content).toBe("Two sources [1][2].");
  expect(reply.citations).toEqual([
    { url: "https://example.com/a", title: "The first" },
    { url: "https://example.com/b", title: "" },
  ]);
  expect(reply.cost).toBe(0.00511);
});

it.each(["malformed-json", "odd-chunks"])("a turn loses nothing but the chunks that cannot be read, with %s", async (fault) => {
  const text = "These are the words of a longer answer that has a chunk in the middle of itself which nobody can read.";
  const { reply } = await ask(`fault ${fault}\nsay ${text}`);
  expect(reply).toMatchObject({ status: "done", content: text, error: null });
});
