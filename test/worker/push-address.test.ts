import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { subscribed } from "#test/support/push.ts";
import { resolvesPublicly } from "#worker/platform/clients/dns.ts";
import { isPushAddress, sendPush } from "#worker/platform/clients/push/send-push.ts";
import { configOf } from "#worker/platform/env.ts";

describe("the address of a push service", () => {
  const message = { text: "{}", ttl: 60, urgency: "low", topic: "test" } as const;

  it("the address of a push service is tried again later where it is unknown where it leads, and never where it leads nowhere", async () => {
    const device = await subscribed(env.PUSH_SIMULATOR);
    const send = async (endpoint: string) => {
      const { push } = configOf(env);
      return push && (await sendPush(env, push, { ...device, endpoint }, message)).kind;
    };
    expect(await send("https://unsure.example/1")).toBe("later");
    expect(await send("https://push.internal/1")).toBe("refused");
    // One kind of its addresses is known, and the other may be of this network.
    await expect(resolvesPublicly(env, "half-sure.example", AbortSignal.timeout(5_000))).rejects.toThrow("could not tell");
  });

  it.each(["fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com", "wns2-by3p.notify.windows.com"])(
    "the address of a push service at %s is known without asking DNS",
    async (host) => {
      const { push } = configOf(env);
      expect(
        push && (await isPushAddress(Object.assign({ ...env }, { DNS_URL: "https://unsure.example/" }), push, `https://${host}/1`)),
      ).toBe(true);
      expect(push && (await isPushAddress(env, push, `https://${host}.unsure.example/1`).catch(() => false))).toBe(false);
    },
  );
});
