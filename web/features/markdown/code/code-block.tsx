import { WrapText } from "lucide-react";
import { useState, useEffect, useRef, type ReactNode } from "react";
import type { KeepProps } from "#web/features/artifacts/keep-as-artifact.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { chunkCode, chunkLines, countLines } from "./code-chunks.ts";
import { CodeFrame } from "./code-frame.tsx";
import { CodeLines } from "./code-lines.tsx";
import { CopyButton } from "#web/features/markdown/copy-button.tsx";
import { ToolbarButton } from "#web/features/markdown/toolbar-button.tsx";
import { useHighlight } from "./use-highlight.ts";

const KeepAsArtifact = lazyPart<KeepProps>(
  async () => (await import("#web/features/artifacts/keep-as-artifact.tsx")).KeepAsArtifact,
  KeepSpace,
);

interface CodeBlockProps {
  code: string;
  /** The language as the fence names it; may be empty. */
  info: string;
  /** True while its closing fence has not arrived. */
  open: boolean;
  /** Further buttons in front of its own. */
  actions?: ReactNode;
}

/**
 * A block of code: coloured once it is closed, folded from the 41st line on. It is folded while it still grows, too,
 * so nothing moves when it ends.
 */
export function CodeBlock({ code, info, open, actions }: CodeBlockProps) {
  const [isWrapped, setIsWrapped] = useState(false);
  const [isUnfolded, setIsUnfolded] = useState(false);
  const language = info.split(/[\s,{:]/, 1)[0] ?? "";
  const tokens = useHighlight(code, { name: language, isFinished: !open });
  const lines = countLines(code);
  const isLong = lines > chunkLines;
  const shown = isLong && !isUnfolded ? (chunkCode(code)[0]?.text ?? "") : code;
  return (
    <CodeFrame
      title={language || "text"}
      label={`Code: ${language || "text"}`}
      actions={
        <>
          {actions}
          <ToolbarButton icon={WrapText} label="Wrap" name="Wrap lines" pressed={isWrapped} onClick={() => setIsWrapped(!isWrapped)} />
          {!open && <KeepAsArtifact look="tool" title={language} text={() => code} language={language} />}
          <CopyButton label="Copy" name="Copy code" text={() => code} />
        </>
      }
      footer={
        isLong && (
          <button
            type="button"
            aria-expanded={isUnfolded}
            className="h-34 w-full rounded-b-12 border-t border-line text-13 text-ink2 transition-colors duration-120 hover:bg-s3 hover:text-ink touch:h-44 print:hidden"
            onClick={() => setIsUnfolded(!isUnfolded)}
          >
            {isUnfolded ? "Show fewer lines" : `Show all ${lines.toLocaleString("en")} lines`}
          </button>
        )
      }
    >
      <code className={isWrapped ? "block whitespace-pre-wrap" : "block w-max min-w-full"}>
        <CodeLines code={shown} tokens={tokens} />
        {isLong && !isUnfolded && !open && <FoldedCode text={code.slice(shown.length)} onFound={() => setIsUnfolded(true)} />}
      </code>
    </CodeFrame>
  );
}

/** Keeps its button's room while its code comes, so the one before it stays under the finger. */
function KeepSpace() {
  return <span aria-hidden className="w-60 touch:w-44" />;
}

/** The folded lines of a block: out of sight, but found by the browser's search, which unfolds them, and printed. */
function FoldedCode({ text, onFound }: { text: string; onFound: () => void }) {
  const ref = useRef<HTMLSpanElement>(null);

  useEffect(() => {
    // React knows `hidden` as a switch only.
    ref.current?.setAttribute("hidden", "until-found");
  }, []);

  useEffect(() => {
    const element = ref.current;
    element?.addEventListener("beforematch", onFound);
    return () => element?.removeEventListener("beforematch", onFound);
  }, [onFound]);

  return (
    <span ref={ref} hidden className="code-rest block">
      {text}
    </span>
  );
}
