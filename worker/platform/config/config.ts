/** The deployment's variables, read and checked once; docs/configuration.md explains each. Nothing else reads a variable. */
import * as z from "zod/mini";
import { APP_NAME } from "#shared/app.ts";
import { APPROVAL_DAYS, ARTIFACTS_PER_HOUR, CHAT_EXPORTS_PER_HOUR, CHATS_PER_HOUR, SEARCHES_PER_HOUR } from "#shared/limits.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { isLocalhost } from "#worker/platform/config/localhost.ts";
import { googleConfig } from "#worker/platform/config/google.ts";
import { pushConfig, VapidKey } from "#worker/platform/config/push.ts";

const SECRET_LENGTH = 32;

const text = z.optional(z.string("must be text"));
const flag = z.optional(z.enum(["true", "false"], "must be true or false"));
const address = z.url({ protocol: /^https?$/, error: "must be an address that begins with http:// or https://" });
const url = z.optional(address);
/** Without the slashes at its end, as paths are added to it. */
const baseUrl = z.optional(
  z.pipe(
    address,
    z.transform((given) => given.replace(/(?<!\/)\/+$/, "")),
  ),
);
const nonNegativeInteger = z.optional(numberOf("must be a whole number, 0 or more").check(z.int("must be a whole number, 0 or more")));
const share = z.optional(numberOf("must be a number from 0 to 1").check(z.maximum(1, "must be a number from 0 to 1")));
const dollars = z.optional(numberOf("must be an amount of US dollars, 0 or more"));
/** Mail addresses with commas between, in lower case. */
const addresses = z.optional(
  z.pipe(
    z.string().check(z.regex(/^\s*[^\s,@]+@[^\s,@]+(?:\s*,\s*[^\s,@]+@[^\s,@]+)*\s*$/, "must be mail addresses with commas between")),
    z.transform((given) => given.split(",").map((one) => one.trim().toLowerCase())),
  ),
);
/** `Name <address>`, or the address alone. */
const mailbox = z.optional(
  z.pipe(
    z
      .string()
      .check(z.regex(/^(?:[^<>]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)\s*$/, "must be a mail address, as Name <address> or alone")),
    z.transform(toMailbox),
  ),
);

function numberOf(error: string) {
  return z.coerce.number(error).check(z.minimum(0, error));
}

/** Keys of 32 bytes as `id:base64` with commas between; the first encrypts. */
const credentialKeys = z.optional(
  z.pipe(
    z
      .string()
      .check(
        z.regex(
          /^\s*[\w-]+:[A-Za-z0-9+/]{43}=(?:\s*,\s*[\w-]+:[A-Za-z0-9+/]{43}=)*\s*$/,
          "must be keys of 32 bytes as id:base64, with commas between",
        ),
      ),
    z.transform((given) => given.split(",").map(toCredentialKey)),
  ),
);

/** Secrets that signed before, with commas between. */
const oldSecrets = z.optional(
  z.pipe(
    z
      .string()
      .check(
        z.refine(
          (given) => given.split(",").every((one) => one.trim().length >= SECRET_LENGTH),
          `must be secrets of at least ${SECRET_LENGTH} characters each, with commas between`,
        ),
      ),
    z.transform((given) => given.split(",").map((one) => one.trim())),
  ),
);

const Variables = z.object({
  SESSION_SECRET: z.optional(z.string().check(z.minLength(SECRET_LENGTH, `must have at least ${SECRET_LENGTH} characters`))),
  OLD_SESSION_SECRETS: oldSecrets,
  CREDENTIAL_KEYS: credentialKeys,
  APP_ORIGIN: url,
  DEPLOYMENT_SECRET: z.optional(z.string().check(z.minLength(SECRET_LENGTH, `must have at least ${SECRET_LENGTH} characters`))),
  ENVIRONMENT: z.optional(z.enum(["production", "local"], "must be production or local")),
  VERSION: text,
  LOG_SAMPLE: share,

  AGGREGATOR_URL: baseUrl,
  OPENROUTER_API_KEY: text,
  AGGREGATOR_SIMULATED: flag,
  TITLE_MODEL: text,
  EMBEDDING_MODEL: text,
  EMBEDDING_PRICE: dollars,
  PRO_MODELS: text,
  TURBO_MODELS: text,

  TRANSCRIPTION_URL: baseUrl,
  TRANSCRIPTION_API_KEY: text,
  TRANSCRIPTION_MODEL: text,
  TRANSCRIPTION_PRICE: dollars,

  GOOGLE_CLIENT_ID: text,
  GOOGLE_CLIENT_SECRET: text,
  GOOGLE_AUTH_URL: url,
  GOOGLE_TOKEN_URL: url,
  GOOGLE_JWKS_URL: url,
  GOOGLE_ISSUER: text,
  GOOGLE_REVOKE_URL: url,
  GMAIL: flag,
  GMAIL_URL: baseUrl,
  GOOGLE_DRIVE: flag,
  GOOGLE_DRIVE_URL: baseUrl,
  GOOGLE_PICKER_URL: url,
  GOOGLE_PICKER_KEY: text,
  GOOGLE_PROJECT_NUMBER: text,

  PARALLEL_URL: baseUrl,
  PARALLEL_API_KEY: text,
  EXA_URL: baseUrl,
  EXA_API_KEY: text,
  DNS_URL: url,

  CODEGEN_URL: baseUrl,
  BLAND_URL: baseUrl,
  BLAND_API_KEY: text,
  BLAND_WEBHOOK_SECRET: text,
  BLAND_PRICE_PER_MINUTE: dollars,

  WHATSAPP_URL: baseUrl,
  WHATSAPP_API_VERSION: z.optional(z.string().check(z.regex(/^v\d+\.\d+$/, "must be a version as v23.0"))),
  WHATSAPP_TOKEN: text,
  WHATSAPP_PHONE_NUMBER_ID: z.optional(z.string().check(z.regex(/^\d+$/, "must be digits"))),
  WHATSAPP_NUMBER: z.optional(z.string().check(z.regex(/^\+[1-9]\d{6,14}$/, "must be a number as +15550001111"))),
  WHATSAPP_APP_SECRET: text,
  WHATSAPP_VERIFY_TOKEN: text,
  WHATSAPP_CODE_TEMPLATE: text,
  WHATSAPP_WAITING_TEMPLATE: text,
  WHATSAPP_TEMPLATE_LANGUAGE: text,
  WHATSAPP_MESSAGES_PER_HOUR: nonNegativeInteger,
  WHATSAPP_SIMULATED: flag,

  RESEND_URL: baseUrl,
  RESEND_API_KEY: text,
  RESEND_WEBHOOK_SECRET: text,
  MAIL_FROM: mailbox,
  OPERATOR_EMAIL: text,
  MAILBOX_SIMULATED: flag,
  MAIL_DOMAIN: z.optional(
    z.pipe(
      z.string().check(z.regex(/^\s*[a-z0-9-]+(?:\.[a-z0-9-]+)+\s*$/i, "must be a domain")),
      z.transform((given) => given.trim().toLowerCase()),
    ),
  ),
  MAILS_PER_HOUR: nonNegativeInteger,

  VAPID_PUBLIC_KEY: VapidKey.public,
  VAPID_PRIVATE_KEY: VapidKey.private,
  VAPID_SUBJECT: VapidKey.subject,
  PUSH_STAND_IN: url,

  SHARE_LINKS: flag,
  ARTIFACTS: flag,

  ADMIN_EMAILS: addresses,
  ALLOW_NON_TEAM_PLAN_INVITES: flag,
  SIGNUP: z.optional(z.enum(["open", "invite"], "must be open or invite")),
  GUEST_MESSAGES_PER_DAY: nonNegativeInteger,
  GUEST_DOLLARS_PER_DAY: dollars,
  MESSAGES_PER_MINUTE: nonNegativeInteger,
  CHATS_PER_HOUR: nonNegativeInteger,
  SEARCHES_PER_HOUR: nonNegativeInteger,
  ARTIFACTS_PER_HOUR: nonNegativeInteger,
  CHAT_EXPORTS_PER_HOUR: nonNegativeInteger,
  CODES_PER_HOUR_PER_BROWSER: nonNegativeInteger,
  CODES_PER_HOUR_PER_IP: nonNegativeInteger,
  CODES_PER_HOUR_PER_ADDRESS: nonNegativeInteger,
  WRONG_CODES_PER_DAY_PER_ADDRESS: nonNegativeInteger,
  DEFAULT_CREDITS: dollars,
  APPROVAL_DAYS: z.optional(
    numberOf("must be a whole number of days, 1 or more").check(
      z.int("must be a whole number of days, 1 or more"),
      z.minimum(1, "must be a whole number of days, 1 or more"),
    ),
  ),
});

/** Every variable that is read. */
export const VARIABLE_NAMES = Object.keys(Variables.shape);

/** The variables as a deployment gives them: each is text, and may be absent. */
export type Variables = { [Name in keyof typeof Variables.shape]?: string | undefined };

/** What this deployment is set up with; what is `undefined` or null was not given. */
export type Config = ReturnType<typeof group>;

/** Checks the variables among `given`, where an empty one counts as absent. Throws CONFIGURATION_BROKEN, which names each broken one and no value. */
export function readConfig(given: Readonly<Record<string, unknown>>): Config {
  const asked = VARIABLE_NAMES.map((name) => [name, given[name]] as const);
  const parsed = Variables.safeParse(Object.fromEntries(asked.filter(([, value]) => !isEmpty(value))));
  const broken = parsed.success ? notFitting(parsed.data) : listBroken(parsed.error);
  if (parsed.success && broken === null) return group(parsed.data);
  const sentence = `This deployment is not set up correctly: ${broken}.`;
  throw new AppError("CONFIGURATION_BROKEN", { message: sentence, cause: new Error(sentence) });
}

/** What of valid variables does not fit together; null where all of it does. */
function notFitting(given: z.output<typeof Variables>): string | null {
  // Else the host that a request names would stand in the links that are mailed.
  if (given.ENVIRONMENT === "production" && given.APP_ORIGIN === undefined) {
    return "APP_ORIGIN must be this deployment's own address, as https://chat.example.com";
  }
  const plain = given.ENVIRONMENT === "production" && Object.entries(given).find(([, value]) => isPlainHttp(value));
  // What goes there has keys, chats and mails in it.
  if (plain) return `${plain[0]} must be an address that begins with https:// in production`;
  const staff = staffDomainOf(given);
  return staff && `MAIL_DOMAIN must be a domain apart from those of ${staff}`;
}

/**
 * The variable whose addresses are at the chats' own mail domain, or at one above or below it: whoever has a chat could pass there for staff,
 * as services take who reads mail at a domain for one of its people.
 */
function staffDomainOf({ MAIL_DOMAIN: domain, ADMIN_EMAILS: administrators = [], OPERATOR_EMAIL: operator }: z.output<typeof Variables>) {
  const isNear = (given: string) => {
    const staff = given
      .slice(given.lastIndexOf("@") + 1)
      .trim()
      .toLowerCase();
    if (domain === undefined || !staff.includes(".")) return false;
    return staff === domain || staff.endsWith(`.${domain}`) || domain.endsWith(`.${staff}`);
  };
  if (administrators.some(isNear)) return "ADMIN_EMAILS";
  return operator !== undefined && isNear(operator) ? "OPERATOR_EMAIL" : null;
}

function isPlainHttp(value: unknown): boolean {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === "http:" && !isLocalhost(hostname);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}

function listBroken({ issues }: z.core.$ZodError): string {
  const broken = new Map(issues.map(({ path, message }) => [String(path[0]), message]));
  return [...broken].map(([name, message]) => `${name} ${message}`).join("; ");
}

function group(given: z.output<typeof Variables>) {
  const isLocal = given.ENVIRONMENT === "local";
  return {
    /** Outside production every answer is checked against its contract. */
    isProduction: given.ENVIRONMENT === "production",
    /** Shown as the build; a change asks open tabs to reload. */
    version: given.VERSION ?? "dev",
    /** The share of requests that are logged as such; each line costs, and what needs a person is written anyway. */
    logSample: given.LOG_SAMPLE ?? 0.05,
    /** The public origin, e.g. `https://chat.example.com`; outside of production each request's own unless given. */
    origin: given.APP_ORIGIN && new URL(given.APP_ORIGIN).origin,
    /** Signs cookies and keys the codes' hashes. */
    sessionSecret: given.SESSION_SECRET,
    /** Signed before it: what they did is believed as long as they are given. */
    oldSessionSecrets: given.OLD_SESSION_SECRETS ?? [],
    /** What `npm run deploy` asks the new version with, made with each deployment; without it nobody can. */
    deploymentSecret: given.DEPLOYMENT_SECRET,
    /** Encrypt the credentials of people's own connections: the first does, and all decrypt. */
    credentialKeys: given.CREDENTIAL_KEYS ?? [],
    aggregator: {
      url: given.AGGREGATOR_URL ?? OPENROUTER_URL,
      key: given.OPENROUTER_API_KEY,
      /** Whether the models are the local demonstration's. */
      isSimulated: given.AGGREGATOR_SIMULATED === "true",
    },
    /** The model that titles chats, and globs of ids that are Pro-only, or marked as turbo. */
    models: {
      title: given.TITLE_MODEL,
      pro: given.PRO_MODELS ?? "anthropic/claude-opus-*",
      turbo: given.TURBO_MODELS ?? "*-flash*,*-haiku*",
    },
    /** Finds passages by meaning; null where they are found by words alone. */
    embeddings:
      given.EMBEDDING_MODEL === undefined ? null : { model: given.EMBEDDING_MODEL, price: given.EMBEDDING_PRICE ?? USUAL_EMBEDDING_PRICE },
    /** Where speech is turned into text; null where nothing is known to do it. */
    transcription: transcriptionOf(given),
    google: googleConfig(given),
    search: {
      /** Without its key there is no web search. */
      parallel: { url: given.PARALLEL_URL ?? "https://api.parallel.ai", key: given.PARALLEL_API_KEY },
      /** Without its key there is neither reading pages nor finding images. */
      exa: {
        url: given.EXA_URL ?? "https://api.exa.ai",
        key: given.EXA_API_KEY,
        /** The origin of the stand-in that local mode runs on this machine, which has the pictures it finds. */
        standIn: isLocal && given.EXA_URL !== undefined ? new URL(given.EXA_URL).origin : undefined,
      },
    },
    /** True where servers of this machine may be connected to, as developers' own are. */
    takesLocalServers: isLocal,
    /** The code agent; each person brings a token of their own. */
    codegen: { url: given.CODEGEN_URL ?? "https://api.codegen.com" },
    /** The phone; without its key nobody is called. */
    phone: {
      url: given.BLAND_URL ?? "https://api.bland.ai",
      key: given.BLAND_API_KEY,
      /** Signs what the service reports of its calls; without it only the address that it was given proves the sender. */
      webhookSecret: given.BLAND_WEBHOOK_SECRET,
      /** US dollars that a minute is taken to cost until the service gives its price. */
      pricePerMinute: given.BLAND_PRICE_PER_MINUTE ?? USUAL_CALL_PRICE,
    },
    /** Web push; null where it has no keys. */
    push: pushConfig(given),
    /** The messaging app; null where its credentials are not all given. */
    whatsapp: whatsappOf(given),
    /** DNS over HTTPS in its JSON form. */
    dnsUrl: given.DNS_URL ?? "https://cloudflare-dns.com/dns-query",
    mail: {
      resend: { url: given.RESEND_URL ?? "https://api.resend.com", key: given.RESEND_API_KEY, webhookSecret: given.RESEND_WEBHOOK_SECRET },
      /** The sender; an address at the request's own host unless given. */
      from: given.MAIL_FROM,
      /** Where feedback is mailed to. */
      operator: given.OPERATOR_EMAIL,
      /** Where chats have their addresses, in lower case; undefined where none can be written to. It is no domain of anybody's own mail. */
      domain: given.MAIL_DOMAIN,
      /** Whether `/dev/mailbox` exists. */
      isSimulated: given.MAILBOX_SIMULATED === "true",
    },
    /** Whether personas, prompts and knowledge can be shared by link. */
    hasShareLinks: given.SHARE_LINKS !== "false",
    /** Whether there are artifacts, and their tools. */
    hasArtifacts: given.ARTIFACTS !== "false",
    /** The proven addresses of who administers this deployment, in lower case. */
    administrators: given.ADMIN_EMAILS ?? [],
    teams: {
      /** Whether accounts without the team plan make teams as well. */
      areForAll: given.ALLOW_NON_TEAM_PLAN_INVITES === "true",
    },
    signUp: {
      isByInvitation: given.SIGNUP === "invite",
      /** US dollars a new account begins with. */
      credits: given.DEFAULT_CREDITS ?? 5,
    },
    limits: {
      /** Free messages a guest gets in a day of UTC; 0 where guests are off, as they are by invitation unless the number is given. */
      guestMessagesPerDay: given.GUEST_MESSAGES_PER_DAY ?? (given.SIGNUP === "invite" ? 0 : 10),
      /** What all guests together may cost the house in a day of UTC, in US dollars. */
      guestDollarsPerDay: given.GUEST_DOLLARS_PER_DAY ?? 2,
      /** Turns one person may begin in any 60 seconds, 0 for no limit: more than anyone reads, too few to run up a bill. */
      turnsPerMinute: given.MESSAGES_PER_MINUTE ?? 30,
      /** What one person may do in any 60 minutes, and a guest a share of it. */
      perHour: {
        chats: given.CHATS_PER_HOUR ?? CHATS_PER_HOUR,
        searches: given.SEARCHES_PER_HOUR ?? SEARCHES_PER_HOUR,
        artifacts: given.ARTIFACTS_PER_HOUR ?? ARTIFACTS_PER_HOUR,
        exports: given.CHAT_EXPORTS_PER_HOUR ?? CHAT_EXPORTS_PER_HOUR,
      },
      /** Mails that a chat takes in any 60 minutes; senders of later ones are asked to try again. */
      mailsPerHour: given.MAILS_PER_HOUR ?? 60,
      /** Days after which a call that nobody decided about is discarded, unless its person chose others. */
      approvalDays: given.APPROVAL_DAYS ?? APPROVAL_DAYS,
      /** Sign-in codes asked for in any 60 minutes, and as many wrong ones. */
      codesPerHour: { perBrowser: given.CODES_PER_HOUR_PER_BROWSER ?? 20, perIp: given.CODES_PER_HOUR_PER_IP ?? 20 },
      /** Mails with a code that an address gets in any 60 minutes, but for browsers that signed in to it before. */
      codeMailsPerHour: given.CODES_PER_HOUR_PER_ADDRESS ?? 10,
      /** Wrong codes of such strangers for an address in a day of UTC; after them its mails have a link alone. */
      wrongCodesPerDay: given.WRONG_CODES_PER_DAY_PER_ADDRESS ?? 20,
    },
  };
}

const OPENROUTER_URL = "https://openrouter.ai/api/v1";
/** OpenAI's price of Whisper, in US dollars a minute, which others' are near. */
const USUAL_PRICE = 0.006;

/** What is taken for the price of embeddings where the aggregator gives none, in US dollars per million tokens. */
const USUAL_EMBEDDING_PRICE = 0.02;

/** Bland's price of a minute on its smallest plan, in US dollars. */
const USUAL_CALL_PRICE = 0.14;

/** Where speech is turned into text; `price`, US dollars a minute, applies where the service gives none. */
export type TranscriptionService = { url: string; key: string | undefined; model: string; price: number };

/**
 * A service of its own, else the aggregator, which is known to transcribe where it is OpenRouter or a model for it is named.
 * A key goes to the server that it was given for, and to no other.
 */
function transcriptionOf(given: z.output<typeof Variables>): TranscriptionService | null {
  const { TRANSCRIPTION_URL: own, TRANSCRIPTION_MODEL: model, TRANSCRIPTION_PRICE: price = USUAL_PRICE } = given;
  if (own !== undefined) return { url: own, key: given.TRANSCRIPTION_API_KEY, model: model ?? "whisper-1", price };
  const isOpenRouter = given.AGGREGATOR_URL === undefined && given.OPENROUTER_API_KEY !== undefined;
  if (!isOpenRouter && model === undefined) return null;
  return { url: given.AGGREGATOR_URL ?? OPENROUTER_URL, key: given.OPENROUTER_API_KEY, model: model ?? "openai/whisper-1", price };
}

/** Meta's Cloud API, and the number that people write to. */
export type WhatsappService = {
  /** With the version at its end. */
  url: string;
  token: string;
  phoneNumberId: string;
  /** What people see: E.164, where it is known. */
  number: string | undefined;
  /** Signs what the service reports. */
  appSecret: string;
  verifyToken: string;
  /** The names of the approved templates: one carries a code, one says in which chat an answer waits. */
  templates: { code: string; waiting: string; language: string };
  /** Whether `/dev/phone` exists. */
  isSimulated: boolean;
  /** Messages that one person's number may send in any 60 minutes. */
  messagesPerHour: number;
};

function whatsappOf(given: z.output<typeof Variables>): WhatsappService | null {
  const { WHATSAPP_TOKEN: token, WHATSAPP_PHONE_NUMBER_ID: phoneNumberId, WHATSAPP_APP_SECRET: appSecret } = given;
  const { WHATSAPP_VERIFY_TOKEN: verifyToken } = given;
  if (token === undefined || phoneNumberId === undefined || appSecret === undefined || verifyToken === undefined) return null;
  return {
    url: `${given.WHATSAPP_URL ?? "https://graph.facebook.com"}/${given.WHATSAPP_API_VERSION ?? "v23.0"}`,
    token,
    phoneNumberId,
    number: given.WHATSAPP_NUMBER,
    appSecret,
    verifyToken,
    templates: {
      code: given.WHATSAPP_CODE_TEMPLATE ?? "verification_code",
      waiting: given.WHATSAPP_WAITING_TEMPLATE ?? "answer_waiting",
      language: given.WHATSAPP_TEMPLATE_LANGUAGE ?? "en_US",
    },
    isSimulated: given.WHATSAPP_SIMULATED === "true",
    messagesPerHour: given.WHATSAPP_MESSAGES_PER_HOUR ?? 60,
  };
}

export type CredentialKey = { id: string; bytes: Uint8Array<ArrayBuffer> };

function toCredentialKey(given: string): CredentialKey {
  const [id = "", base64 = ""] = given.trim().split(":");
  return { id, bytes: Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)) };
}

/** A sender's or receiver's name and address. */
export type Mailbox = { name: string; email: string };

function toMailbox(given: string): Mailbox {
  const named = /^(.*)<([^<>]+)>\s*$/.exec(given);
  if (!named) return { name: APP_NAME, email: given.trim() };
  return { name: named[1]?.trim().replaceAll('"', "") || APP_NAME, email: named[2]?.trim() ?? "" };
}
