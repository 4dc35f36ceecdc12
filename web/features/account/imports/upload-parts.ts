/** The upload of an export, part by part, which goes on while its dialog is closed and can be taken up again. */
import { beginImport, finishImportUpload, putImportPart } from "#shared/contracts/account/imports.ts";
import type { Import } from "#shared/imports/import.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { createStore } from "#web/lib/store.ts";
import { upload } from "#web/lib/upload.ts";

/** How far an upload is, 0 to 1, and why it stopped. */
export type Uploading = { name: string; part: number; error: string | null };

/** The upload of this tab; null for none. */
export const uploading = createStore<Uploading | null>(null);

/** A part that fails is sent again so often, after so many milliseconds and then twice as many. */
const TRIES = 4;
const PAUSE_MS = 1_000;

let stop = new AbortController();

/** True where a file is the one whose upload was begun. */
export function isSameFile(file: File, { name, size }: Pick<Import, "name" | "size">): boolean {
  return file.name === name && file.size === size;
}

/** Uploads a file, or what is missing of it, and has it recognised; null where it was called off or failed, which the store says. */
export async function uploadExport(file: File, begun: Import | null): Promise<Import | null> {
  stop.abort();
  stop = new AbortController();
  const { signal } = stop;
  uploading.set({ name: file.name, part: 0, error: null });
  try {
    const {
      id,
      part_bytes: partBytes,
      parts,
    } = begun ?? (await call(beginImport, { body: { id: crypto.randomUUID(), name: file.name, size: file.size } })).import;
    const here = new Set(parts);
    for (let number = 1, at = 0; at < file.size; number += 1, at += partBytes) {
      if (here.has(number)) continue;
      const body = file.slice(at, at + partBytes);
      const onProgress = (part: number) => uploading.set({ name: file.name, part: (at + part * body.size) / file.size, error: null });
      await tryOften(signal, () => upload(putImportPart, { params: { id, number } }, { body, signal, onProgress }));
    }
    const { import: recognised } = await call(finishImportUpload, { params: { id } });
    uploading.set(null);
    return recognised;
  } catch (error) {
    if (signal.aborted) return null;
    uploading.set({ name: file.name, part: 0, error: error instanceof Error ? error.message : "The upload broke off." });
    return null;
  }
}

/** Ends the upload of this tab. */
export function stopUpload(): void {
  stop.abort();
  uploading.set(null);
}

/** What another try may get past: a part that broke off, or a server with too many at once. */
const RETRIABLE: ReadonlySet<string> = new Set(["UPLOAD_BROKEN", "RATE_LIMITED"]);

/** A connection that breaks, or a server that stumbles, is given another chance; a refusal is not. */
async function tryOften<T>(signal: AbortSignal, send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      const isPassing = error instanceof ApiError && (error.status === 0 || error.status >= 500 || RETRIABLE.has(error.code));
      if (signal.aborted || !isPassing || attempt === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 2 ** (attempt - 1)));
    }
  }
}
