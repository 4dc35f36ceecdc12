import { useEffect, useRef } from "react";

/** The folded lines of a block: out of sight, but found by the browser's search, which unfolds them, and printed. */
export function FoldedCode({ text, onFound }: { text: string; onFound: () => void }) {
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
