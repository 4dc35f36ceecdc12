import { useState } from "react";
import type { Message } from "#shared/entities/message.ts";

/** The one polite region: says 'Generating', then the finished answer. The stream itself is not read out. */
export function TranscriptAnnouncer({ last, isLive }: { last: Message | undefined; isLive: boolean }) {
  const [wasLive, setWasLive] = useState(false);
  if (isLive && !wasLive) setWasLive(true);
  const answer = wasLive && last?.role === "assistant" ? last.error?.message || last.content : "";
  return <output className="sr-only">{isLive ? "Generating" : answer}</output>;
}
