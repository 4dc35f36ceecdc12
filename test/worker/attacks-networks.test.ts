import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { newIp, post, visitWith } from "#test/support/sign-in.ts";
import { newAddress } from "#test/support/worker.ts";
import { networkOf } from "#worker/platform/requests/network-of.ts";

const LIGHT_MODEL = "openai/gpt-5-nano";
const DAY = 24 * 60 * 60_000;

// Far from midnight, where the day that counts messages would change under way.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: (Math.floor(Date.now() / DAY) + 0.5) * DAY }));
afterEach(() => void vi.useRealTimers());

/** Addresses of one IPv6 line, each of a /64 of its own: its /48 is given, the rest is anybody's to choose. */
function addressesOfOneLine(count: number): Record<string, string>[] {
  const network = (newIp()["cf-connecting-ip"] ?? "").split(":").slice(0, 3).join(":");
  return Array.from({ length: count }, (_, n) => ({ "cf-connecting-ip": `${network}:${n + 1}:1:2:3:4` }));
}

it("the addresses of one IPv6 line get three guests' messages together, and nobody else fewer for it", async () => {
  const send = (headers: Record<string, string>) => {
    const message = { id: crypto.randomUUID(), parent_id: null, content: "say hi", model_id: LIGHT_MODEL };
    return visitWith({ GUEST_MESSAGES_PER_DAY: "1" }, `/api/chat/${crypto.randomUUID()}/messages`, post(message, headers));
  };
  const answers = await Promise.all(addressesOfOneLine(6).map(send));
  expect([202, 429].map((status) => answers.filter((answer) => answer.status === status).length)).toEqual([3, 3]);
  expect((await send(newIp())).status).toBe(202);
});

it("the addresses of one IPv6 line get one line's codes", async () => {
  const ask = (headers: Record<string, string>) =>
    visitWith({ CODES_PER_HOUR_PER_IP: "2" }, "/api/auth/email/start", post({ email: newAddress() }, headers));
  const answers = await Promise.all(addressesOfOneLine(4).map(ask));
  expect([200, 429].map((status) => answers.filter((answer) => answer.status === status).length)).toEqual([2, 2]);
});

it("the addresses of one IPv6 line are one network however they are written; an IPv4 address is one by itself", () => {
  for (const ip of ["2001:db8:a:1::1", "2001:0DB8:000A:0000:ffff:0:0:1", "2001:db8:a::2:3:4", "2001:db8:a:b:1:2:3:4"]) {
    expect(networkOf(ip)).toBe("2001:db8:a::/48");
  }
  expect(["2001:db8::1", "::1"].map(networkOf)).toEqual(["2001:db8:0::/48", "0:0:0::/48"]);
  expect(["192.0.2.1", "::ffff:192.0.2.1", "local"].map(networkOf)).toEqual(["192.0.2.1", "192.0.2.1", "local"]);
});
