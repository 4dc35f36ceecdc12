import { memo, useEffect, useRef, useState } from "react";
import { type CodeChunk, chunkCode } from "./code-chunks.ts";
import { stretchesOf, type Tokens } from "./highlight-tokens.ts";

/** Pixels before it comes into view at which a piece of code is coloured. */
const margin = 600;

/** Code in pieces of 40 lines; only those near the viewport are coloured. */
export function CodeLines({ code, tokens }: { code: string; tokens: Tokens | undefined }) {
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
      {tokens && isNear ? stretchesOf(text, start, tokens).map(coloured) : text}
    </span>
  );
});

function coloured({ text, hue }: { text: string; hue: number }, index: number) {
  if (hue === 0) return text;
  return (
    <span key={index} className={`code-${hue}`}>
      {text}
    </span>
  );
}
