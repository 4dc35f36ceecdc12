import { beforeAll, describe, expect, it } from "vitest";
import { ENDPOINTS } from "#shared/contracts/all.ts";
import { getChat, updateChat } from "#shared/contracts/chat/chats.ts";
import type { Endpoint } from "#shared/contracts/endpoint.ts";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import { removeShare } from "#shared/contracts/chat/sharing.ts";
import { type Action, can, type Role } from "#shared/permissions.ts";
import { startChatAndRead } from "#test/support/replies.ts";
import { ask, NOT_FOUND, expectedStatus } from "#test/support/role-answers.ts";
import type { Target } from "#test/support/samples.ts";
import { share, shareIdOf } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { signIn, visitor } from "#test/support/worker.ts";

type Person = Awaited<ReturnType<typeof signIn>>;

/** Every call about a chat: a new one is tried as every role without a word here. */
const calls = Object.entries(ENDPOINTS).filter(([, { action }]) => action !== undefined);

/** What the sample takes of a call whose fields need more than the call itself. */
const SAMPLE_TAKES: Partial<Record<string, Action>> = { updateChat: "rename" };

/** Where a member's sound request is answered otherwise than the owner's. */
const MEMBERS_ANSWERS: Record<string, number> = { leaveChat: 200 };

const PRIVATE_TEXT = "between ourselves";

function expected(role: Role, name: string, endpoint: Endpoint): string {
  const action = SAMPLE_TAKES[name] ?? endpoint.action;
  if (action === undefined || !can(role, action)) return "403";
  return String(MEMBERS_ANSWERS[name] ?? expectedStatus(name, endpoint));
}

describe("the role matrix of a shared chat", () => {
  let owner: Person;
  let writer: Person;
  let onlooker: Person;
  let former: Person;
  let target: Target;

  beforeAll(async () => {
    [owner, writer, onlooker, former] = [await signIn(), await signIn(), await signIn(), await signIn()];
    target = await startChatAndRead(owner, `say ${PRIVATE_TEXT}`);
    await admit(former, "editor");
    const shareId = await shareIdOf(owner, target.chatId, former.email);
    await owner.take(removeShare, { params: { id: target.chatId, shareId } });
  });

  /** Lets someone in, again where the last call was their leaving, while no reply is under way that a call could meet. */
  async function admit(person: Person, level: "editor" | "viewer"): Promise<Person> {
    await share(owner, target.chatId, person.email, level);
    await until("the chat at rest", async () => !(await owner.take(getChat, { params: { id: target.chatId } })).chat.isStreaming);
    return person;
  }

  async function contents(): Promise<string[]> {
    const { messages } = await owner.take(listMessages, { params: { id: target.chatId } });
    return messages.map(({ content }) => content);
  }

  it.each(calls)("the role matrix of a shared chat: %s does for an editor what an editor may", async (name, endpoint) => {
    const editor = await admit(writer, "editor");
    expect(String((await ask(editor, name, endpoint, target)).status)).toBe(expected("editor", name, endpoint));
  });

  it.each(calls)(
    "the role matrix of a shared chat: %s does for a viewer what a viewer may, and changes nothing for others",
    async (name, endpoint) => {
      const viewer = await admit(onlooker, "viewer");
      const before = await contents();
      expect(String((await ask(viewer, name, endpoint, target)).status)).toBe(expected("viewer", name, endpoint));
      expect(await contents()).toEqual(before);
    },
  );

  it.each(calls)("the role matrix of a shared chat: %s is for an ex-member as if the chat did not exist", async (name, endpoint) => {
    const before = await contents();
    const { status, text } = await ask(former, name, endpoint, target);
    expect(`${status} ${text}`).toBe(NOT_FOUND);
    expect(await contents()).toEqual(before);
  });
});

describe("the role matrix of a published chat", () => {
  let reader: Person;
  let target: Target;

  beforeAll(async () => {
    reader = await signIn();
    const owner = await signIn();
    target = await startChatAndRead(owner, `say ${PRIVATE_TEXT}`);
    await owner.take(updateChat, { params: { id: target.chatId }, body: { public: true } });
  });

  it.each(calls)("the role matrix of a published chat: %s shows a reader nothing but where the public page is", async (name, endpoint) => {
    const { status, text } = await ask(reader, name, endpoint, target);
    expect(status).toBe(404);
    expect(text).toMatch(/"code":"(?:NOT_FOUND|PUBLIC_PAGE_ONLY)"/);
    expect(text).not.toContain(PRIVATE_TEXT);
  });

  it.each(calls)(
    "the role matrix of a published chat: %s asks a visitor for a session, or knows nothing of the chat",
    async (name, endpoint) => {
      const { status, text } = await ask(visitor(), name, endpoint, target);
      expect(status).toBe(endpoint.access === "visitor" ? 404 : 401);
      expect(text).not.toContain(PRIVATE_TEXT);
    },
  );
});
