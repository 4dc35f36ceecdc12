type FrameHandlers = {
  message: (data: string, id: string) => void;
  /** The answer is over, or its connection lost. */
  end: () => void;
};

/** Passes on an answer's server-sent events as they come; returns what closes the connection, after which nothing is passed on. */
export function readFrames(body: ReadableStream<BufferSource>, { message, end }: FrameHandlers): () => void {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let isClosed = false;

  async function read(): Promise<void> {
    for (;;) {
      // Lost or over, the listener continues after the last event.
      const next = await reader.read().catch(() => null);
      if (isClosed) return;
      if (next === null || next.done) return end();
      const frames = (rest + next.value).split("\n\n");
      rest = frames.pop() ?? "";
      for (const frame of frames) {
        const data = field(frame, "data");
        if (data !== null && !isClosed) message(data, field(frame, "id") ?? "");
      }
    }
  }

  void read();
  return () => {
    isClosed = true;
    reader.cancel().catch(() => undefined);
  };
}

function field(frame: string, name: string): string | null {
  const line = frame.split("\n").find((each) => each.startsWith(`${name}:`));
  return line === undefined ? null : line.slice(name.length + 1).trimStart();
}
