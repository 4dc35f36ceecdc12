import { keepsNothingHere } from "#web/lib/storage.ts";

/** Keeps on this device what people expect, or nothing where that was asked for. */
export async function keepAsAsked(keepsNothing: boolean): Promise<void> {
  if (keepsNothing === keepsNothingHere()) return;
  const { applyKeepsNothing } = await import("#web/features/account-data/forget-here.ts");
  await applyKeepsNothing(keepsNothing);
}
