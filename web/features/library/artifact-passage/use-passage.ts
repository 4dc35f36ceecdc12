import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { findPassage, type Range } from "./find-passage.ts";

/** A passage to be shown, and a key of this opening: the same passage may be opened again. */
export type OpenedPassage = { text: string; key: string };

type Opened = { editor: { showRange: (range: Range) => void } | null; source: { read: () => string } };

/** The passage that the page was opened at; an editor puts it in sight and marks it as soon as it is there. */
export function usePassage({ editor, source }: Opened): OpenedPassage | null {
  const { search, key } = useLocation();
  const text = new URLSearchParams(search).get("passage");
  const shown = useRef("");
  useEffect(() => {
    if (text === null || !editor || shown.current === key) return;
    shown.current = key;
    const range = findPassage(source.read(), text);
    if (range) editor.showRange(range);
  }, [editor, key, source, text]);
  return text === null ? null : { text, key };
}
