import type { Page } from "@playwright/test";
import { createTransport } from "nodemailer";
import * as z from "zod/mini";
import type { ExportedMessage } from "#shared/sharing/exported-chat.ts";
import { callApi, messagesOf, startChat } from "../../e2e/fixtures/api.ts";
import { exportedChat } from "../../support/exported-chat.ts";
import { chatgptConversation, plainSteps, richConversation } from "../../support/imports/chatgpt-export.ts";
import { until } from "../../support/until.ts";
import { ANSWER, CODE_ANSWER, CODE_QUESTION, MONDAYS, QUESTION, REVIEW, SOURCES, TABLES_ANSWER, TABLES_QUESTION } from "./answers.ts";
import { CHECKED, COMPARED } from "./compared.ts";
import { OWNER } from "./people.ts";
import { phoned } from "./phoned.ts";
import { LONG_TITLE, TITLES } from "./titles.ts";

const Imported = z.object({ chat: z.object({ id: z.string() }) });
const Begun = z.object({ import: z.object({ id: z.string() }) });
const State = z.object({ import: z.object({ state: z.string() }) });
const Mails = z.object({ address: z.string() });
const Listed = z.object({ chats: z.array(z.object({ id: z.string(), title: z.string() })) });

const DAY_S = 86_400;
/** Of the chat that was imported with a picture, a search, thoughts and two answers to one question. */
const RICH_TITLE = "Lake Thun, the picture";

type Around = { team: string; colleague: Page };

/** Chats of half a year, some of them rich, shared, mailed, waiting or failed; answers the ids of those. */
export async function makeChats(owner: Page, { team, colleague }: Around) {
  const post = (path: string, body: unknown) => callApi(owner, { method: "POST", path, body });
  await importPast(owner);
  const importedChat = await fileThem(owner);
  const phoneChat = await phoned(owner);

  const dialogue = (texts: readonly string[], rest: Partial<ExportedMessage> = {}) => {
    const ids = texts.map(() => crypto.randomUUID());
    const at = (n: number) => new Date(Date.now() - (texts.length - n) * 240_000).toISOString();
    return texts.map((content, n) => {
      const isAnswer = n % 2 === 1;
      const own = isAnswer ? { model_id: "anthropic/claude-sonnet-4.5", cost: 0.0123, ...rest } : { author: OWNER.name };
      return {
        id: ids[n] ?? "",
        parent_id: ids[n - 1] ?? null,
        role: isAnswer ? "assistant" : "user",
        content,
        created_at: at(n),
        ...own,
      } as const;
    });
  };
  const importChat = async (title: string, messages: ReturnType<typeof dialogue>) =>
    Imported.parse(await post("/api/chats/import", exportedChat(messages, { title }))).chat.id;
  const turns = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? `${n / 2 + 1}. ${QUESTION}` : ANSWER.slice(0, 400 + n * 20)));
  const longChat = await importChat(LONG_TITLE, dialogue(turns));
  const codeChat = await importChat(
    "Nights of a battery, as a function",
    dialogue([CODE_QUESTION, CODE_ANSWER], { model_id: "openai/gpt-5-mini" }),
  );
  const tablesChat = await importChat("What each quay takes", dialogue([TABLES_QUESTION, TABLES_ANSWER]));
  const publicChat = await importChat("Why harbours turn to amber light", dialogue([QUESTION, ANSWER]));
  await callApi(owner, { method: "PATCH", path: `/api/chat/${publicChat}`, body: { public: true } });
  const sharedChat = await importChat("Tender: who writes what", dialogue([QUESTION, ANSWER]));
  await post(`/api/chat/${sharedChat}/share`, { type: "team", teamId: team, permissionLevel: "editor" });
  await post(`/api/chat/${sharedChat}/share`, { type: "user", email: "marta@oliveira.example", permissionLevel: "viewer", invite: true });
  const { chatId: theirs } = await startChat(colleague, "say Larch it is: the offers differ by 4 %.");
  await callApi(colleague, {
    method: "POST",
    path: `/api/chat/${theirs}/share`,
    body: { type: "user", email: OWNER.email, permissionLevel: "editor" },
  });

  const [comparedChat = "", checkedChat = ""] = await Promise.all(
    [COMPARED, CHECKED].map(({ title, question, content, citations, tool_rounds }) =>
      importChat(title, dialogue([question, content], { citations, tool_rounds, cost: 0.0655 })),
    ),
  );

  const thought = "The question has two parts: brightness by the standard, and energy. I should give the class, then compute the nights.";
  const grounded = { citations: SOURCES, reasoning: thought, reasoning_ms: 6_400 };
  const chat = await importChat(
    "Harbour lanterns: how bright, how long",
    dialogue([QUESTION, ANSWER, "And in summer?", "In June a night has six hours, so the same battery lasts **22 nights**."], grounded),
  );

  const mail = {
    to: ["marta@oliveira.example"],
    subject: "Offer for 48 lanterns",
    body: "Dear Marta,\n\nattached is our offer for 48 lanterns at 610 euros each. It holds until 15 December.\n\nKind regards\nLena",
  };
  const waitingChat = await started(owner, `call sendEmail ${JSON.stringify(mail)}\nthen\nsay Sent.`, ["email"], "waiting");
  await callApi(owner, { method: "PATCH", path: `/api/chat/${waitingChat}`, body: { title: "Offer to Marta" } });
  const memoryChat = await remembered(owner);
  const failedChat = await started(owner, "What does larch cost by the metre?\nfault 402", [], "failed");
  const rich = { importedChat, comparedChat, checkedChat, phoneChat, memoryChat };
  return { ...rich, chat, longChat, codeChat, tablesChat, publicChat, sharedChat, waitingChat, failedChat, mailChat: await mailed(owner) };
}

/** Brings the plain chats with the times at which they were begun. */
async function importPast(owner: Page): Promise<void> {
  const now = Date.now() / 1000;
  const begunAt = (conversation: unknown, begun: number): unknown =>
    JSON.parse(JSON.stringify(conversation), (key, value: unknown) => (/^(create|update)_time$/.test(key) ? begun : value));
  const conversations = TITLES.map((title, n) => {
    const steps = plainSteps([`${title}: where do I begin?`, ANSWER, "And then?", "Then measure again in January."]);
    return begunAt(chatgptConversation(steps, { title }), now - ((n * n) / 18 + 0.3) * DAY_S);
  });
  const rich = begunAt({ ...richConversation(), title: RICH_TITLE }, now - 20.1 * DAY_S);
  const data = Buffer.from(JSON.stringify([...conversations, rich]));
  const body = { id: crypto.randomUUID(), name: "conversations.json", size: data.byteLength };
  const { id } = Begun.parse(await callApi(owner, { method: "POST", path: "/api/imports", body })).import;
  await owner.request.put(`/api/imports/${id}/parts/1`, { data, headers: { origin: process.env["E2E_URL"] ?? "" } });
  await callApi(owner, { method: "POST", path: `/api/imports/${id}/uploaded` });
  await callApi(owner, { method: "POST", path: `/api/imports/${id}/start` });
  await until("the import's end", async () => {
    const { state } = State.parse(await callApi(owner, { method: "GET", path: `/api/imports/${id}` })).import;
    return state === "done";
  });
}

/** Puts some chats into folders and under tags; answers the id of the richest that was imported. */
async function fileThem(owner: Page): Promise<string> {
  const post = (path: string, body: unknown) => callApi(owner, { method: "POST", path, body });
  const { chats } = Listed.parse(await callApi(owner, { method: "GET", path: "/api/chats?limit=50" }));
  const ids = chats.map(({ id }) => id);
  const folders = ["Harbour promenade", "Home", "Studio"].map((name) => ({ id: crypto.randomUUID(), name }));
  for (const folder of folders) await post("/api/folders", folder);
  await post("/api/folders", { id: crypto.randomUUID(), name: "Offers and invoices", parent_id: folders[2]?.id });
  for (const [n, { id }] of folders.entries())
    await post("/api/folders/chats", { chat_ids: ids.slice(n * 6 + 4, n * 6 + 10), folder_id: id });
  await post("/api/tags/chats", { chat_ids: ids.slice(2, 9), add: ["light"] });
  await post("/api/tags/chats", { chat_ids: ids.slice(5, 12), add: ["committee"] });
  await post("/api/tags/chats", { chat_ids: ids.slice(7, 8), add: ["to read", "Lisbon"] });
  for (const id of ids.slice(1, 4)) await callApi(owner, { method: "PATCH", path: `/api/chat/${id}`, body: { isPinned: true } });
  return chats.find(({ title }) => title === RICH_TITLE)?.id ?? "";
}

/** A chat in which facts were remembered and one was forgotten. */
async function remembered(owner: Page): Promise<string> {
  const review = 'call saveMemory {"fact":"Thursday review is at 14:00, with Hanna and Karim"}';
  const chatId = await started(owner, `${review}\nthen\nsay ${REVIEW}`, [], "done");
  await callApi(owner, { method: "PATCH", path: `/api/chat/${chatId}`, body: { title: "Team onboarding notes" } });
  const { id: parent = null } = (await messagesOf(owner, chatId)).at(-1) ?? {};
  const content = `call saveMemory {"fact":"Tomás reports on Mondays"}\ncall forgetMemory {"handle":"m6"}\nthen\nsay ${MONDAYS}`;
  const body = { id: crypto.randomUUID(), parent_id: parent, content, model_id: "openai/gpt-5-mini", tool_categories: [] };
  await callApi(owner, { method: "POST", path: `/api/chat/${chatId}/messages`, body });
  await until("what was remembered", async () => {
    const messages = await messagesOf(owner, chatId);
    return messages.length === 4 && messages.at(-1)?.status === "done";
  });
  return chatId;
}

async function started(owner: Page, content: string, tools: string[], end: string): Promise<string> {
  const chatId = crypto.randomUUID();
  const body = { id: crypto.randomUUID(), parent_id: null, content, model_id: "openai/gpt-5-mini", tool_categories: tools };
  await callApi(owner, { method: "POST", path: `/api/chat/${chatId}/messages`, body });
  await until(`the end "${end}"`, async () => {
    const last = (await messagesOf(owner, chatId)).at(-1);
    // A call may be done before the answer is that it is part of.
    return last?.status === end || (end !== "done" && last?.tool_calls.some(({ status }) => status === end));
  });
  return chatId;
}

/** A chat that was written to by its owner and by a stranger. */
async function mailed(owner: Page): Promise<string> {
  const chatId = await started(owner, "say Send me the proofs by mail and I read them.", [], "done");
  await callApi(owner, { method: "PATCH", path: `/api/chat/${chatId}`, body: { title: "Proofs of the brochure" } });
  const { address } = Mails.parse(await callApi(owner, { method: "GET", path: `/api/chat/${chatId}/emails` }));
  const smtp = createTransport({ host: "127.0.0.1", port: Number(process.env["E2E_SMTP_PORT"]), secure: false, ignoreTLS: true });
  const attachments = [{ filename: "proof-2.txt", content: "Page 3 still says steel." }];
  const from = `${OWNER.name} <${OWNER.email}>`;
  await smtp.sendMail({
    from,
    to: address,
    subject: "Second proof of the brochure",
    text: "Page 3 still says steel where it is larch now. Anything else?",
    attachments,
  });
  await until(
    "the answer to the mail",
    async () => (await messagesOf(owner, chatId)).filter(({ status }) => status === "done").length >= 4,
  );
  await smtp.sendMail({
    from: "Eve Lund <eve@elsewhere.example>",
    to: address,
    subject: "A better printer",
    text: "Dear Sirs,\n\nwe print at half the price.",
  });
  smtp.close();
  return chatId;
}
