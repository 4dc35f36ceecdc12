/** What becomes of a subscription that the browser itself has replaced. Everything outside is passed in. */

export type Renewed = { endpoint: string; p256dh: string; auth: string };

export type RenewDeps = {
  /** What the server says of the devices of whoever is signed in; null where it says nothing. */
  known(): Promise<unknown>;
  subscribe(publicKey: string): Promise<Renewed | null>;
  /** Answers whether the server took it. */
  report(body: Renewed & { replaces?: string }): Promise<boolean>;
  unsubscribe(): Promise<unknown>;
};

/** Subscribes again as before, where this session has this browser as a device: whoever signed in since has asked for nothing. */
export async function renew(former: string | null, { known, subscribe, report, unsubscribe }: RenewDeps): Promise<void> {
  const publicKey = keyOf(await known());
  if (publicKey === null) return;
  const subscription = await subscribe(publicKey);
  // Not every browser says which one it has replaced.
  const isTaken = subscription !== null && (await report({ ...subscription, ...(former !== null && { replaces: former }) }));
  if (!isTaken) await unsubscribe();
}

/** The key to subscribe with, where one of the devices is this browser. */
function keyOf(answer: unknown): string | null {
  if (typeof answer !== "object" || answer === null || !("publicKey" in answer) || !("devices" in answer)) return null;
  const { publicKey, devices } = answer;
  const isHere = Array.isArray(devices) && devices.some((device: unknown) => isThis(device));
  return isHere && typeof publicKey === "string" ? publicKey : null;
}

function isThis(device: unknown): boolean {
  return typeof device === "object" && device !== null && "is_this" in device && device.is_this === true;
}
