import hljs from "highlight.js/lib/core";
import { loadLanguages } from "./highlight-languages.ts";
import { toTokens } from "./highlight-tokens.ts";

/** What the page asks and gets back. */
export interface HighlightRequest {
  readonly id: number;
  readonly code: string;
  readonly language: string;
}

self.addEventListener("message", ({ data }: MessageEvent<HighlightRequest>) => {
  void answer(data);
});

async function answer({ id, code, language }: HighlightRequest) {
  for (const { name, language: definition } of await loadLanguages(language)) {
    if (!hljs.getLanguage(name)) hljs.registerLanguage(name, definition);
  }
  const { _emitter: emitter } = hljs.highlight(code, { language, ignoreIllegals: true });
  const tokens = toTokens("rootNode" in emitter ? emitter.rootNode : undefined);
  self.postMessage({ id, tokens }, { transfer: [tokens.buffer] });
}
