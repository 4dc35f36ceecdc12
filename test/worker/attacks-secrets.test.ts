import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ENDPOINTS } from "#shared/contracts/all.ts";
import { createChat } from "#shared/contracts/chat/chats.ts";
import { CANARIES } from "#test/support/canaries.ts";
import { mailsTo } from "#test/support/mailbox.ts";
import { startChatAndRead } from "#test/support/replies.ts";
import { sampleRequest } from "#test/support/samples.ts";
import { cookiesOf, post, visitWith } from "#test/support/sign-in.ts";
import { newAddress, ORIGIN, signIn, visit } from "#test/support/worker.ts";
import { fetchAggregatorModels } from "#worker/platform/clients/aggregator-models.ts";

const SECRETS = Object.values(CANARIES);

let logged: string[] = [];

beforeEach(() => {
  logged = [];
  for (const method of ["error", "warn", "log", "info", "debug"] as const) {
    vi.spyOn(console, method).mockImplementation((...parts: unknown[]) => void logged.push(parts.map(String).join(" ")));
  }
});

afterEach(() => void vi.restoreAllMocks());

function leaksIn(texts: string[]): string[] {
  return texts.filter((text) => SECRETS.some((secret) => text.includes(secret)));
}

async function everythingOf(response: Response): Promise<string> {
  const head = JSON.stringify([...response.headers]);
  return response.webSocket ? head : head + (await response.text());
}

it("the deployment's secrets are those that the tests look for", () => {
  expect(SECRETS.length).toBeGreaterThan(10);
  expect(env).toMatchObject(CANARIES);
});

it("the deployment's secrets stand in no answer, whatever is called, and in production none has a field that its contract does not name", async () => {
  const newcomer = async () => {
    const client = await signIn();
    return { client, chat: await startChatAndRead(client, "say hello") };
  };
  // Who only looks takes nothing from the next one; whatever changes something is about a chat of its own.
  const reader = await newcomer();
  type Answered = { name: string; answer: unknown };
  const [shown, agreed]: [Answered[], Answered[]] = [[], []];
  const answers = await Promise.all(
    Object.entries(ENDPOINTS).map(async ([name, endpoint]) => {
      const { client, chat } = endpoint.method === "GET" ? reader : await newcomer();
      const { path, init } = sampleRequest(name, endpoint, chat);
      const headers = new Headers(init.headers);
      headers.set("cookie", cookiesOf(client).cookie);
      headers.set("origin", ORIGIN);
      const response = await visitWith({ ENVIRONMENT: "production", APP_ORIGIN: ORIGIN }, path, { ...init, headers });
      response.webSocket?.accept();
      const isJson = response.headers.get("content-type")?.startsWith("application/json");
      if (response.ok && isJson && endpoint.response) {
        const answer: unknown = await response.clone().json();
        shown.push({ name, answer });
        agreed.push({ name, answer: endpoint.response.parse(answer) });
      }
      return everythingOf(response);
    }),
  );
  for (const path of ["/", "/api/docs", "/api/openapi.json", "/api/nowhere", "/.dev.vars", "/wrangler.json", "/index.js.map"]) {
    answers.push(await everythingOf(await visit(path)));
  }
  expect(answers.length).toBeGreaterThan(30);
  expect(shown.length).toBeGreaterThan(60);
  expect(shown).toEqual(agreed);
  expect(leaksIn(answers)).toEqual([]);
  expect(leaksIn(logged)).toEqual([]);
});

it("the deployment's secrets stand in no answer and no log when services fail, even where they repeat the key they were given", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const given = new Headers(init?.headers ?? (input instanceof Request ? input.headers : {})).get("authorization");
    return Response.json({ error: { message: `Incorrect API key provided: ${given}`, code: 401 } }, { status: 401 });
  });
  const mail = await visitWith({}, "/api/auth/email/start", post({ email: newAddress() }));
  expect(mail.status).toBe(502);
  const answers = [await everythingOf(mail)];
  const failure: unknown = await fetchAggregatorModels(env).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Error);
  answers.push(String(failure), JSON.stringify(failure));
  expect(logged.join("")).toContain("Resend answered 401");
  expect(leaksIn(answers)).toEqual([]);
  expect(leaksIn(logged)).toEqual([]);
});

it("the deployment's secrets stand in no failed turn", async () => {
  const client = await signIn();
  const { settled } = await startChatAndRead(client, "fault 401");
  expect(settled.error?.code).toBe("AGGREGATOR_UNAUTHENTICATED");
  expect(leaksIn([JSON.stringify(settled), ...logged])).toEqual([]);
});

it("the deployment's secrets are not what a name in braces stands for", async () => {
  const client = await signIn();
  const names = "${OPENROUTER_API_KEY} {{SESSION_SECRET}} $RESEND_API_KEY %SESSION_SECRET% {env.SESSION_SECRET}";
  expect((await startChatAndRead(client, `say ${names}`)).text).toBe(names);
  expect((await client.take(createChat, { body: { title: names } })).chat.title).toBe(names);
  expect(leaksIn((await mailsTo(env.MAILBOX_SIMULATOR, client.email)).map((mail) => JSON.stringify(mail)))).toEqual([]);
});
