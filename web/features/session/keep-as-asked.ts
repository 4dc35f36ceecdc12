import { keepsNothing } from "#web/lib/storage.ts";

/** Keeps on this device what people expect, or nothing where that was asked for. */
export async function keepAsAsked(isBrief: boolean): Promise<void> {
  if (isBrief === keepsNothing()) return;
  const { keepNothing } = await import("#web/features/account-data/forget-here.ts");
  await keepNothing(isBrief);
}
