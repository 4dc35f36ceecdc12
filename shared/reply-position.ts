/** Where an event stands: resuming readers send the last one they have. Written `generation.seq`. */
export type ReplyPosition = { generation: number; seq: number };

/** The `id:` of an event. */
export function formatPosition({ generation, seq }: ReplyPosition): string {
  return `${generation}.${seq}`;
}

/** The position in an `id:`, or null for anything else. */
export function parsePosition(text: string | null | undefined): ReplyPosition | null {
  const match = /^(\d{1,9})\.(\d{1,9})$/.exec(text ?? "");
  return match ? { generation: Number(match[1]), seq: Number(match[2]) } : null;
}
