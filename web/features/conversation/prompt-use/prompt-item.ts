import type { LucideIcon } from "lucide-react";
import type { PromptSummary } from "#shared/entities/prompt.ts";
import { counted } from "#web/lib/format.ts";

/** A row of the list behind `/`: a prompt, or a command beside them. */
export type PromptItem =
  | { kind: "prompt"; id: string; name: string; prompt: PromptSummary }
  | {
      kind: "command";
      id: string;
      name: string;
      about: string;
      icon: LucideIcon;
      shortcut: string | null;
      startsSection: boolean;
      run: () => void;
    };

/** `3 fields, 2 steps`: what a prompt will ask for and run; an empty text where it is sent as it is. */
export function promptSize({ fields, steps }: Pick<PromptSummary, "fields" | "steps">): string {
  return [fields > 0 && counted(fields, "field"), steps > 1 && counted(steps, "step")].filter(Boolean).join(", ");
}
