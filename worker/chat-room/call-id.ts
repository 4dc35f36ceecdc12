/** The id of a reply's last call to its model, by which it is charged once: it holds the generation that it ends. */
export function replyCallId({ replyId, generation }: { replyId: string; generation: number }, rounds: number): string {
  return `${replyId}:${generation}:${rounds}`;
}

/** The generation that such a call ended. */
export function generationOf(callId: string): number {
  return Number(callId.split(":")[1] ?? 0);
}
