import { expect, it } from "vitest";
import { importChat } from "#shared/contracts/chat/copies.ts";
import { search } from "#shared/contracts/search.ts";
import { ExportedChat } from "#shared/sharing/exported-chat.ts";
import { addressOfChat, deliver } from "#test/support/incoming.ts";
import { addMailToRoom } from "#test/support/mails.ts";
import { share, startSharedChat } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import type { Client } from "#test/support/worker.ts";

/** Asks until all was read, as the web does. */
async function find(client: Client, query: { q: string; kind?: "email" | "message" }) {
  const answer = await until("a whole answer", async () => {
    const now = await client.take(search, { query });
    return now.isIncomplete ? null : now;
  });
  return answer.hits;
}

async function exported(client: Client, chatId: string, format: "json" | "markdown"): Promise<string> {
  return (await client.fetch(`/api/chat/${chatId}/export?format=${format}`)).text();
}

it("a chat's mails are found by their subject, text and addresses, by those who may see them alone", async () => {
  const { owner, chatId, as } = await startSharedChat(["editor", "viewer"]);
  const from = `rui.${crypto.randomUUID().slice(0, 8)}@figueiredo.example`;
  const to = await addressOfChat(owner, chatId);
  await deliver({ from: `Rui Figueiredo <${from}>`, to, subject: "Hosting line", text: "The lighthouse is billed apart." });
  const [hit] = await until("the mail", async () => {
    const hits = await find(owner, { q: "lighthouse", kind: "email" });
    return hits.length === 1 ? hits : null;
  });
  expect(hit).toMatchObject({ kind: "email", chat: { id: chatId }, author: "Rui Figueiredo" });
  expect(hit?.snippet.text).toContain("The lighthouse is billed apart.");
  for (const q of ["in:emails hosting", `"${from}"`, "from:rui lighthouse"])
    expect(await find(owner, { q })).toMatchObject([{ id: hit?.id }]);
  expect(await find(as("editor"), { q: "lighthouse", kind: "email" })).toMatchObject([{ id: hit?.id }]);
  expect(await find(as("viewer"), { q: "lighthouse" })).toEqual([]);

  await share(owner, chatId, as("editor").email, "viewer");
  await until("the mails to be forgotten", async () => (await find(as("editor"), { q: "lighthouse" })).length === 0);
  expect(await find(owner, { q: "lighthouse", kind: "email" })).toHaveLength(1);
});

it("a chat's mails are in its exports for those who may see them, and a file with them can be imported", async () => {
  const { owner, chatId, as } = await startSharedChat(["viewer"]);
  await addMailToRoom(chatId, {
    from_addr: "marta@oliveira.example",
    from_name: "Marta",
    subject: "March *invoice*",
    text_body: "As it is.\n# No heading",
  });
  const json = ExportedChat.parse(JSON.parse(await exported(owner, chatId, "json")));
  expect(json.emails).toMatchObject([{ direction: "in", from_addr: "marta@oliveira.example", text_body: "As it is.\n# No heading" }]);
  const markdown = await exported(owner, chatId, "markdown");
  expect(markdown).toContain("## Emails\n\n### March \\*invoice\\*");
  expect(markdown).toContain("- From: Marta (marta@oliveira.example)");
  expect(markdown).toContain("> As it is.\n> # No heading");
  for (const format of ["json", "markdown"] as const) expect(await exported(as("viewer"), chatId, format)).not.toContain("oliveira");
  const { chat } = await owner.take(importChat, { body: json });
  expect(ExportedChat.parse(JSON.parse(await exported(owner, chat.id, "json"))).emails).toBeUndefined();
});
