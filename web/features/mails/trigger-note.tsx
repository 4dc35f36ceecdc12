import { Mail } from "lucide-react";

export type TriggerNoteProps = { cost: string | null };

/** That nobody typed what an answer is to, and what that cost. */
export function TriggerNote({ cost }: TriggerNoteProps) {
  return (
    <span className="inline-flex min-w-0 items-center gap-6 text-ink3">
      <span aria-hidden>·</span>
      <Mail aria-hidden className="size-14 shrink-0" />
      <span className="truncate">{cost === null ? "Triggered by mail" : `Triggered by mail, ${cost}`}</span>
    </span>
  );
}
