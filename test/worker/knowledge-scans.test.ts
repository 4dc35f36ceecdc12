import { expect, it } from "vitest";
import { env } from "cloudflare:workers";
import { getUsage } from "#shared/contracts/account/usage.ts";
import { readKnowledgeScan } from "#shared/contracts/library/knowledge.ts";
import { SCAN_PAGE_DOLLARS } from "#shared/scans.ts";
import { readScanJob } from "#worker/library/knowledge/read-scan.ts";
import { indexOf } from "#worker/library/passages/passage-index/stub.ts";
import { countIfAllowed, daily, takeBackEvent } from "#worker/platform/http/rate-limit.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { indexed, make, makeTeam, read, readKnowledgeEntry, addKnowledgeFile } from "#test/support/knowledge.ts";
import { joinBytes, pdfOfPages } from "#test/support/office-files.ts";
import { type Client, type Person, refusal, signIn } from "#test/support/worker.ts";

const PAGES = ["Invoice 4711 of the boat yard.", "It is due in March."];

/** A PDF whose pages are pictures: what stands on them only the simulated engine sees. */
function scanOf(pages: readonly string[]): Uint8Array<ArrayBuffer> {
  const seen = pages.map((text) => `%scan: ${text}\n`).join("");
  return joinBytes(new TextEncoder().encode(`%PDF-1.4\n${seen}`), pdfOfPages(pages.map(() => "")));
}

/** An entry with a scan that was found to be one. */
async function withScan(person: Person, { pages = PAGES, team }: { pages?: readonly string[]; team?: string } = {}) {
  const { id } = await make(person, team === undefined ? {} : { team_id: team });
  const { id: fileId } = await addKnowledgeFile(person, id, { name: "Scan.pdf", body: scanOf(pages) });
  const [file] = (await read(person, id)).user_context_files;
  return { file, params: { id, fileId } };
}

const press = (client: Client, params: { id: string; fileId: string }) => client.call(readKnowledgeScan, { params });
const after = async (client: Client, id: string) => (await read(client, id)).user_context_files[0];
const spentOn = async (client: Client) => {
  const { usage } = await client.take(getUsage, { query: { by: "model" } });
  return usage.reduce((sum, { cost }) => sum + cost, 0);
};

it("a scanned PDF says that it holds no text, and is read page by page on a press, for no more than was said before", async () => {
  const user = await signIn();
  const { file, params } = await withScan(user);
  expect(file).toMatchObject({
    sync_status: "error",
    unread: "There is no text in this PDF: its pages may be pictures.",
    scan_pages: 2,
  });
  expect(await spentOn(user)).toBe(0);
  expect(await press(user, params)).toMatchObject({ status: 202, body: { file: { sync_status: "pending", unread: null } } });
  expect(await after(user, params.id)).toMatchObject({ sync_status: "synced", unread: null, pages: 2, scan_pages: null });
  const found = await indexOf(env, params.id).search({ query: "When is it due?", limit: 1 });
  expect(found).toMatchObject([{ page: 2, text: expect.stringContaining("due in March"), document: { name: "Scan.pdf" } }]);
  const spent = await spentOn(user);
  expect(spent).toBeGreaterThanOrEqual(2 * 0.002);
  expect(spent).toBeLessThanOrEqual(2 * SCAN_PAGE_DOLLARS);
  // It is read: a further press changes nothing and costs nothing.
  expect(await press(user, params)).toMatchObject({ status: 202, body: { file: { sync_status: "synced" } } });
  expect(await spentOn(user)).toBe(spent);
});

it("a scanned PDF is not read without credit, nor by others, and stays to be read where that fails, which costs nothing", async () => {
  const [user, member] = [await signIn(), await signIn()];
  const { params } = await withScan(user, { team: await makeTeam(user, member) });
  expect(refusal(await press(member, params))).toBe("FORBIDDEN");
  expect(refusal(await press(await signIn(), params))).toBe("NOT_FOUND");
  await env.FILES.delete((await env.FILES.list({ prefix: `contexts/${params.id}/` })).objects.map(({ key }) => key));
  await press(user, params);
  expect(await after(user, params.id)).toMatchObject({
    sync_status: "error",
    unread: "The pages could not be read as pictures. You paid nothing for it.",
    scan_pages: 2,
  });
  expect(await spentOn(user)).toBe(0);
  const hub = hubOf(env, user.user.id);
  await hub.reserveCall({ replyId: "all", generation: 0, amountMicros: (await hub.credits()) - 1_000 });
  await press(user, params);
  expect(await after(user, params.id)).toMatchObject({ unread: expect.stringContaining("credits don't suffice"), scan_pages: 2 });
  await hub.charge(null, "all");
});

it("a scanned PDF may fail so often a day, at the house's expense; what succeeds counts for nothing", async () => {
  const user = await signIn();
  const { params } = await withScan(user);
  const failures = `failed-scans:${user.user.id}`;
  let counted = 0;
  while (await countIfAllowed(env, failures, daily(20))) counted += 1;
  expect(counted).toBe(20);
  expect(await press(user, params)).toMatchObject({ status: 429, error: { error: expect.stringContaining("could not be read today") } });
  expect(await after(user, params.id)).toMatchObject({ sync_status: "error", scan_pages: 2 });
  await takeBackEvent(env, failures);
  await press(user, params);
  expect(await after(user, params.id)).toMatchObject({ sync_status: "synced" });
  // Its place is free again; a failure keeps it.
  const second = await withScan(user);
  await env.FILES.delete((await env.FILES.list({ prefix: `contexts/${second.params.id}/` })).objects.map(({ key }) => key));
  expect(await press(user, second.params)).toMatchObject({ status: 202 });
  expect(await after(user, second.params.id)).toMatchObject({ sync_status: "error", scan_pages: 2 });
  expect(await press(user, second.params)).toMatchObject({ status: 429 });
});

it("a scanned PDF that is being read is not called failed, and one that ended meanwhile is neither paid nor found", async () => {
  const user = await signIn();
  const { params } = await withScan(user);
  const { id: entryId, fileId: id } = params;
  const pending = (since: string) =>
    env.DB.prepare("UPDATE user_context_files SET sync_status = 'pending', reading = 'mine', reading_since = ? WHERE id = ?")
      .bind(since, id)
      .run();
  const readWhile = async (meanwhile: () => Promise<unknown>) => {
    const get = async (key: string) => {
      await meanwhile();
      return env.FILES.get(key);
    };
    await readScanJob.receive({ ...env, FILES: new Proxy(env.FILES, { get: () => get }) }, { contextId: entryId, id, reading: "mine" }, 1);
  };
  // Somebody else ended it, and it can be pressed again.
  await pending(new Date().toISOString());
  await readWhile(() => env.DB.prepare("UPDATE user_context_files SET sync_status = 'error', reading = NULL WHERE id = ?").bind(id).run());
  expect(await after(user, entryId)).toMatchObject({ sync_status: "error", scan_pages: 2 });
  expect(await indexed(entryId)).toEqual([]);
  expect(await spentOn(user)).toBe(0);
  // Its job came late, and somebody looks while it reads.
  await pending(new Date(Date.now() - 60 * 60_000).toISOString());
  await readWhile(async () => {
    expect((await readKnowledgeEntry(user, entryId)).user_context_files).toMatchObject([{ sync_status: "pending" }]);
  });
  expect(await after(user, entryId)).toMatchObject({ sync_status: "synced", scan_pages: null });
  expect(await spentOn(user)).toBeGreaterThan(0);
});

it("a scanned PDF whose pages hold no text at all says so", async () => {
  const user = await signIn();
  const { params } = await withScan(user, { pages: ["", ""] });
  await press(user, params);
  expect(await after(user, params.id)).toMatchObject({ sync_status: "error", unread: "There is no text on these pages." });
});
