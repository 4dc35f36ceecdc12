import { useState } from "react";
import { Diagram } from "#web/features/library/markdown/diagrams/diagram.tsx";
import { FailureBar } from "./failure-bar.tsx";
import { useSettled } from "./use-settled.ts";

/** A diagram as it is drawn; what is wrong with its source is reported. */
export default function MermaidView({ source, onAsk }: { source: string; onAsk: (error: string) => void }) {
  const shown = useSettled(source);
  const [failure, setFailure] = useState<{ source: string; message: string } | null>(null);
  return (
    <>
      {failure?.source === shown && <FailureBar error={failure.message} onAsk={onAsk} />}
      <Diagram source={shown} open={false} isAlone onFault={(message) => setFailure({ source: shown, message })} />
    </>
  );
}
