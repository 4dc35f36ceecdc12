import { afterEach, expect, it, vi } from "vitest";
import { visitWith } from "#test/support/sign-in.ts";
import { readConfig, type Variables } from "#worker/platform/config/config.ts";

afterEach(() => vi.restoreAllMocks());

const SECRET = "too-short-a-secret";

it.each<[keyof Variables, string, string]>([
  ["SESSION_SECRET", SECRET, "must have at least 32 characters"],
  ["CREDENTIAL_KEYS", "1:dG9vIHNob3J0", "must be keys of 32 bytes as id:base64, with commas between"],
  ["APP_ORIGIN", "chat.example.com", "must be an address that begins with http:// or https://"],
  ["AGGREGATOR_URL", "ftp://models.example", "must be an address that begins with http:// or https://"],
  ["ENVIRONMENT", "prod", "must be production or local"],
  ["SIGNUP", "closed", "must be open or invite"],
  ["AGGREGATOR_SIMULATED", "yes", "must be true or false"],
  ["GUEST_MESSAGES_PER_DAY", "many", "must be a whole number, 0 or more"],
  ["MESSAGES_PER_MINUTE", "-1", "must be a whole number, 0 or more"],
  ["CODES_PER_HOUR_PER_IP", "1.5", "must be a whole number, 0 or more"],
  ["DEFAULT_CREDITS", "five", "must be an amount of US dollars, 0 or more"],
  ["TRANSCRIPTION_PRICE", "-0.1", "must be an amount of US dollars, 0 or more"],
  ["LOG_SAMPLE", "5", "must be a number from 0 to 1"],
  ["MAIL_FROM", "Polylogue", "must be a mail address, as Name <address> or alone"],
])("a broken variable: %s is named in one sentence, and its value is not", (name, value, what) => {
  const sentence = `This deployment is not set up correctly: ${name} ${what}.`;
  expect(() => readConfig({ [name]: value })).toThrow(expect.objectContaining({ code: "CONFIGURATION_BROKEN", message: sentence }));
});

it("a broken variable is APP_ORIGIN where production lacks it, as the host of whoever asks would stand in mailed links", () => {
  expect(() => readConfig({ ENVIRONMENT: "production" })).toThrow(
    "This deployment is not set up correctly: APP_ORIGIN must be this deployment's own address, as https://chat.example.com.",
  );
  expect(readConfig({ ENVIRONMENT: "production", APP_ORIGIN: "https://chat.example.com" }).origin).toBe("https://chat.example.com");
});

it.each<keyof Variables>(["APP_ORIGIN", "AGGREGATOR_URL", "BLAND_URL", "GOOGLE_TOKEN_URL", "DNS_URL"])(
  "a broken variable is %s by plain http in production, but for a stand-in on this machine",
  (name) => {
    const production = { ENVIRONMENT: "production", APP_ORIGIN: "https://chat.example.com" };
    for (const plain of ["http://models.example/v1", "HTTP://models.example/v1"])
      expect(() => readConfig({ ...production, [name]: plain })).toThrow(
        `${name} must be an address that begins with https:// in production.`,
      );
    expect(() => readConfig({ ...production, [name]: "http://127.0.0.1:9/v1" })).not.toThrow();
    expect(() => readConfig({ [name]: "http://models.example/v1" })).not.toThrow();
  },
);

it("a broken variable is named beside every other", () => {
  expect(() => readConfig({ SIGNUP: "closed", DNS_URL: "dns", TITLE_MODEL: "x/titles" })).toThrow(
    /^This deployment is not set up correctly: DNS_URL must .*; SIGNUP must be open or invite\.$/,
  );
});

it("a broken variable is reported by every request, and in the log", async () => {
  const lines: string[] = [];
  vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line));
  for (const path of ["/", "/api/auth/session", "/api/nowhere", "/p/nowhere", "/index.js"]) {
    const answer = await visitWith({ SESSION_SECRET: SECRET }, path);
    expect({ path, status: answer.status, body: await answer.json() }).toEqual({
      path,
      status: 500,
      body: {
        code: "CONFIGURATION_BROKEN",
        error: "This deployment is not set up correctly: SESSION_SECRET must have at least 32 characters.",
      },
    });
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(lines.at(-1)).toContain("SESSION_SECRET must have at least 32 characters");
  }
  expect(lines.join("\n")).not.toContain(SECRET);
});

it("what is not given has the default that the README names, or is not there", () => {
  expect(readConfig({})).toMatchObject({
    aggregator: { url: "https://openrouter.ai/api/v1", key: undefined, isSimulated: false },
    models: { pro: "anthropic/claude-opus-*", turbo: "*-flash*,*-haiku*" },
    transcription: null,
    google: { client: null },
    search: { parallel: { key: undefined }, exa: { key: undefined } },
    whatsapp: null,
    mail: { resend: { key: undefined }, from: undefined, operator: undefined },
    signUp: { isByInvitation: false, credits: 5 },
    limits: { guestMessagesPerDay: 10, turnsPerMinute: 30, codesPerHour: { perBrowser: 20, perIp: 20 } },
  });
});

it("what is not given includes what is empty", () => {
  const empty = { SESSION_SECRET: "", APP_ORIGIN: " ", MESSAGES_PER_MINUTE: "", AGGREGATOR_URL: "", SIGNUP: "" };
  expect(readConfig(empty)).toEqual(readConfig({}));
});

it("a variable keeps 0 as what it means, and an address without the slash at its end", () => {
  const numbers = { GUEST_MESSAGES_PER_DAY: "0", MESSAGES_PER_MINUTE: "0", DEFAULT_CREDITS: "0", TRANSCRIPTION_PRICE: "0" };
  const config = readConfig({ ...numbers, TRANSCRIPTION_URL: "http://localhost:9/v1/", APP_ORIGIN: "https://chat.example.com/" });
  expect(config.limits).toMatchObject({ guestMessagesPerDay: 0, turnsPerMinute: 0 });
  expect(config.signUp.credits).toBe(0);
  expect(config.transcription).toMatchObject({ url: "http://localhost:9/v1", price: 0 });
  expect(config.origin).toBe("https://chat.example.com");
});
