import { useEffect, useRef, useState } from "react";
import { COPY_CONFIRMATION_MS } from "#shared/limits.ts";
import { copyText } from "#web/lib/copy-text.ts";

/** Copies text to the clipboard; `state` says for two seconds how that went. */
export function useCopy() {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const show = (outcome: "copied" | "failed") => {
    clearTimeout(timer.current);
    setState(outcome);
    timer.current = setTimeout(() => setState("idle"), COPY_CONFIRMATION_MS);
  };
  const copy = (text: string) => void copyText(text).then((isCopied) => show(isCopied ? "copied" : "failed"));
  return { state, copy };
}
