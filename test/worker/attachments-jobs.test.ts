import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { putAttachment } from "#shared/contracts/chat/attachments.ts";
import type { FileFormat } from "#shared/attachment-rules.ts";
import { docx } from "#test/support/office-files.ts";
import { type Client, signIn } from "#test/support/worker.ts";
import { readParts } from "#worker/library/attachments/readers/read-parts.ts";
import { awaitReading, readUpload } from "#worker/library/attachments/read-upload.ts";

afterEach(() => void vi.restoreAllMocks());

const UNREADABLE = { ok: false, reason: "This file could not be read." };
const MODEL = { vision: false, takesFiles: false, contextLength: null };
const body = docx("<w:p><w:r><w:t>forty-seven lanterns</w:t></w:r></w:p>");

async function put(client: Client, name: string, bytes: Uint8Array | string) {
  const path = `/api/chat/${crypto.randomUUID()}/attachments/${crypto.randomUUID()}?name=${name}`;
  const response = await client.fetch(path, { method: "PUT", body: bytes });
  return putAttachment.response?.parse(await response.json()).attachment;
}

async function stored(bytes: Uint8Array) {
  const key = `chats/${crypto.randomUUID()}/attachments/${crypto.randomUUID()}/${crypto.randomUUID()}`;
  await env.FILES.put(key, bytes);
  return { kind: "file.read" as const, key, format: "docx" as FileFormat, size: bytes.byteLength };
}

it("an uploaded file that takes a parser is read by a job, and plain text at once", async () => {
  const client = await signIn();
  const send = vi.spyOn(env.READS, "send");
  expect(await put(client, "a.docx", body)).toMatchObject({ kind: "document", unread: null });
  expect(send).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ kind: "file.read", format: "docx", size: body.byteLength }));
  expect(await put(client, "b.csv", "1,2")).toMatchObject({ unread: null });
  expect(send).toHaveBeenCalledTimes(1);
});

it("an uploaded file keeps the same words however often its job comes", async () => {
  const job = await stored(body);
  for (const attempt of [1, 1, 2, 3]) {
    await readUpload(env, job, attempt);
    expect(await awaitReading(env.FILES, job.key, 0)).toEqual({ ok: true, text: "forty-seven lanterns", isComplete: true });
  }
});

it("an uploaded file that is gone by then leaves nothing behind", async () => {
  const job = await stored(body);
  await env.FILES.delete(job.key);
  await readUpload(env, job, 1);
  expect((await env.FILES.list({ prefix: job.key })).objects).toEqual([]);
});

it("an uploaded file whose reading ended the Worker again and again is left alone, and says so", async () => {
  const job = await stored(body);
  await readUpload(env, job, 3);
  expect(await awaitReading(env.FILES, job.key, 0)).toEqual(UNREADABLE);
});

it("an uploaded file that is read after its upload was answered goes to the model with its words", async () => {
  const job = await stored(body);
  const late = await awaitReading(env.FILES, job.key, 0);
  expect(late).toEqual({ ok: false, reason: "This file is still being read." });
  const [, chatId = "", , id = "", objectId = ""] = job.key.split("/");
  const file = {
    id,
    objectId,
    name: "a.docx",
    type: "text/plain",
    size: job.size,
    kind: "document" as const,
    characters: 0,
    isComplete: true,
  };
  const unread = late.ok ? null : late.reason;
  const partsJson = async () => {
    const parts = await readParts(env.FILES, { chatId, messages: [{ id: "m", files: [{ ...file, unread }] }] }, MODEL);
    return JSON.stringify(parts.get("m"));
  };
  expect(await partsJson()).toContain("still being read");
  await readUpload(env, job, 1);
  expect(await partsJson()).toContain("forty-seven lanterns");
});
