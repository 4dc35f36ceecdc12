import { useLayoutEffect, useRef, useState } from "react";
import * as shape from "#web/lib/shape.ts";
import { FailureBar } from "./failure-bar.tsx";
import { useSettled } from "./use-settled.ts";

/** A document without an origin of the page's: its route's policy lets nothing out and nothing in. */
const FRAME_PATH = "/artifact-frame";

const FrameMessage = shape.record<{ type: "ready" | "error"; message: string }>({
  type: shape.oneOf("ready", "error"),
  message: shape.text,
});

type FrameViewProps = {
  kind: "html" | "svg";
  source: string;
  title: string;
  /** Hands an error to a model. */
  onAsk: (error: string) => void;
};

/** HTML or SVG as it runs, in a frame of its own; what goes wrong in it is reported. */
export default function FrameView({ kind, source, title, onAsk }: FrameViewProps) {
  const shown = useSettled(source);
  /** What went wrong first, in which source. */
  const [failure, setFailure] = useState<{ source: string; message: string } | null>(null);
  const error = failure?.source === shown ? failure.message : null;
  const frame = useRef<HTMLIFrameElement>(null);
  // With the frame itself, before it can say that it is ready.
  useLayoutEffect(() => {
    const hear = ({ source: from, data }: MessageEvent) => {
      if (!from || from !== frame.current?.contentWindow) return;
      const parsed = FrameMessage.safeParse(data);
      if (!parsed.success) return;
      // An opaque origin has no name to address it by.
      if (parsed.data.type === "ready") frame.current.contentWindow.postMessage({ kind, source: shown }, "*");
      else
        setFailure((held) =>
          held?.source === shown ? held : { source: shown, message: parsed.data.message || "Something in it failed." },
        );
    };
    addEventListener("message", hear);
    return () => removeEventListener("message", hear);
  }, [kind, shown]);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {error !== null && <FailureBar error={error} onAsk={onAsk} />}
      <iframe
        // Begun again with each source: nothing of the one before is left.
        key={`${kind} ${shown}`}
        ref={frame}
        title={`Preview of ${title}`}
        src={FRAME_PATH}
        sandbox="allow-scripts"
        referrerPolicy="no-referrer"
        className="min-h-480 w-full flex-1 rounded-12 border border-line bg-[white]"
      />
    </div>
  );
}
