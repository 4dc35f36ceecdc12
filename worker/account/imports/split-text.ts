import { ImportKind } from "#shared/imports/import.ts";
import { addCounts, type Importing, type Plan, type PlanItem, unreadable } from "./source.ts";
import { createJsonSpans, type Span } from "./json-spans.ts";

/** Unpacked texts go to storage in parts of so many bytes. */
const PART_BYTES = 8 * 1024 * 1024;
/** Conversations of one import. */
const ITEMS_MAX = 50_000;
/** One conversation in bytes: it is in memory several times over while it is read. */
const ITEM_BYTES = 12 * 1024 * 1024;
/** Deeper than anyone's export is nested; what is beyond costs a stack. */
const DEPTH_MAX = 200;

/** What its elements are, and how a report says where they stand. */
type Named = { kind: string; place: string };

/**
 * Finds the elements of a JSON array in a file of the archive. What is packed is unpacked beside it on the way, as only that can be read
 * by ranges later.
 */
export async function splitText(importing: Importing, name: string, { kind, place }: Named, plan: Plan): Promise<void> {
  const { archive, env, folder } = importing;
  const noted = ImportKind.safeParse(kind).data ?? "setting";
  const isPacked = archive.isZip;
  const spans = createJsonSpans();
  const text = isPacked ? `text-${new Set(plan.items.map((item) => item.name)).size}` : name;
  const writer = isPacked ? createWriter(env.FILES, `${folder}${text}`) : null;
  let number = 0;
  let isFull = false;
  try {
    const bytes = archive.stream(name);
    for (let next = await bytes.next(); ; next = await bytes.next()) {
      if (next.done) {
        if (next.value.isCut || !spans.isComplete()) plan.notes.push({ kind: noted, title: name, reason: endOf(spans.isOther()) });
        break;
      }
      for (const span of spans.push(next.value)) {
        number += 1;
        if (plan.items.length < ITEMS_MAX) take(plan, { kind, name: text, ...span, title: `Number ${number} in ${place}` });
        else isFull = true;
      }
      await writer?.write(next.value);
    }
    await writer?.end();
  } catch (cause) {
    await writer?.abort();
    throw cause;
  }
  if (isFull) plan.notes.push({ kind: noted, title: name, reason: `It has more than ${ITEMS_MAX} of them; the rest was left out.` });
}

function take(plan: Plan, { depth, ...item }: PlanItem & Span): void {
  const problem =
    item.length > ITEM_BYTES
      ? "It is too long to be imported."
      : depth > DEPTH_MAX
        ? "It is nested too deeply to be what it says it is."
        : null;
  if (problem === null) {
    plan.items.push(item);
    return;
  }
  const { counts, notes } = unreadable(item, problem);
  plan.notes.push(...notes);
  plan.counts = addCounts(plan.counts, counts);
}

function endOf(isOther: boolean): string {
  return isOther ? "This file is no list of what its name says." : "This file is damaged or breaks off; what stands before that was read.";
}

type Writer = { write(bytes: Uint8Array): Promise<void>; end(): Promise<void>; abort(): Promise<void> };

/** Writes an object of unknown length, part by part; nothing is begun before there are bytes for more than one. */
function createWriter(files: R2Bucket, key: string): Writer {
  let part = new Uint8Array(PART_BYTES);
  let filled = 0;
  let upload: R2MultipartUpload | null = null;
  const stored: R2UploadedPart[] = [];
  async function flush(): Promise<void> {
    upload ??= await files.createMultipartUpload(key);
    stored.push(await upload.uploadPart(stored.length + 1, part.subarray(0, filled)));
    part = new Uint8Array(PART_BYTES);
    filled = 0;
  }
  return {
    async write(bytes) {
      for (let at = 0; at < bytes.byteLength;) {
        const taken = bytes.subarray(at, at + PART_BYTES - filled);
        part.set(taken, filled);
        filled += taken.byteLength;
        at += taken.byteLength;
        if (filled === PART_BYTES) await flush();
      }
    },
    async end() {
      if (!upload) await files.put(key, part.subarray(0, filled));
      else {
        if (filled > 0) await flush();
        await upload.complete(stored);
      }
    },
    async abort() {
      // A failure to do so must not hide why; the storage drops parts without an end by itself.
      await upload?.abort().catch(() => undefined);
    },
  };
}

/** The text of an item: a range of the upload, or of what was unpacked beside it. Throws where it is gone. */
export async function readItemText({ env, folder, archive }: Importing, { name, from, length }: PlanItem): Promise<string> {
  const key = `${folder}${archive.isZip ? name : "file"}`;
  const object = await env.FILES.get(key, { range: { offset: from, length } });
  if (!object) throw new Error("What was unpacked of an import is gone.");
  return object.text();
}
