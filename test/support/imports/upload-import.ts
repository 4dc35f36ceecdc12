import { beginImport, finishImportUpload, getImport, putImportPart, startImport } from "#shared/contracts/account/imports.ts";
import { type Import, isUnderWay } from "#shared/imports/import.ts";
import { until } from "../until.ts";
import { addressOf, type Client } from "../worker.ts";

/** Begins an upload and answers its id. */
export async function beginUpload(client: Client, { name, size }: { name: string; size: number }): Promise<string> {
  return (await client.take(beginImport, { body: { id: crypto.randomUUID(), name, size } })).import.id;
}

/** Uploads a file to be imported, part by part, and has it recognised unless it is not to be finished; answers its id. */
export async function uploadImport(
  client: Client,
  bytes: Uint8Array,
  { name = "export.zip", isFinished = true }: { name?: string; isFinished?: boolean } = {},
): Promise<string> {
  const { import: begun } = await client.take(beginImport, { body: { id: crypto.randomUUID(), name, size: bytes.byteLength } });
  const { id, part_bytes: partBytes } = begun;
  for (let at = 0, number = 1; at < bytes.byteLength; at += partBytes, number += 1) {
    const part = new Uint8Array(bytes.subarray(at, at + partBytes));
    const response = await client.fetch(addressOf(putImportPart, { params: { id, number } }), { method: "PUT", body: part });
    if (!response.ok) throw new Error(`A part of an import was answered ${response.status}: ${await response.text()}`);
    await response.body?.cancel();
  }
  if (isFinished) await client.take(finishImportUpload, { params: { id } });
  return id;
}

/** Uploads a file, imports it and answers how that ended. */
export async function importFile(client: Client, bytes: Uint8Array, { name = "export.zip" }: { name?: string } = {}): Promise<Import> {
  const id = await uploadImport(client, bytes, { name });
  await client.take(startImport, { params: { id } });
  return importEnd(client, id);
}

/** Waits until an import is over. */
export async function importEnd(client: Client, id: string, deadlineMs = 60_000): Promise<Import> {
  return until(
    "an import's end",
    async () => {
      const { import: now } = await client.take(getImport, { params: { id } });
      return isUnderWay(now) ? null : now;
    },
    deadlineMs,
  );
}
