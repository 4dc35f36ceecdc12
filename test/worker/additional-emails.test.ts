import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newAddress, signIn } from "#test/support/worker.ts";
import { accountOfAddress, verifiedAddresses } from "#worker/additional-emails/owners.ts";
import { openDatabase } from "#worker/db/client.ts";

const db = openDatabase(env.DB);

async function give(userId: string, email: string): Promise<void> {
  await env.DB.prepare("INSERT INTO additional_emails (email, user_id, verified_at) VALUES (?, ?, ?)")
    .bind(email, userId, new Date().toISOString())
    .run();
}

describe("whose an address is", () => {
  it("is the account's whose own or additional address it is, and nobody's before", async () => {
    const [person, address] = [await signIn(), newAddress()];
    expect(await accountOfAddress(db, address)).toBeNull();
    await give(person.user.id, address);
    expect(await accountOfAddress(db, ` ${address.toUpperCase()} `)).toBe(person.user.id);
    expect(await accountOfAddress(db, person.user.email ?? "")).toBe(person.user.id);
    expect(await verifiedAddresses(db, person.user.id)).toEqual([person.user.email, address]);
  });

  it("is one account's: a second one cannot have it too", async () => {
    const [one, other, address] = [await signIn(), await signIn(), newAddress()];
    await give(one.user.id, address);
    await expect(give(other.user.id, address)).rejects.toThrow(/UNIQUE/);
  });
});
