import { useLayoutEffect, useRef, useState } from "react";
import * as z from "zod/mini";
import { Button } from "#web/ui/button.tsx";
import { FailureBar } from "./failure-bar.tsx";
import { useSettled } from "./use-settled.ts";

/** A document without an origin of the page's: its route's policy lets nothing out and nothing in. */
const FRAME_PATH = "/artifact-frame";

const FrameMessage = z.looseObject({
  type: z.enum(["ready", "error", "asks"]),
  message: z.string(),
});

/** Artifacts whose scripts somebody let run here, until the page is left. */
const agreed = new Set<string>();

type FrameViewProps = {
  artifactId: string;
  kind: "html" | "svg";
  source: string;
  title: string;
  /** Hands an error to a model. */
  onAsk: (error: string) => void;
};

/** HTML or SVG as it runs, in a frame of its own; what goes wrong in it is reported. Where the browser cannot hold its scripts, it asks before they run. */
export default function FrameView({ artifactId, kind, source, title, onAsk }: FrameViewProps) {
  const shown = useSettled(source);
  /** What went wrong first, in which source. */
  const [failure, setFailure] = useState<{ source: string; message: string } | null>(null);
  /** The source that is shown without the scripts that it has. */
  const [asking, setAsking] = useState<string | null>(null);
  const [runs, setRuns] = useState(() => agreed.has(artifactId));
  const error = failure?.source === shown ? failure.message : null;
  const frame = useRef<HTMLIFrameElement>(null);
  // With the frame itself, before it can say that it is ready.
  useLayoutEffect(() => {
    const hear = ({ source: from, data }: MessageEvent) => {
      if (!from || from !== frame.current?.contentWindow) return;
      const parsed = FrameMessage.safeParse(data);
      if (!parsed.success) return;
      const { type, message } = parsed.data;
      // An opaque origin has no name to address it by.
      if (type === "ready") frame.current.contentWindow.postMessage({ kind, source: shown, scripts: runs }, "*");
      else if (type === "asks") setAsking(shown);
      else setFailure((held) => (held?.source === shown ? held : { source: shown, message: message || "Something in it failed." }));
    };
    addEventListener("message", hear);
    return () => removeEventListener("message", hear);
  }, [kind, shown, runs]);
  const agree = () => {
    agreed.add(artifactId);
    setFailure(null);
    setRuns(true);
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {!runs && asking === shown && <ScriptsBar onAgree={agree} />}
      {error !== null && <FailureBar error={error} onAsk={onAsk} />}
      <iframe
        // Begun again with each source: nothing of the one before is left.
        key={`${kind} ${runs} ${shown}`}
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

function ScriptsBar({ onAgree }: { onAgree: () => void }) {
  return (
    <div
      role="status"
      data-print="hide"
      className="mb-12 flex flex-wrap items-center gap-x-12 gap-y-8 rounded-12 bg-s2 px-16 py-10 text-13 text-ink"
    >
      <span className="min-w-200 flex-1 text-13/20">
        This page's scripts are off. In this browser they could send what the page shows, and what you type into it, to a server that they
        choose.
      </span>
      <Button size="sm" onClick={onAgree}>
        Run scripts
      </Button>
    </div>
  );
}
