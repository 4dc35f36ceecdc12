import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import {
  deleteAccountExport,
  downloadAccountExport,
  getAccountExport,
  startAccountExport,
} from "#shared/contracts/account/account-export.ts";
import { createPersona } from "#shared/contracts/library/personas.ts";
import { createPrompt } from "#shared/contracts/library/prompts.ts";
import { ExportedChat } from "#shared/sharing/exported-chat.ts";
import { listChats } from "#shared/contracts/chat/chats.ts";
import { ageSignIn } from "#test/support/sign-in.ts";
import { fullAccount, SECRET_TOKEN } from "#test/support/full-account.ts";
import { startSharedChat } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { downloaded, exportedAccount, madeExport, storedSegments } from "#test/support/account-export.ts";
import { runNight } from "#test/support/night.ts";
import { CHEAP_MODEL, startChatAndRead } from "#test/support/replies.ts";
import { addressOf, refusal, signIn, visitor } from "#test/support/worker.ts";

it("an export of everything holds all that one made, and no key, token or password", async () => {
  const person = await fullAccount();
  const zip = await exportedAccount(person);

  const details = zip.json(zip.named(/^chats\/.*Harbour.*\/details\.json$/));
  const file = zip.named(/^chats\/.*Harbour.*\/files\/.*notes\.md$/);
  expect(zip.text(file)).toBe("# The harbour");
  expect(details).toMatchObject({ is_pinned: true, archived: false, files: [{ path: file, name: "notes.md" }] });
  const chat = ExportedChat.parse(zip.json(zip.named(/^chats\/[^/]*Harbour[^/]*\.json$/)));
  // The question, its other wording, and an answer to each.
  expect(chat.messages).toHaveLength(4);
  expect(zip.text(zip.named(/^chats\/.*Harbour.*\.eml$/))).toContain("Subject: Tide tables");
  expect(zip.json("library/personas.json")).toMatchObject([{ name: "Skipper", is_default: true, versions: [{ content: "Speak up." }] }]);
  expect(zip.json("memory/memories.json")).toMatchObject([{ text: "Sails a sloop." }]);
  expect(zip.json("schedules/schedules.json")).toMatchObject([{ text: "say Good morning.", state: "active" }]);
  expect(zip.text(zip.named(/^knowledge\/Ports \(.*\/files\/.*pilot\.txt$/))).toBe("Keep the buoy to port.");
  expect(zip.json(zip.named(/^knowledge\/Ports.*entry\.json$/))).toMatchObject({ text_content: "Hamburg, Kiel." });
  expect(zip.text(zip.named(/^artifacts\/Log \([^/]*\.md$/))).toBe("Second.");
  expect(zip.text(zip.named(/^artifacts\/Log.*versions\/00001\.md$/))).toBe("First.");
  expect(zip.json("profile/settings.json")).toMatchObject({
    notify_replies: true,
    time_zone: "Europe/Berlin",
    triggered_daily_budget: 0.5,
  });
  expect(zip.json("profile/tools.json")).toMatchObject([{ tool_id: "parallelWebSearch", enabled: false }]);
  expect(zip.json("profile/mcp-connections.json")).toMatchObject([{ name: "Vault", auth_type: "bearer" }]);
  expect(zip.json("profile/addresses.json")).toMatchObject([{ email: `also-${person.email}` }]);
  expect(zip.text("usage/ledger-001.csv")).toContain(",grant,");
  expect(zip.json("usage/ledger-001.json")).toEqual(expect.arrayContaining([expect.objectContaining({ paid_by: "self" })]));
  expect(zip.json("account.json")).toMatchObject({ left_out: [] });

  const all = zip.names.map((name) => zip.text(name)).join("\n");
  for (const secret of [SECRET_TOKEN, "credentials", "mail_token", "hash", "object_key"]) expect(all).not.toContain(secret);
  for (const [name] of person.cookies) expect(all).not.toContain(person.cookies.get(name));
});

it("an export of everything has chats of others as far as one may export them, in a place of their own, and nobody else's", async () => {
  const { owner, as, chatId } = await startSharedChat(["viewer"], "say shared words");
  const stranger = await startChatAndRead(owner, "say private words", CHEAP_MODEL);
  const viewer = as("viewer");
  await until("the chat on the list", async () => (await viewer.take(listChats, { query: {} })).chats.length > 0);
  const zip = await exportedAccount(viewer);
  expect(zip.text(zip.named(new RegExp(`^shared-chats/.*\\(${chatId.slice(0, 8)}\\)\\.md$`)))).toContain("shared words");
  expect(zip.names.some((name) => name.startsWith("chats/"))).toBe(false);
  const all = zip.names.map((name) => zip.text(name)).join("\n");
  expect(all).not.toContain("private words");
  expect(all).not.toContain(stranger.chatId);
  expect(all).not.toContain(owner.email);
});

it("an export of everything holds chats with all branches as JSON and as Markdown, and the library", async () => {
  const person = await signIn();
  const { chatId } = await startChatAndRead(person, "say Grüße aus Köln", CHEAP_MODEL);
  await person.take(createPersona, { body: { name: "Pirate", content: "Speak like one." } });
  await person.take(createPrompt, { body: { name: "Ask", content: "Say {{what}}." } });

  const zip = await exportedAccount(person);

  const json = zip.named(new RegExp(`^chats/.*\\(${chatId.slice(0, 8)}\\)\\.json$`));
  const chat = ExportedChat.parse(zip.json(json));
  expect(chat.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(zip.text(json.replace(/json$/, "md"))).toContain("Grüße aus Köln");
  expect(zip.json("library/personas.json")).toMatchObject([{ name: "Pirate", content: "Speak like one.", versions: [] }]);
  expect(zip.json("library/prompts.json")).toMatchObject([{ name: "Ask", content: "Say {{what}}." }]);
  expect(zip.json("profile/profile.json")).toMatchObject({ id: person.user.id, email: person.email });
  expect(zip.json("account.json")).toMatchObject({
    format: "polylogue-account",
    version: 1,
    account_id: person.user.id,
    counts: { chats: 1, personas: 1, prompts: 1 },
    left_out: [],
  });
  expect(zip.text("README.txt")).toContain("Nothing was left out.");
});

it("an export of everything is served in ranges, to be saved and never kept by anything in between", async () => {
  const person = await signIn();
  const { id, size } = await madeExport(person);
  const archive = await downloaded(person, id);
  expect(archive.length).toBe(size);
  const path = addressOf(downloadAccountExport, { params: { id } });
  const part = await person.fetch(path, { headers: { range: "bytes=100-299" } });
  expect(part.status).toBe(206);
  expect(part.headers.get("content-range")).toBe(`bytes 100-299/${size}`);
  expect(part.headers.get("cache-control")).toContain("no-store");
  expect(part.headers.get("content-disposition")).toMatch(/^attachment; filename="polylogue-\d{4}-\d\d-\d\d\.zip"$/);
  expect(new Uint8Array(await part.arrayBuffer())).toEqual(archive.slice(100, 300));
  const end = await person.fetch(path, { headers: { range: "bytes=-22" } });
  expect(new Uint8Array(await end.arrayBuffer())).toEqual(archive.slice(-22));
  const beyond = await person.fetch(path, { headers: { range: `bytes=${size}-` } });
  expect(beyond.status).toBe(416);
  const other = await person.fetch(path, { headers: { range: "bytes=0-9", "if-range": '"another"' } });
  expect(other.status).toBe(200);
  await other.arrayBuffer();
});

it("an export of everything is nobody else's: a leaked link opens nothing", async () => {
  const person = await signIn();
  const { id } = await madeExport(person);
  const path = addressOf(downloadAccountExport, { params: { id } });
  const other = await signIn();
  expect((await other.fetch(path)).status).toBe(404);
  expect(refusal(await other.call(deleteAccountExport, { params: { id } }))).toBe("NOT_FOUND");
  expect(refusal(await other.call(startAccountExport, { body: { id } }))).toBe("CONFLICT");
  expect((await visitor().fetch(path)).status).toBe(401);
  expect((await other.take(getAccountExport, {})).export).toBeNull();
});

it("an export of everything needs a fresh sign-in", async () => {
  const person = await signIn();
  await ageSignIn(person, 61);
  expect(refusal(await person.call(startAccountExport, { body: { id: crypto.randomUUID() } }))).toBe("FRESH_SIGN_IN_REQUIRED");
});

it("an export of everything is made three times a day, in place of the one before", async () => {
  const person = await signIn();
  const first = await madeExport(person);
  const second = await madeExport(person);
  await madeExport(person);
  expect((await person.fetch(addressOf(downloadAccountExport, { params: { id: first.id } }))).status).toBe(404);
  expect((await storedSegments(person.user.id)).every((key) => !key.includes(first.id) && !key.includes(second.id))).toBe(true);
  expect(refusal(await person.call(startAccountExport, { body: { id: crypto.randomUUID() } }))).toBe("RATE_LIMITED");
});

it("an export of everything goes when it is deleted, with all that is stored of it", async () => {
  const person = await signIn();
  const { id } = await madeExport(person);
  await person.take(deleteAccountExport, { params: { id } });
  expect(await storedSegments(person.user.id)).toEqual([]);
  expect((await person.take(getAccountExport, {})).export).toBeNull();
});

it("an export of everything goes when its day is over", async () => {
  const person = await signIn();
  const { id } = await madeExport(person);
  await env.DB.prepare("UPDATE account_exports SET expires_at = ? WHERE id = ?").bind("2020-01-01T00:00:00.000Z", id).run();
  expect((await person.fetch(addressOf(downloadAccountExport, { params: { id } }))).status).toBe(404);
  expect((await person.take(getAccountExport, {})).export).toBeNull();
  await runNight(person.user.id);
  expect(await storedSegments(person.user.id)).toEqual([]);
  expect(await env.DB.prepare("SELECT id FROM account_exports WHERE id = ?").bind(id).first()).toBeNull();
});
