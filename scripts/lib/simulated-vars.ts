import type { Vars } from "./dev-vars.ts";

/** Points the Worker at the demonstration models; `url` has no slash at its end. */
export function aggregatorVars(url: string): Vars {
  return {
    AGGREGATOR_URL: url,
    OPENROUTER_API_KEY: "simulated",
    AGGREGATOR_SIMULATED: "true",
    TRANSCRIPTION_MODEL: "openai/whisper-1",
    EMBEDDING_MODEL: "openai/text-embedding-3-small",
  };
}

/** Points the Worker at the stand-in for Google: signing in, Gmail and Drive. */
export function googleVars(url: string): Vars {
  return {
    GOOGLE_CLIENT_ID: "simulated.apps.googleusercontent.com",
    GOOGLE_CLIENT_SECRET: "simulated",
    GOOGLE_AUTH_URL: `${url}/o/oauth2/v2/auth`,
    GOOGLE_TOKEN_URL: `${url}/token`,
    GOOGLE_JWKS_URL: `${url}/oauth2/v3/certs`,
    GOOGLE_ISSUER: url,
    GOOGLE_REVOKE_URL: `${url}/revoke`,
    GMAIL: "true",
    GMAIL_URL: url,
    GOOGLE_DRIVE: "true",
    GOOGLE_DRIVE_URL: `${url}/drive/v3`,
    GOOGLE_PICKER_URL: `${url}/js/api.js`,
    GOOGLE_PICKER_KEY: "simulated",
    GOOGLE_PROJECT_NUMBER: "1234567890",
  };
}

/** Points the Worker at the local mailbox. */
export function mailboxVars(url: string): Vars {
  return { RESEND_URL: url, RESEND_API_KEY: "simulated", MAIL_FROM: "Polylogue <hello@polylogue.localhost>", MAILBOX_SIMULATED: "true" };
}

/** Points the Worker at the stand-in for the web's search. */
export function parallelVars(url: string): Vars {
  return { PARALLEL_URL: url, PARALLEL_API_KEY: "simulated" };
}

/** Points the Worker at the stand-in that reads pages and finds images. */
export function exaVars(url: string): Vars {
  return { EXA_URL: url, EXA_API_KEY: "simulated" };
}

/** Points the Worker at the stand-in for DNS over HTTPS. */
export function dnsVars(url: string): Vars {
  return { DNS_URL: `${url}/dns-query` };
}

/** Points the Worker at the code agent's stand-in. */
export function codegenVars(url: string): Vars {
  return { CODEGEN_URL: url };
}

/** Points the Worker at the phone service's stand-in. */
export function blandVars(url: string): Vars {
  return { BLAND_URL: url, BLAND_API_KEY: "simulated", BLAND_WEBHOOK_SECRET: "simulated" };
}

/** Points the Worker at the messaging app's stand-in. */
export function whatsappVars(url: string): Vars {
  return {
    WHATSAPP_URL: url,
    WHATSAPP_TOKEN: "simulated",
    WHATSAPP_PHONE_NUMBER_ID: "106540352242922",
    WHATSAPP_APP_SECRET: "simulated",
    WHATSAPP_VERIFY_TOKEN: "simulated",
    WHATSAPP_NUMBER: "+15550001111",
    WHATSAPP_SIMULATED: "true",
  };
}

/** Lets the Worker send to the stand-in for push services as to those of browsers; the keys are the state's own. */
export function pushVars(url: string): Vars {
  return { PUSH_STAND_IN: url, VAPID_SUBJECT: "mailto:hello@polylogue.localhost" };
}

/** What local mode sets whatever the outside services are; what is given overrides each. */
export const LOCAL_VARS: Vars = {
  ENVIRONMENT: "local",
  SIGNUP: "open",
  ADMIN_EMAILS: "admin@example.com",
  ALLOW_NON_TEAM_PLAN_INVITES: "true",
  MAIL_DOMAIN: "chats.localhost",
  LOG_SAMPLE: "1",
};
