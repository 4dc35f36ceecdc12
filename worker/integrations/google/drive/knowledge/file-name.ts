import { extensionOf, formatOfName } from "#shared/attachment-rules.ts";
import type { ReadingPlan } from "#worker/integrations/google/drive/reading-plan.ts";

const NAME_LENGTH = 250;

/** What a file of Drive is called here: by its name its format is known, which in Drive its type says. */
export function fileName(name: string, plan: ReadingPlan | null): string {
  const plain = name.trim().slice(0, NAME_LENGTH).trim() || "File";
  if (plan === null) return plain;
  const named = formatOfName(plain);
  // What a file's own bytes are is often better known by its name: tables come as text, or as workbooks.
  const isNamed = plan.type === null ? named !== null : named === plan.format;
  return isNamed ? plain : `${plain}.${extensionOf(plan.format)}`;
}
