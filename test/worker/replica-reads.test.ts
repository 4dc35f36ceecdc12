import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { checkFreshSignIn, getSession } from "#shared/contracts/account/auth.ts";
import { createPrompt, listPrompts } from "#shared/contracts/library/prompts.ts";
import { type Client, signIn } from "#test/support/worker.ts";

afterEach(() => void vi.restoreAllMocks());

/** Which statements were asked by a session that replicas serve, with what each such session began, and which of the primary. */
async function asked(act: () => Promise<unknown>) {
  const begun: unknown[] = [];
  const sessions = new Set<unknown>();
  const statements = { primary: new Array<string>(), nearby: new Array<string>() };
  const database = Object.getPrototypeOf(env.DB);
  const { withSession } = database;
  vi.spyOn(database, "withSession").mockImplementation(function spied(this: unknown, ...args: unknown[]) {
    begun.push(args[0]);
    const session = withSession.apply(this, args);
    sessions.add(session);
    return session;
  });
  const statement = Object.getPrototypeOf(env.DB.prepare("SELECT 1"));
  const { raw } = statement;
  vi.spyOn(statement, "raw").mockImplementation(function spied(this: unknown, ...args: unknown[]) {
    const isNearby = sessions.has(Reflect.get(Object(this), "dbSession"));
    statements[isNearby ? "nearby" : "primary"].push(String(Reflect.get(Object(this), "statement")));
    return raw.apply(this, args);
  });
  await act();
  vi.restoreAllMocks();
  return { begun, ...statements };
}

const ofSessions = (statements: string[]) => statements.filter((sql) => /from "sessions"/.test(sql));

it("what is read goes by a session that begins at the primary, but for whether the reader's own session stands", async () => {
  const person = await signIn();
  const { begun, primary, nearby } = await asked(() => person.take(listPrompts, {}));
  expect(begun).toEqual(["first-primary"]);
  expect(nearby.length).toBeGreaterThan(0);
  expect(ofSessions(nearby)).toEqual([]);
  expect(ofSessions(primary)).toHaveLength(1);
});

it.each<[string, (person: Client) => Promise<unknown>]>([
  ["who is here", (person) => person.take(getSession, {})],
  ["whether a sign-in is fresh", (person) => person.call(checkFreshSignIn, {})],
])("%s is asked of the primary alone", async (_what, act) => {
  const person = await signIn();
  const { primary, nearby } = await asked(() => act(person));
  expect(nearby).toEqual([]);
  expect(ofSessions(primary).length).toBeGreaterThan(0);
});

it("what changes something asks no replica", async () => {
  const person = await signIn();
  const body = { name: "Near", content: "Say it." };
  const { begun } = await asked(() => person.call(createPrompt, { body }));
  expect(begun).toEqual([]);
});
