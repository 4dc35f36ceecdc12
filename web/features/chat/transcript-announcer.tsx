import { useState } from "react";
import type { Message } from "#shared/entities/message.ts";

/** Characters of an answer that are read out; what is longer can be read in its turn, and laying it out here would hold up the page. */
const HEARD_LENGTH = 5_000;

/** The one polite region: says 'Generating', then the finished answer. The stream itself is not read out. */
export function TranscriptAnnouncer({ last, isLive }: { last: Message | undefined; isLive: boolean }) {
  const [wasLive, setWasLive] = useState(false);
  if (isLive && !wasLive) setWasLive(true);
  const answer = wasLive && last?.role === "assistant" ? last.error?.message || last.content.slice(0, HEARD_LENGTH) : "";
  return <output className="sr-only">{isLive ? "Generating" : answer}</output>;
}
