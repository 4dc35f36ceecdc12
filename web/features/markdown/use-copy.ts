import { useEffect, useRef, useState } from "react";
import { COPY_CONFIRMATION_MS } from "#shared/limits.ts";

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
  const copy = (text: string) => {
    // Absent on insecure origins, refused without focus or permission: both are reported, neither is an error.
    const written = navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject(new Error("There is no clipboard."));
    written.then(
      () => show("copied"),
      () => show("failed"),
    );
  };
  return { state, copy };
}
