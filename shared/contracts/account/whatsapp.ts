import * as z from "zod/mini";
import { User } from "#shared/entities/user.ts";
import { CODE_MIN_LENGTH, FRESH_OWN_MIN } from "#shared/limits.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

export const WhatsAppSetup = z.object({
  /** The linked number, as E.164; null without one. */
  phone_number: z.nullable(z.string()),
  /** The number that a code was sent to which still holds; null where none is awaited. */
  awaited_number: z.nullable(z.string()),
  /** The number that one writes to, as E.164; null where it is not known. */
  write_to: z.nullable(z.string()),
  /** True where the app is the local stand-in, whose page is `/dev/phone`. */
  simulated: z.boolean(),
});
export type WhatsAppSetup = z.infer<typeof WhatsAppSetup>;

export const getWhatsAppSetup = endpoint("GET", "/api/whatsapp/setup", {
  summary: "The caller's number in WhatsApp, and the number that one writes to",
  access: "account",
  response: WhatsAppSetup,
});

export const startWhatsAppSetup = endpoint("POST", "/api/whatsapp/setup/start", {
  summary: "Send a 6-digit code to a number in WhatsApp; needs a sign-in of the last 60 minutes",
  access: "account",
  freshMinutes: FRESH_OWN_MIN,
  // Few codes are sent an hour: one that is asked for twice by accident is sent once.
  repeat: "key",
  /** International; without a country's code it is taken as one of the United States. */
  body: z.object({ phoneNumber: z.string().check(z.trim(), z.minLength(1, "Enter your phone number."), z.maxLength(40)) }),
  response: z.object({ phone_number: z.string() }),
});

export const verifyWhatsAppSetup = endpoint("POST", "/api/whatsapp/setup/verify", {
  summary: "Prove the number that the last code was sent to; it belongs to the caller's account alone from then on",
  access: "account",
  repeat: "spent",
  body: z.object({
    code: z.string().check(z.trim(), z.minLength(CODE_MIN_LENGTH, "Enter the code from WhatsApp."), z.maxLength(12)),
  }),
  response: z.object({ user: User }),
});

export const unlinkWhatsApp = endpoint("DELETE", "/api/whatsapp/setup", {
  summary: "Unlink the caller's number: what it writes is a stranger's from then on; needs a sign-in of the last 60 minutes",
  access: "account",
  freshMinutes: FRESH_OWN_MIN,
  response: z.object({ user: User }),
});
