import { createHmac } from "node:crypto";

/** One post to the Worker: the exact bytes, and their signature as its header has it. */
export type Delivery = { number: string; body: string; signature: string };

/** Where webhooks go: posted at once where an address is known, else kept until somebody fetches them. */
export type Webhooks = {
  setUrl(url: string | null): void;
  /** `value` is one change's; its number is who the conversation is with. `onAccepted` is called once it was posted and accepted. */
  send(number: string, value: Record<string, unknown>, onAccepted?: () => void): void;
  /** What was not posted, of one number; it is kept no longer. */
  take(number: string): Delivery[];
};

const TRIES = 6;
const FIRST_WAIT_MS = 500;
const UNDELIVERED_MAX = 5_000;

/** Signs and posts webhooks as Meta does: again, with growing waits, until they are taken. */
export function createWebhooks({
  secret,
  phoneNumberId,
  url: given,
}: {
  secret: string;
  phoneNumberId: string;
  url: string | null;
}): Webhooks {
  let url = given;
  const undelivered: Delivery[] = [];

  async function post(delivery: Delivery, to: string, onAccepted?: () => void, tried = 1): Promise<void> {
    const headers = { "content-type": "application/json", "x-hub-signature-256": delivery.signature };
    const answer = await fetch(to, { method: "POST", headers, body: delivery.body }).catch(() => null);
    await answer?.arrayBuffer().catch(() => null);
    if (answer?.ok) return onAccepted?.();
    if (tried >= TRIES) return;
    setTimeout(() => void post(delivery, to, onAccepted, tried + 1), FIRST_WAIT_MS * 2 ** tried).unref();
  }

  return {
    setUrl(next) {
      url = next;
    },
    send(number, value, onAccepted) {
      const metadata = { display_phone_number: "15550001111", phone_number_id: phoneNumberId };
      const change = { field: "messages", value: { messaging_product: "whatsapp", metadata, ...value } };
      const body = JSON.stringify({ object: "whatsapp_business_account", entry: [{ id: "102290129340398", changes: [change] }] });
      const delivery = { number, body, signature: `sha256=${createHmac("sha256", secret).update(body).digest("hex")}` };
      if (url !== null) return void post(delivery, url, onAccepted);
      undelivered.push(delivery);
      if (undelivered.length > UNDELIVERED_MAX) undelivered.shift();
    },
    take(number) {
      const taken = undelivered.filter((delivery) => delivery.number === number);
      for (const delivery of taken) undelivered.splice(undelivered.indexOf(delivery), 1);
      return taken;
    },
  };
}
