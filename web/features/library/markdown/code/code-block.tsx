import { WrapText } from "lucide-react";
import { memo, type ReactNode, useEffect, useRef, useState } from "react";
import type { KeepProps } from "#web/features/library/artifacts/keep-as-artifact.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { chunkCode, chunkLines, type CodeChunk, countLines } from "./code-chunks.ts";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { ToolbarButton } from "#web/ui/toolbar-button.tsx";
import { ScrollRegion } from "#web/ui/scroll-region.tsx";
import { stretchesOf, type Tokens } from "./highlight-tokens.ts";

/** Pixels before it comes into view at which a piece of code is coloured. */
const margin = 600;

/** Code in pieces of 40 lines; only those near the viewport are coloured. */
function CodeLines({ code, tokens }: { code: string; tokens: Tokens | undefined }) {
  return chunkCode(code).map(({ start, text }) => <Lines key={start} start={start} text={text} tokens={tokens} />);
}

const Lines = memo(function Lines({ start, text, tokens }: CodeChunk & { tokens: Tokens | undefined }) {
  const ref = useRef<HTMLSpanElement>(null);
  const [isNear, setIsNear] = useState(start === 0);

  useEffect(() => {
    const element = ref.current;
    if (isNear || !element || !tokens) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setIsNear(true);
      },
      { rootMargin: `${margin}px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isNear, tokens]);

  return (
    <span ref={ref} className="block">
      {tokens && isNear ? stretchesOf(text, start, tokens).map(colouredSpan) : text}
    </span>
  );
});

function colouredSpan({ text, hue }: { text: string; hue: number }, index: number) {
  if (hue === 0) return text;
  return (
    <span key={index} className={`code-${hue}`}>
      {text}
    </span>
  );
}

type Client = typeof import("./highlight-client.ts");
let client: Client | undefined;

async function loadClient(): Promise<Client> {
  client ??= await import("./highlight-client.ts");
  return client;
}

/** The coloured spans of a finished code block, as soon as there are any; `name` is the language as its fence says it. */
function useHighlight(code: string, { name, isFinished }: { name: string; isFinished: boolean }): Tokens | undefined {
  const [coloured, setColoured] = useState<{ code: string; name: string; tokens: Tokens | undefined }>();
  const known = isFinished ? client?.knownTokens(code, name) : undefined;
  const isKnown = known !== undefined;

  useEffect(() => {
    if (!isFinished || name === "" || isKnown) return;
    let isCurrent = true;
    const colour = async () => {
      const { highlight } = await loadClient();
      const tokens = await highlight(code, name);
      if (isCurrent) setColoured({ code, name, tokens });
    };
    // Without colours the code is still there.
    colour().catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [code, name, isFinished, isKnown]);

  return known ?? (coloured?.code === code && coloured.name === name ? coloured.tokens : undefined);
}

const KeepAsArtifact = lazyPart<KeepProps>(
  async () => (await import("#web/features/library/artifacts/keep-as-artifact.tsx")).KeepAsArtifact,
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

interface CodeFrameProps {
  title: string;
  /** The name of the part that scrolls. */
  label: string;
  actions: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
}

/** A head with title and buttons above text in the code's type that scrolls sideways. */
function CodeFrame({ title, label, actions, footer, children }: CodeFrameProps) {
  return (
    <div className="overflow-clip rounded-12 border border-line bg-s2">
      <div className="flex h-34 items-center gap-4 border-b border-line pr-6 pl-14 touch:h-44">
        <span className="min-w-0 flex-1 truncate text-12 text-ink2">{title}</span>
        {actions}
      </div>
      <ScrollRegion label={label} className="overflow-x-auto px-14 py-10 outline-offset-[-2px]!">
        <pre className="font-mono text-13">{children}</pre>
      </ScrollRegion>
      {footer}
    </div>
  );
}
