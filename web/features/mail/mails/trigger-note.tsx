import { Clock, Mail, MessageCircle, Zap } from "lucide-react";
import type { Message } from "#shared/entities/message.ts";

type Trigger = NonNullable<Message["trigger"]>;

const TRIGGER_LABELS: Record<Trigger, { by: string; icon: typeof Mail }> = {
  mail: { by: "Triggered by mail", icon: Mail },
  run: { by: "Triggered by the end of a run", icon: Zap },
  schedule: { by: "Triggered by a schedule", icon: Clock },
  messaging: { by: "Triggered by WhatsApp", icon: MessageCircle },
};

export type TriggerNoteProps = { trigger: Trigger; cost: string | null };

/** That nobody typed what an answer is to, and what that cost. */
export function TriggerNote({ trigger, cost }: TriggerNoteProps) {
  const { by, icon: Icon } = TRIGGER_LABELS[trigger];
  return (
    <span className="inline-flex min-w-0 items-center gap-6 text-ink3">
      {/* On a phone it often begins a line of its own. */}
      <span aria-hidden className="max-[520px]:hidden">
        ·
      </span>
      <Icon aria-hidden className="size-14 shrink-0" />
      <span className="truncate">{cost === null ? by : `${by}, ${cost}`}</span>
    </span>
  );
}
