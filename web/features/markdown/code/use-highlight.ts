import { useEffect, useState } from "react";
import type { Tokens } from "./highlight-tokens.ts";

type Client = typeof import("./highlight-client.ts");
let client: Client | undefined;

async function loadClient(): Promise<Client> {
  client ??= await import("./highlight-client.ts");
  return client;
}

/** The coloured spans of a finished code block, as soon as there are any; `name` is the language as its fence says it. */
export function useHighlight(code: string, { name, isFinished }: { name: string; isFinished: boolean }): Tokens | undefined {
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
