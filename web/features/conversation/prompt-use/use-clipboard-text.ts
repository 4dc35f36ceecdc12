import { useEffect, useState } from "react";

/** How asking for the clipboard went; `unasked` where nothing needs it. */
export type ClipboardState = { kind: "unasked" } | { kind: "asking" } | { kind: "read"; text: string } | { kind: "refused" };

/** Reads the clipboard's text where it is wanted: the browser may ask the person, or refuse. */
export function useClipboardText(isWanted: boolean): ClipboardState {
  const [state, setState] = useState<ClipboardState>(isWanted ? { kind: "asking" } : { kind: "unasked" });
  useEffect(() => {
    if (!isWanted) return undefined;
    let isUnmounted = false;
    const notify = (next: ClipboardState) => !isUnmounted && setState(next);
    readClipboard().then(
      (text) => notify({ kind: "read", text }),
      () => notify({ kind: "refused" }),
    );
    return () => {
      isUnmounted = true;
    };
  }, [isWanted]);
  return state;
}

async function readClipboard(): Promise<string> {
  return (await navigator.clipboard.readText()).replaceAll("\r\n", "\n");
}

/** What to say below the clipboard's field; null where its value says it. */
export function clipboardNote(state: ClipboardState): string | null {
  switch (state.kind) {
    case "asking":
      return "The browser asks whether this page may read the clipboard.";
    case "refused":
      return "The browser does not let this page read the clipboard. Paste it here instead.";
    case "read":
      return state.text === "" ? "The clipboard holds no text." : null;
    case "unasked":
      return null;
  }
}
