import { useEffect, useState } from "react";
import { highlight, knownTokens } from "./highlight-client.ts";
import { languageOf } from "./language-names.ts";
import type { Tokens } from "./highlight-tokens.ts";

/** The coloured spans of a finished code block, as soon as there are any. */
export function useHighlight(code: string, { name, isFinished }: { name: string; isFinished: boolean }): Tokens | undefined {
  const language = languageOf(name);
  const [coloured, setColoured] = useState<{ code: string; language: string; tokens: Tokens | undefined }>();
  const known = isFinished && language ? knownTokens(code, language) : undefined;
  const isKnown = known !== undefined;

  useEffect(() => {
    if (!isFinished || !language || isKnown) return;
    let isCurrent = true;
    highlight(code, language).then(
      (tokens) => {
        if (isCurrent) setColoured({ code, language, tokens });
      },
      // Without colours the code is still there.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [code, language, isFinished, isKnown]);

  return known ?? (coloured?.code === code && coloured.language === language ? coloured.tokens : undefined);
}
