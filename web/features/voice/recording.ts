import { transcribe } from "#shared/contracts/transcriptions.ts";
import { RECORDING_MS } from "#shared/limits.ts";
import { ApiError } from "#web/lib/api.ts";
import { upload } from "#web/lib/upload.ts";
import { toast } from "#web/ui/toast.tsx";
import { dropRecording, findRecording, keepPiece } from "./kept-recordings.ts";
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
        keepPiece(draftKey, { n: pieces.length, piece, userId });
        pieces.push(piece);
      },
      onEnd() {
        clearTimeout(limit);
        void becomeWords(draftKey, new Blob(pieces, { type: pieces[0]?.type ?? "" }), insert);
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
      forget(draftKey);
    },
  });
}

/** Offers a recording that an earlier page left. */
export async function offerKeptRecording(draftKey: string, userId: string): Promise<void> {
  const recording = await findRecording(draftKey, userId);
  if (!recording || voices.get(draftKey)) return;
  const insert = insertionAt(draftKey, { start: Number.MAX_SAFE_INTEGER, end: Number.MAX_SAFE_INTEGER });
  keep(draftKey, { message: "A recording is not transcribed yet.", retry: () => void becomeWords(draftKey, recording, insert) });
}

async function becomeWords(draftKey: string, recording: Blob, insert: (words: string) => void): Promise<void> {
  const retry = () => void becomeWords(draftKey, recording, insert);
  if (recording.size === 0) return keep(draftKey, { message: "Nothing was recorded.", retry: null });
  const abort = new AbortController();
  voices.set(draftKey, { kind: "transcribing", cancel: () => abort.abort() });
  try {
    const { text } = await upload(transcribe, {}, { body: recording, signal: abort.signal, onProgress: () => undefined });
    if (text === "") return keep(draftKey, { message: "No words were heard in the recording.", retry: null });
    insert(text);
    return forget(draftKey);
  } catch (error) {
    if (abort.signal.aborted) return keep(draftKey, { message: "The recording is not transcribed yet.", retry });
    if (!(error instanceof ApiError)) throw error;
    const canRetry = error.status >= 500 || PASSING.has(error.code);
    return keep(draftKey, { message: `${error.message}${canRetry ? " The recording is kept." : ""}`, retry: canRetry ? retry : null });
  }
}

function keep(draftKey: string, { message, retry }: { message: string; retry: (() => void) | null }): void {
  voices.set(draftKey, { kind: "kept", message, retry, discard: () => forget(draftKey) });
}

function forget(draftKey: string): void {
  dropRecording(draftKey);
  voices.set(draftKey, null);
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
