import { Bot, Mail, MessageCircle } from "lucide-react";
import type { Message } from "#shared/entities/message.ts";

type Trigger = NonNullable<Message["trigger"]>;

export type TriggerNoteProps = { by: Trigger; cost: string | null };

const TRIGGERS = {
  mail: { icon: Mail, words: "Triggered by mail" },
  messaging: { icon: MessageCircle, words: "Triggered by WhatsApp" },
  run: { icon: Bot, words: "Triggered by a run that ended" },
} as const satisfies Record<Trigger, { icon: typeof Mail; words: string }>;

/** That nobody typed in the interface what an answer is to, and what that cost. */
export function TriggerNote({ by, cost }: TriggerNoteProps) {
  const { icon: Icon, words } = TRIGGERS[by];
  return (
    <span className="inline-flex min-w-0 items-center gap-6 text-ink3">
      <span aria-hidden>·</span>
      <Icon aria-hidden className="size-14 shrink-0" />
      <span className="truncate">{cost === null ? words : `${words}, ${cost}`}</span>
    </span>
  );
}
