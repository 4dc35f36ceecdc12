import { transcribe } from "#shared/contracts/chat/transcriptions.ts";
import { RECORDING_MS } from "#shared/limits.ts";
import { ApiError } from "#web/lib/api.ts";
import { upload } from "#web/lib/upload.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { dropRecording, type Entry, storeChunk, openEntry, takeRecordings } from "#web/lib/recording-store.ts";
import { explainMicrophone } from "./microphone-errors.ts";
import { openRecorder, type Recorder } from "./recorder.ts";
import { prepareInsertion, type Place, setWaiting, voices } from "./voices.ts";

/** Refusals that another try with the same recording may get past; those of a failing server are among them anyway. */
const PASSING: ReadonlySet<string> = new Set(["OFFLINE", "RATE_LIMITED", "INSUFFICIENT_CREDITS", "STILL_RUNNING", "UPLOAD_BROKEN"]);

/** Records at a draft's cursor until it is confirmed, then has it transcribed and writes the words there; it never sends. */
export async function startRecording(draftKey: string, place: Place, userId: string): Promise<void> {
  if (voices.get(draftKey)) return;
  const entry = openEntry({ draftKey, userId });
  const at = Date.now();
  const insert = prepareInsertion(draftKey, place);
  const chunks: Blob[] = [];
  let isCalledOff = false;
  let limit: ReturnType<typeof setTimeout> | undefined;
  voices.set(draftKey, {
    kind: "opening",
    cancel() {
      isCalledOff = true;
      voices.set(draftKey, null);
      dropRecording(entry);
    },
  });
  let recorder: Recorder;
  try {
    recorder = await openRecorder({
      onChunk(piece) {
        storeChunk(entry, chunks.length, piece);
        chunks.push(piece);
      },
      onEnd() {
        clearTimeout(limit);
        voices.set(draftKey, null);
        void transcribeRecording({ entry, recording: new Blob(chunks, { type: chunks[0]?.type ?? "" }), at, insert });
      },
    });
  } catch (error) {
    if (isCalledOff) return;
    voices.set(draftKey, null);
    dropRecording(entry);
    toast({ ...explainMicrophone(error), tone: "danger" });
    return;
  }
  if (isCalledOff) return recorder.abort();
  limit = setTimeout(recorder.stop, RECORDING_MS);
  voices.set(draftKey, {
    kind: "recording",
    startedAt: Date.now(),
    level: recorder.level,
    confirm: recorder.stop,
    cancel() {
      clearTimeout(limit);
      recorder.abort();
      voices.set(draftKey, null);
      dropRecording(entry);
    },
  });
}

/** Offers the recordings that earlier pages left. */
export async function offerUntranscribedRecordings(draftKey: string, userId: string): Promise<void> {
  for (const { entry, recording, at } of await takeRecordings({ draftKey, userId })) {
    const insert = prepareInsertion(draftKey, { start: Number.MAX_SAFE_INTEGER, end: Number.MAX_SAFE_INTEGER });
    const recorded = { entry, recording, at, insert };
    keep(recorded, { message: "A recording is not transcribed yet.", retry: () => void transcribeRecording(recorded) });
  }
}

/** A recording, and how its words come into the draft. */
type Recorded = { entry: Entry; recording: Blob; at: number; insert: (words: string) => void };

async function transcribeRecording(recorded: Recorded): Promise<void> {
  const { entry, recording, at, insert } = recorded;
  const retry = () => void transcribeRecording(recorded);
  if (recording.size === 0) return keep(recorded, { message: "Nothing was recorded.", retry: null });
  const abort = new AbortController();
  setWaiting(entry.draftKey, entry.id, { id: entry.id, at, kind: "transcribing", cancel: () => abort.abort() });
  try {
    const { text } = await upload(transcribe, {}, { body: recording, signal: abort.signal, onProgress: () => undefined });
    if (text === "") return keep(recorded, { message: "No words were heard in the recording.", retry: null });
    insert(text);
    return forget(entry);
  } catch (error) {
    if (abort.signal.aborted) return keep(recorded, { message: "The recording is not transcribed yet.", retry });
    if (!(error instanceof ApiError)) throw error;
    const canRetry = error.status >= 500 || PASSING.has(error.code);
    return keep(recorded, { message: `${error.message}${canRetry ? " The recording is kept." : ""}`, retry: canRetry ? retry : null });
  }
}

function keep({ entry, at }: Recorded, { message, retry }: { message: string; retry: (() => void) | null }): void {
  setWaiting(entry.draftKey, entry.id, { id: entry.id, at, kind: "kept", message, retry, discard: () => forget(entry) });
}

function forget(entry: Entry): void {
  dropRecording(entry);
  setWaiting(entry.draftKey, entry.id, null);
}
