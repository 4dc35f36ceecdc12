import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { getSession } from "#shared/contracts/account/auth.ts";
import { startChatAndRead } from "#test/support/replies.ts";
import { signInByMail, visitor } from "#test/support/worker.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { mailboxOf } from "#worker/people/users/mailbox-of.ts";
import { createAccount } from "#worker/people/users/users.ts";

/** A name that no other test uses, without dots. */
function newName(): string {
  return `someone${crypto.randomUUID().slice(0, 13).replace("-", "")}`;
}

async function creditsOf(email: string): Promise<number> {
  return (await signInByMail(visitor(), email)).user.credits;
}

it("the gift of credits is given once to a mailbox, and its aliases' accounts stay apart", async () => {
  const name = newName();
  const first = await signInByMail(visitor(), `${name}@example.com`);
  const alias = await signInByMail(visitor(), `${name}+again@example.com`);
  expect([first.user.credits, alias.user.credits]).toEqual([5, 0]);
  expect(alias.user.id).not.toBe(first.user.id);
  expect(await creditsOf(`${name}@example.com`)).toBe(5);
  expect(await creditsOf(`${name}+again@example.com`)).toBe(0);
});

it("the gift of credits is given once to the dots and both domains of Gmail, and to each of those elsewhere", async () => {
  const name = newName();
  const dotted = `${name.slice(0, 3)}.${name.slice(3)}`;
  expect(await creditsOf(`${dotted}@gmail.com`)).toBe(5);
  expect(await creditsOf(`${name}+x@googlemail.com`)).toBe(0);
  expect(await creditsOf(`${name}@example.com`)).toBe(5);
  expect(await creditsOf(`${dotted}@example.com`)).toBe(5);
});

it("the gift of credits is given once where aliases sign up at the same time", async () => {
  const name = newName();
  const credits = await Promise.all(["a", "b", "c"].map((tag) => creditsOf(`${name}+${tag}@example.com`)));
  expect(credits.toSorted((a, b) => a - b)).toEqual([0, 0, 5]);
});

it("the gift of credits is a guest's who becomes an account, and not a second one's of the same mailbox", async () => {
  const name = newName();
  const become = async (email: string) => {
    const guest = visitor();
    await startChatAndRead(guest, "say hi", "openai/gpt-5-nano");
    const guestId = (await guest.take(getSession, {})).user?.id;
    const { user } = await signInByMail(guest, email);
    expect(user.id).toBe(guestId);
    return user.credits;
  };
  expect([await become(`${name}@example.com`), await become(`${name}+2@example.com`)]).toEqual([5, 0]);
});

it("the gift of credits is each one's where one guest signs in twice at once, with two addresses", async () => {
  const guest = visitor();
  await startChatAndRead(guest, "say hi", "openai/gpt-5-nano");
  const guestId = (await guest.take(getSession, {})).user?.id ?? "";
  const db = openDatabase(env.DB);
  const made = await Promise.all(
    ["one", "other"].map((displayName) =>
      createAccount(db, { email: `${newName()}@example.com`, displayName, giftMicros: 5_000_000 }, guestId),
    ),
  );
  expect(made.filter(({ row }) => row.id === guestId)).toHaveLength(1);
  expect(made.map(({ row }) => row.credits_micros)).toEqual([5_000_000, 5_000_000]);
});

it("a mailbox is its address without what follows a plus, and at Gmail without dots", () => {
  const addresses = ["a.b+c+d@example.com", "a.b.c+d@gmail.com", "abc@googlemail.com", "+a@example.com", "a.b@gmail.com.example"];
  expect(addresses.map(mailboxOf)).toEqual([
    "a.b@example.com",
    "abc@gmail.com",
    "abc@gmail.com",
    "+a@example.com",
    "a.b@gmail.com.example",
  ]);
});
