import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getImport, startImport } from "#shared/contracts/account/imports.ts";
import { listChats } from "#shared/contracts/chat/chats.ts";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import { openArchive, maxUnpackedBytes } from "#worker/account/imports/archive.ts";
import { createByteGate } from "#worker/account/imports/byte-gate.ts";
import { buildTree, EMPTY, type SourceNode } from "#worker/account/imports/chats/message-tree.ts";
import { readChatgptConversation } from "#worker/account/imports/chatgpt/chatgpt.ts";
import { readClaudeConversation } from "#worker/account/imports/claude/read-conversation.ts";
import { createJsonSpans } from "#worker/account/imports/json-spans.ts";
import { chatgptConversation, plainConversations, plainSteps, richConversation, text } from "#test/support/imports/chatgpt-export.ts";
import { richTalk } from "#test/support/imports/claude-export.ts";
import { importEnd, importFile, uploadImport } from "#test/support/imports/upload-import.ts";
import { zipOf } from "#test/support/imports/zip-of.ts";
import { until } from "#test/support/until.ts";
import { refusal, signIn } from "#test/support/worker.ts";

const SEED = 20261123;
/** A message of the queue brings 36. */
const CHATS_OF_TWO_MESSAGES = 40;
const CHATS_AT_ONCE = 6;
const FAKE_BYTES = 1_000_000;
const encoder = new TextEncoder();
const context = { archive: { entries: new Map<string, number>(), isZip: true }, models: (_maker: string, slug: string) => slug };

it("the splitter of JSON finds each element of an array, wherever the bytes are cut", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 8 }), fc.nat(), fc.boolean(), (values, cut, isIndented) => {
      const bytes = encoder.encode(JSON.stringify(values, null, isIndented ? 2 : undefined));
      const spans = createJsonSpans();
      const size = 1 + (cut % (bytes.byteLength + 1));
      const found = [];
      for (let at = 0; at < bytes.byteLength; at += size) found.push(...spans.push(bytes.subarray(at, at + size)));
      expect(spans.isComplete()).toBe(true);
      const read = found.map(({ from, length }): unknown => JSON.parse(new TextDecoder().decode(bytes.subarray(from, from + length))));
      expect(read).toEqual(JSON.parse(JSON.stringify(values)));
    }),
    { seed: SEED, numRuns: 300 },
  );
});

it("the splitter of JSON takes one object for the one element, and whatever else it is given without harm", () => {
  const spans = createJsonSpans();
  expect(spans.push(encoder.encode('\uFEFF {"a": "}\\"]"} '))).toMatchObject([{ from: 4, length: 13 }]);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      for (const { from, length } of createJsonSpans().push(bytes)) expect(from + length).toBeLessThanOrEqual(bytes.byteLength);
    }),
    { seed: SEED },
  );
});

it("the tree of a conversation loses no step and takes none twice, whatever the parents are", () => {
  const id = fc.constantFrom("a", "b", "c", "d", "e", "f", "g");
  const nodes = fc.uniqueArray(
    fc.record({
      id,
      parentId: fc.option(fc.oneof(id, fc.constant("gone"))),
      role: fc.constantFrom("user" as const, "assistant" as const, "hidden" as const),
    }),
    { selector: (node) => node.id },
  );
  fc.assert(
    fc.property(nodes, fc.option(id), (list, chosen) => {
      const steps = list.map((node): SourceNode => ({ ...node, body: { ...EMPTY, content: `<${node.id}>` } }));
      const { messages, headId } = buildTree(steps, chosen);
      const all = messages.map(({ content }) => content).join("");
      const times = (node: { id: string }) => all.split(`<${node.id}>`).length - 1;
      expect(list.filter(({ role }) => role !== "hidden").every((node) => times(node) > 0)).toBe(true);
      expect(list.filter(({ role }) => role === "user").every((node) => times(node) === 1)).toBe(true);
      const above = (index: number) => messages.slice(0, index).find(({ id: own }) => own === messages[index]?.parentId);
      const isSound = messages.map(({ parentId, role }, index) => {
        return role === "assistant" ? above(index)?.role === "user" : parentId === null || above(index) !== undefined;
      });
      expect(isSound).not.toContain(false);
      expect(headId === null).toBe(messages.length === 0);
    }),
    { seed: SEED, numRuns: 300 },
  );
});

it("the tree of a conversation is read of a hundred thousand steps in a row", () => {
  const steps = Array.from({ length: 100_000 }, (_, index): SourceNode => {
    const role = index % 2 === 0 ? "user" : "assistant";
    return { id: `${index}`, parentId: index === 0 ? null : `${index - 1}`, role, body: { ...EMPTY, content: "x" } };
  });
  expect(buildTree(steps, "99999").messages).toHaveLength(100_000);
});

describe("conversations with values of other types", () => {
  /** The same with one value, somewhere in it, replaced. */
  function replaced(value: unknown, place: { left: number }, put: unknown): unknown {
    if (place.left-- === 0) return put;
    if (Array.isArray(value)) return value.map((each) => replaced(each, place, put));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaced(each, place, put)]));
  }

  it.each([
    ["ChatGPT", readChatgptConversation, richConversation()],
    ["Claude", readClaudeConversation, richTalk()],
  ])("conversations with values of other types of %s are read as far as they go", (_whose, read, conversation) => {
    const odd = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(-1e308, 1e308, "\u0000\ud800", "9999-99-99", "__proto__"));
    fc.assert(
      fc.property(fc.nat({ max: 250 }), odd, (place, put) => {
        const made = read(replaced(conversation, { left: place }, put), context);
        const contents: unknown[] = typeof made === "string" ? [made] : made.messages.map(({ content }) => content);
        expect(contents.every((content) => typeof content === "string")).toBe(true);
      }),
      { seed: SEED, numRuns: 400 },
    );
  });
});

it("what an import has in memory is no more of an archive than may be unpacked in all", async () => {
  const key = `imports/test/${crypto.randomUUID()}/file`;
  const bytes = await zipOf({ "a.json": "a".repeat(3_000), "b.json": "b".repeat(3_000) });
  await env.FILES.put(key, bytes);
  const archive = await openArchive(env.FILES, { key, size: bytes.byteLength, name: "export.zip" }, 4_000);
  const drawn = async (name: string) => {
    let length = 0;
    const entry = archive?.stream(name);
    for (let next = await entry?.next(); next && !next.done; next = await entry?.next()) length += next.value.byteLength;
    return length;
  };
  expect([await drawn("a.json"), await drawn("b.json")]).toEqual([3_000, 1_000]);
});

it("what an import has in memory is counted as it is read as well, by several at once, and each time that an entry is read", async () => {
  const key = `imports/test/${crypto.randomUUID()}/file`;
  const bytes = await zipOf({ "a.json": "a".repeat(3_000), "b.json": "b".repeat(3_000) });
  await env.FILES.put(key, bytes);
  const archive = await openArchive(env.FILES, { key, size: bytes.byteLength, name: "export.zip" }, 10_000);
  const read = async (name: string, limit: number) => (await archive?.read(name, limit))?.byteLength;
  expect(await Promise.all([read("a.json", 3_000), read("b.json", 500), read("a.json", 3_000)])).toEqual([3_000, 500, 3_000]);
  expect([archive?.unpacked(), archive?.isExhausted()]).toEqual([6_500, false]);
  const lengths = await Promise.all([read("a.json", 3_000), read("b.json", 3_000)]);
  expect(lengths.reduce<number>((sum, length) => sum + (length ?? 0), 0)).toBe(3_500);
  expect([archive?.unpacked(), archive?.isExhausted()]).toEqual([10_000, true]);
});

it("what an import has in memory is no more of its files than there is room for, or one file", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 12 }), async (sizes) => {
      const gate = createByteGate(20);
      let now: number[] = [];
      const most = await Promise.all(
        sizes.map((size, index) =>
          gate(size, async () => {
            now.push(size);
            const occupied = { sum: now.reduce((sum, each) => sum + each, 0), files: now.length };
            for (let turn = 0; turn <= index % 3; turn += 1) await Promise.resolve();
            now = now.toSpliced(now.indexOf(size), 1);
            return occupied;
          }),
        ),
      );
      expect(most.every(({ sum, files }) => sum <= 20 || files === 1)).toBe(true);
      expect(most).toHaveLength(sizes.length);
    }),
    { seed: SEED },
  );
});

/** Conversations that each carry the file of this id, which the archive has once. */
function conversationsWith(fileId: string, count: number): string {
  const conversations = Array.from({ length: count }, (_, index) => {
    const steps = plainSteps([`Question ${index}`, "Answer"]).map((step) => {
      const attachments = [{ id: fileId, name: "holiday.png", mime_type: "image/png", size: 70 }];
      return step.message?.role === "user" ? { ...step, message: { ...step.message, metadata: { attachments } } } : step;
    });
    return chatgptConversation(steps, { title: `Conversation ${index}` });
  });
  return JSON.stringify(conversations);
}

it("a file that unpacks to too much ends its import with what is wrong once all messages together unpacked too much, and is deleted", async () => {
  const person = await signIn();
  const texts = JSON.stringify(plainConversations(3));
  const file = await zipOf({ "conversations.json": texts });
  const id = await uploadImport(person, file);
  // As earlier messages of it left it: some bytes may still be unpacked, and less than there are.
  const unpacked = maxUnpackedBytes(file.byteLength) - texts.length + 10;
  await env.DB.prepare("UPDATE imports SET unpacked = ? WHERE id = ?").bind(unpacked, id).run();
  await person.take(startImport, { params: { id } });
  const made = await importEnd(person, id);
  expect(made).toMatchObject({ state: "failed", error: expect.stringContaining("far larger than any export") });
  await until("its file to be deleted", async () => !(await person.take(getImport, { params: { id } })).import.can_retry);
  expect((await env.FILES.list({ prefix: `imports/${person.user.id}/` })).objects).toEqual([]);
  expect(refusal(await person.call(startImport, { params: { id } }))).toBe("CONFLICT");
});

it("a file that unpacks to too much is unpacked once where it is not what it is called, however many chats in however many messages name it", async () => {
  const person = await signIn();
  const texts = conversationsWith("file-AbC123photo", CHATS_OF_TWO_MESSAGES);
  const fake = new Uint8Array(FAKE_BYTES);
  const made = await importFile(person, await zipOf({ "conversations.json": texts, "file-AbC123photo-holiday.png": fake }));
  expect(made).toMatchObject({
    state: "done",
    counts: { chat: { came: CHATS_OF_TWO_MESSAGES }, file: { failed: CHATS_OF_TWO_MESSAGES } },
  });
  expect(new Set(made.notes.map(({ reason }) => reason))).toEqual(new Set(["It is not what its name says."]));
  const row = await env.DB.prepare("SELECT unpacked FROM imports WHERE id = ?").bind(made.id).first<{ unpacked: number }>();
  // The chats that come at the same time may each unpack it before one has found out.
  expect(row?.unpacked).toBeGreaterThanOrEqual(texts.length + FAKE_BYTES);
  expect(row?.unpacked).toBeLessThanOrEqual(texts.length + CHATS_AT_ONCE * FAKE_BYTES);
});

it("a hostile file has all its valid items imported, and each other one reported with why it was left out", async () => {
  const person = await signIn();
  const circle = chatgptConversation(
    [
      { id: "a", parent: "b", message: { role: "user", content: text("Which was first?"), at: Number.NaN } },
      { id: "b", parent: "a", message: { role: "assistant", content: text("The other."), at: 9e99 } },
    ],
    { title: "Circle", create_time: "never" },
  );
  const huge = chatgptConversation(plainSteps(["Say much", "m".repeat(2_500_000)]), { title: "Huge" });
  const deep = `{"mapping": {}, "deep": ${"[".repeat(500)}${"]".repeat(500)}}`;
  const parts = [
    ...plainConversations(2).map((each) => JSON.stringify(each)),
    JSON.stringify(circle),
    JSON.stringify(huge),
    deep,
    "7",
    '{"mapping": {"x": nonsense}}',
    JSON.stringify(chatgptConversation([], { title: "Nothing" })),
  ];
  const made = await importFile(person, await zipOf({ "conversations.json": `[${parts.join(",")}` }));
  expect(made).toMatchObject({ state: "done", counts: { chat: { came: 3, here: 0, failed: 5 } } });
  expect(made.notes.map(({ title, reason }) => `${title}: ${reason}`)).toEqual([
    "Number 5 in the file: It is nested too deeply to be what it says it is.",
    "conversations.json: This file is damaged or breaks off; what stands before that was read.",
    "Huge: It is too long to be imported.",
    "Number 6 in the file: It is not a conversation of ChatGPT.",
    "Number 7 in the file: It could not be read: this part of the file is damaged.",
    "Nothing: It has no messages.",
  ]);
  const { chats } = await person.take(listChats, {});
  expect(chats.map(({ title }) => title).toSorted()).toEqual(["Circle", "Conversation 0", "Conversation 1"]);
  const id = chats.find(({ title }) => title === "Circle")?.id ?? "";
  const { messages } = await person.take(listMessages, { params: { id } });
  expect(messages.map(({ content }) => content)).toEqual(["(This conversation began with an answer.)", "The other.", "Which was first?"]);
});
