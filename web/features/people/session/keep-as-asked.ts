import { isEphemeralBrowser } from "#web/lib/storage.ts";

/** Keeps on this device what people expect, or nothing where that was asked for. */
export async function applyStoragePreference(keepsNothing: boolean): Promise<void> {
  if (keepsNothing === isEphemeralBrowser()) return;
  const { applyKeepsNothing } = await import("#web/features/people/session/forget-here.ts");
  await applyKeepsNothing(keepsNothing);
}
