import { transcribe } from "#shared/contracts/transcriptions.ts";
import { RECORDING_MS } from "#shared/limits.ts";
import { ApiError } from "#web/lib/api.ts";
import { upload } from "#web/lib/upload.ts";
import { toast } from "#web/ui/toast.tsx";
import { dropRecording, findRecording, keepPiece, type Slot } from "./kept-recordings.ts";
import { explain } from "./recognition.ts";
import { openRecorder, type Recorder } from "./recorder.ts";
import { insertionAt } from "./spoken.ts";
import { type Place, voices } from "./voices.ts";

/** Refusals that another try with the same recording may get past; those of a failing server are among them anyway. */
const PASSING: ReadonlySet<string> = new Set(["OFFLINE", "RATE_LIMITED", "INSUFFICIENT_CREDITS", "STILL_RUNNING", "UPLOAD_BROKEN"]);

const MICROPHONE_ERRORS: Record<string, string> = { NotAllowedError: "not-allowed", NotFoundError: "audio-capture" };

/** Records at a draft's cursor until it is confirmed, then has it transcribed and writes the words there; it never sends. */
export async function startRecording(draftKey: string, place: Place, userId: string): Promise<void> {
  if (voices.get(draftKey)) return;
  const slot = { draftKey, userId };
  const insert = insertionAt(draftKey, place);
  const pieces: Blob[] = [];
  let isCalledOff = false;
  let limit: ReturnType<typeof setTimeout> | undefined;
  voices.set(draftKey, {
    kind: "opening",
    cancel() {
      isCalledOff = true;
      voices.set(draftKey, null);
    },
  });
  let recorder: Recorder;
  try {
    recorder = await openRecorder({
      onPiece(piece) {
        keepPiece(slot, pieces.length, piece);
        pieces.push(piece);
      },
      onEnd() {
        clearTimeout(limit);
        void becomeWords(slot, new Blob(pieces, { type: pieces[0]?.type ?? "" }), insert);
      },
    });
  } catch (error) {
    if (isCalledOff) return;
    voices.set(draftKey, null);
    return tellFailure(error);
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
      forget(slot);
    },
  });
}

/** Offers a recording that an earlier page left. */
export async function offerKeptRecording(draftKey: string, userId: string): Promise<void> {
  const slot = { draftKey, userId };
  const recording = await findRecording(slot);
  if (!recording || voices.get(draftKey)) return;
  const insert = insertionAt(draftKey, { start: Number.MAX_SAFE_INTEGER, end: Number.MAX_SAFE_INTEGER });
  keep(slot, { message: "A recording is not transcribed yet.", retry: () => void becomeWords(slot, recording, insert) });
}

async function becomeWords(slot: Slot, recording: Blob, insert: (words: string) => void): Promise<void> {
  const retry = () => void becomeWords(slot, recording, insert);
  if (recording.size === 0) return keep(slot, { message: "Nothing was recorded.", retry: null });
  const abort = new AbortController();
  voices.set(slot.draftKey, { kind: "transcribing", cancel: () => abort.abort() });
  try {
    const { text } = await upload(transcribe, {}, { body: recording, signal: abort.signal, onProgress: () => undefined });
    if (text === "") return keep(slot, { message: "No words were heard in the recording.", retry: null });
    insert(text);
    return forget(slot);
  } catch (error) {
    if (abort.signal.aborted) return keep(slot, { message: "The recording is not transcribed yet.", retry });
    if (!(error instanceof ApiError)) throw error;
    const canRetry = error.status >= 500 || PASSING.has(error.code);
    return keep(slot, { message: `${error.message}${canRetry ? " The recording is kept." : ""}`, retry: canRetry ? retry : null });
  }
}

function keep(slot: Slot, { message, retry }: { message: string; retry: (() => void) | null }): void {
  voices.set(slot.draftKey, { kind: "kept", message, retry, discard: () => forget(slot) });
}

function forget(slot: Slot): void {
  dropRecording(slot);
  voices.set(slot.draftKey, null);
}

/** What the browser names no better. */
const MICROPHONE_BUSY = {
  title: "The microphone cannot be used",
  description: "Another program may be using it. Close that, then try again.",
};

function tellFailure(error: unknown): void {
  const known = MICROPHONE_ERRORS[error instanceof DOMException ? error.name : ""];
  const told = known === undefined ? null : explain(known);
  toast({ ...(told ?? MICROPHONE_BUSY), tone: "danger" });
}
