import { expect, test, vi } from "vitest";
import { openRecorder } from "#web/features/conversation/voice/recorder.ts";

class Context {
  static readonly made: Context[] = [];
  state = "suspended";
  fftSize = 32;
  constructor() {
    Context.made.push(this);
  }
  async resume(): Promise<void> {
    this.state = "running";
  }
  createAnalyser() {
    return this;
  }
  createMediaStreamSource() {
    return { connect: () => undefined };
  }
  async close(): Promise<void> {
    this.state = "closed";
  }
}

test("the meter measures where a browser keeps sound waiting, and closes with the recording", async () => {
  const stop = vi.fn<() => void>();
  vi.stubGlobal("AudioContext", Context);
  vi.stubGlobal("navigator", { mediaDevices: { getUserMedia: async () => ({ getTracks: () => [{ stop }] }) } });
  vi.stubGlobal(
    "MediaRecorder",
    class {
      static isTypeSupported = () => false;
      state = "inactive";
      start = () => undefined;
    },
  );
  const recorder = await openRecorder({ onChunk: () => undefined, onEnd: () => undefined });
  expect(Context.made.map(({ state }) => state)).toEqual(["running"]);
  recorder.abort();
  expect(Context.made.map(({ state }) => state)).toEqual(["closed"]);
  expect(stop).toHaveBeenCalledOnce();
});
