import { useState } from "react";
import type { Message } from "#shared/entities/message.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";

const HeardText = lazyPart<{ markdown: string }>(async () => (await import("./heard-text.tsx")).HeardText);

/** The one polite region: says 'Generating', then the finished answer. The stream itself is not read out. */
export function TranscriptAnnouncer({ last, isLive }: { last: Message | undefined; isLive: boolean }) {
  const [wasLive, setWasLive] = useState(false);
  if (isLive && !wasLive) setWasLive(true);
  const isAnswer = wasLive && !isLive && last?.role === "assistant";
  return (
    <output className="sr-only">
      {isLive && "Generating"}
      {isAnswer && (last.error?.message || <HeardText key={last.id} markdown={last.content} />)}
    </output>
  );
}
