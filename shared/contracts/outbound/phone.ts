import * as z from "zod/mini";
import { endpoint } from "#shared/contracts/endpoint.ts";
import { CallRules, CallSettings } from "#shared/entities/outbound/call-settings.ts";

const CallSettingsAnswer = z.extend(CallSettings, {
  /** US dollars that a minute costs. */
  price_per_minute: z.number(),
  /** IANA: whose hours these are. */
  time_zone: z.string(),
});

export const getCallSettings = endpoint("GET", "/api/user/call-settings", {
  summary: "When the caller's chats may call somebody, how often in a day, and what a minute costs; 404 where there is no phone",
  access: "account",
  response: CallSettingsAnswer,
});

export const putCallSettings = endpoint("PUT", "/api/user/call-settings", {
  summary: "Set when the caller's chats may call somebody, and how often in a day",
  access: "account",
  body: CallRules,
  response: CallSettingsAnswer,
});
