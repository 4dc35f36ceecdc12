/** How often what was recorded is handed out, in milliseconds: so much at most is lost with the page. */
const CHUNK_MS = 2_000;
/** Enough for speech; a browser that takes no request records with more. */
const BITS_PER_SECOND = 32_000;
/** In the order in which transcription services like them; Safari has the last alone. */
const TYPES = ["audio/webm;codecs=opus", "audio/ogg;codecs=opus", "audio/mp4"];

/** A recording under way. `level` is how loud it is now, 0 to 1. */
export type Recorder = {
  level: () => number;
  /** Ends it; `onEnd` follows. */
  stop: () => void;
  /** Ends it without a word. */
  abort: () => void;
};

type Input = { onChunk: (piece: Blob) => void; onEnd: () => void };

/** True where this browser can record. */
export function canRecord(): boolean {
  return typeof MediaRecorder === "function" && navigator.mediaDevices !== undefined;
}

/** Opens the microphone and records. Throws the browser's `DOMException` where it may not or cannot. */
export async function openRecorder({ onChunk, onEnd }: Input): Promise<Recorder> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: true, noiseSuppression: true } });
  const meter = openMeter(stream);
  const close = () => {
    for (const track of stream.getTracks()) track.stop();
    meter.close();
  };
  try {
    const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type));
    const recorder = new MediaRecorder(stream, { ...(mimeType && { mimeType }), audioBitsPerSecond: BITS_PER_SECOND });
    recorder.ondataavailable = ({ data }) => data.size > 0 && onChunk(data);
    // Also when the microphone is unplugged.
    recorder.onstop = () => {
      close();
      onEnd();
    };
    recorder.start(CHUNK_MS);
    return {
      level: meter.level,
      stop: () => recorder.state !== "inactive" && recorder.stop(),
      abort() {
        recorder.ondataavailable = null;
        recorder.onstop = null;
        if (recorder.state !== "inactive") recorder.stop();
        close();
      },
    };
  } catch (cause) {
    close();
    throw cause;
  }
}

/** Quiet speech already fills a third of the meter. */
const GAIN = 6;

function openMeter(stream: MediaStream): { level: () => number; close: () => void } {
  const context = new AudioContext();
  // Made after the question for the microphone, it may wait to be told, as on an iPhone.
  context.resume().catch(() => undefined);
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return {
    level() {
      analyser.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      return Math.min(1, Math.sqrt(power) * GAIN);
    },
    close: () => void context.close(),
  };
}
