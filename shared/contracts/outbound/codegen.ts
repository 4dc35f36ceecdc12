import * as z from "zod/mini";
import { endpoint } from "#shared/contracts/endpoint.ts";
import { FRESH_OWN_MIN } from "#shared/limits.ts";
import { CodegenConnection } from "#shared/entities/outbound/codegen-connection.ts";

const MISSING = "Please enter both Organization ID and Token";
const NO_NUMBER = "The Organization ID is a number, as codegen.com shows it.";
/** Characters of a token. */
const TOKEN_LENGTH = 500;

export const getCodegenStatus = endpoint("GET", "/api/codegen/connection-status", {
  summary: "Whether the caller's code agent is connected, to which organization, and why it does not work where it does not",
  access: "account",
  response: CodegenConnection,
});

export const connectCodegen = endpoint("POST", "/api/codegen/connect", {
  summary: "Connect the code agent with an organization and a token of it, once the service takes them",
  access: "account",
  freshMinutes: FRESH_OWN_MIN,
  repeat: "same",
  body: z.object({
    orgId: z.string(MISSING).check(z.trim(), z.minLength(1, MISSING), z.regex(/^\d{1,15}$/, NO_NUMBER)),
    token: z.string(MISSING).check(z.trim(), z.minLength(1, MISSING), z.maxLength(TOKEN_LENGTH)),
  }),
  response: z.object({ message: z.string() }),
});

export const disconnectCodegen = endpoint("DELETE", "/api/codegen/connection-status", {
  summary: "Forget the code agent's organization and token",
  access: "account",
  response: z.object({ ok: z.literal(true) }),
});
