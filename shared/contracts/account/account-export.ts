import * as z from "zod/mini";
import { Ok } from "./auth.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";
import { FRESH_OWN_MIN } from "#shared/limits.ts";
import { AccountExport } from "#shared/entities/library/account-export.ts";
import { Id } from "#shared/entities/ids.ts";

const ExportParams = z.object({ id: Id });

export const getAccountExport = endpoint("GET", "/api/account/export", {
  summary: "The caller's newest export of everything they have: under way, ready or failed; null without one",
  access: "account",
  response: z.object({ export: z.nullable(AccountExport) }),
});

export const startAccountExport = endpoint("POST", "/api/account/export", {
  summary:
    "Begin an export of everything the caller has, which needs a sign-in of the last 60 minutes. One is made at a time, and an earlier one goes",
  access: "account",
  freshMinutes: FRESH_OWN_MIN,
  repeat: "id",
  body: z.object({ id: Id }),
  response: z.object({ export: AccountExport }),
  status: 202,
});

export const downloadAccountExport = endpoint("GET", "/api/account/export/:id/file", {
  summary: "A finished export as a ZIP, for its person alone and for a day; ranges are served",
  access: "account",
  params: ExportParams,
});

export const deleteAccountExport = endpoint("DELETE", "/api/account/export/:id", {
  summary: "Delete an export; one that is being made is given up",
  access: "account",
  params: ExportParams,
  response: Ok,
});
