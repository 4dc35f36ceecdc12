import { env } from "cloudflare:workers";
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { getUsage } from "#shared/contracts/account/usage.ts";
import { updateUser } from "#shared/contracts/account/users.ts";
import { getPersona, listPersonaVersions, updatePersona } from "#shared/contracts/library/personas.ts";
import { updateChat } from "#shared/contracts/chat/chats.ts";
import { sendMessage } from "#shared/contracts/chat/messages.ts";
import { createMemory, forgetAllMemories } from "#shared/contracts/memories.ts";
import { PERSONALIZATION_MARKER } from "#shared/library/personas.ts";
import { CHEAP_MODEL, readReply, startChatAndRead, textOf } from "#test/support/replies.ts";
import { type Client, type Person, signIn } from "#test/support/worker.ts";
import { refreshPersonalization } from "#worker/library/personas/refresh-personalization.ts";

afterEach(() => void vi.useRealTimers());

async function add(client: Client, text: string) {
  return (await client.take(createMemory, { body: { id: crypto.randomUUID(), text } })).memory;
}

describe("the personalized persona", () => {
  const sectionOf = async (user: Person) => (await user.take(getPersona, { params: { id: user.user.id } })).persona;
  const DAY = 24 * 60 * 60_000;

  /** Lets so many milliseconds pass for the person's hub, and waits until the job that may come has run. */
  async function pass(user: Person, ms: number): Promise<void> {
    vi.useFakeTimers({ now: Date.now() + ms, toFake: ["Date"] });
    await runDurableObjectAlarm(env.USER_HUB.getByName(user.user.id));
    // The queue's own delivery is not waited for: the job may come more than once.
    await refreshPersonalization(env, user.user.id);
  }

  it("the personalized persona is kept up from memory, each change a version, and what its person wrote is left as it is", async () => {
    const user = await signIn();
    await user.take(updatePersona, { params: { id: user.user.id }, body: { content: "Call me Lena." } });
    await add(user, "Prefers short answers");
    const spent = async () => (await user.take(getUsage, { query: { by: "day" } })).total;
    await pass(user, 11 * 60_000);
    const made = await sectionOf(user);
    expect(made.content).toBe("Call me Lena.");
    expect(made.personalization).toMatch(/^--- PERSONALIZATION SECTION ---\n./);
    expect(await spent()).toBeGreaterThan(0);
    const { versions } = await user.take(listPersonaVersions, { params: { id: user.user.id } });
    expect(versions[0]).toMatchObject({ content: "Call me Lena.", personalization: null });

    const own = `${PERSONALIZATION_MARKER}\nI write this myself.`;
    await user.take(updatePersona, { params: { id: user.user.id }, body: { personalization: own } });
    await add(user, "Lives in Porto");
    await pass(user, DAY);
    expect((await sectionOf(user)).personalization).toBe(own);
  });

  it("the personalized persona is not mentioned where memory is not read, and goes with all its versions when all is forgotten, with memory off too", async () => {
    const user = await signIn();
    await add(user, "Prefers short answers");
    await pass(user, 11 * 60_000);
    const { personalization } = await sectionOf(user);
    const beginning = JSON.stringify(personalization?.split("\n")[1]).slice(1, 30);
    const chat = await startChatAndRead(user, "show request");
    expect(chat.text).toContain(beginning);
    const off = { id: crypto.randomUUID(), parent_id: chat.replyId, content: "show request", model_id: CHEAP_MODEL };
    await user.take(updateChat, { params: { id: chat.chatId }, body: { off_record: true } });
    const turn = await user.take(sendMessage, { params: { id: chat.chatId }, body: off });
    const prompt = textOf(await readReply(user, { chatId: chat.chatId, replyId: turn.replyId }));
    expect(prompt.slice(0, prompt.indexOf("show request"))).not.toContain(beginning);
    await user.take(updatePersona, { params: { id: user.user.id }, body: { content: "Call me Lena." } });
    await user.take(updateUser, { body: { memory_enabled: false } });
    await user.take(forgetAllMemories, {});
    await pass(user, 1_000);
    expect(await sectionOf(user)).toMatchObject({ content: "Call me Lena.", personalization: null });
    const { versions } = await user.take(listPersonaVersions, { params: { id: user.user.id } });
    expect(versions.map((version) => version.personalization)).toEqual(versions.map(() => null));
  });

  it("the personalized persona leaves what its person writes while it is being made, and is paid once a day", async () => {
    const user = await signIn();
    await add(user, "Prefers short answers");
    const own = `${PERSONALIZATION_MARKER}\nI write this myself.`;
    const ask = globalThis.fetch;
    const asked = vi.spyOn(globalThis, "fetch").mockImplementationOnce(async (...given) => {
      await user.take(updatePersona, { params: { id: user.user.id }, body: { personalization: own } });
      return ask(...given);
    });
    await refreshPersonalization(env, user.user.id);
    asked.mockRestore();
    expect((await sectionOf(user)).personalization).toBe(own);
    const spent = async () => (await user.take(getUsage, { query: { by: "day" } })).total;
    const before = await spent();
    expect(before).toBeGreaterThan(0);
    await user.take(updatePersona, { params: { id: user.user.id }, body: { personalization: "" } });
    await refreshPersonalization(env, user.user.id);
    expect((await sectionOf(user)).personalization).not.toBe(own);
    expect(await spent()).toBe(before);
  });

  it("the personalized persona is due once a day at most, and never while memory is off", async () => {
    const user = await signIn();
    const dueAt = () =>
      runInDurableObject(env.USER_HUB.getByName(user.user.id), (_, { storage }) =>
        storage.sql.exec<{ at: number | null }>("SELECT MAX(due_at) AS at FROM due_work WHERE kind = 'memory' AND id = 'upkeep'").one(),
      );
    await add(user, "Likes tea");
    await pass(user, 11 * 60_000);
    const at = Date.now();
    await add(user, "Lives in Porto");
    expect((await dueAt()).at).toBeGreaterThan(at + DAY - 60_000);
    await user.take(updateUser, { body: { memory_enabled: false } });
    const fact = `Keeps bees ${crypto.randomUUID()}`;
    await add(user, fact);
    await pass(user, 2 * DAY);
    // Whatever the queue brings late: no model is told.
    const asked: { path: string; body: unknown }[] = await (
      await fetch(`${new URL(env.AGGREGATOR_SIMULATOR).origin}/control/requests`)
    ).json();
    const models = asked.filter(({ path }) => path.endsWith("/chat/completions"));
    expect(models).not.toEqual([]);
    expect(JSON.stringify(models)).not.toContain(fact);
  });
});
