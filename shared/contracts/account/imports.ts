import * as z from "zod/mini";
import { Ok } from "#shared/contracts/account/auth.ts";
import { Id } from "#shared/entities/ids.ts";
import { Import } from "#shared/imports/import.ts";
import { ATTACHMENT_NAME_LENGTH, IMPORT_FILE_BYTES } from "#shared/limits.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

const ImportParams = z.object({ id: Id });
const One = z.object({ import: Import });

export const listImports = endpoint("GET", "/api/imports", {
  summary: "The caller's newest imports of what they bring from elsewhere, newest first",
  access: "account",
  response: z.object({ imports: z.array(Import) }),
});

export const beginImport = endpoint("POST", "/api/imports", {
  summary: "Begin to upload an export file of ChatGPT, Claude or this product, less than 4 GB; one at a time",
  access: "account",
  repeat: "id",
  body: z.object({
    id: Id,
    name: z.string().check(z.minLength(1, "The file has no name."), z.maxLength(ATTACHMENT_NAME_LENGTH, "That file name is too long.")),
    /** Bytes. */
    size: z.number().check(z.int(), z.minimum(1, "This file is empty."), z.maximum(IMPORT_FILE_BYTES, "An export may have up to 4 GB.")),
  }),
  response: One,
  status: 201,
});

export const getImport = endpoint("GET", "/api/imports/:id", {
  summary: "An import: how far it is, and what came of it",
  access: "account",
  params: ImportParams,
  response: One,
});

export const putImportPart = endpoint("PUT", "/api/imports/:id/parts/:number", {
  summary:
    "Upload a part of the file as the raw body, numbered from 1; all but the last have `part_bytes` bytes. The same part again replaces it",
  access: "account",
  params: z.object({ id: Id, number: z.coerce.number().check(z.int(), z.minimum(1)) }),
  response: Ok,
});

export const finishImportUpload = endpoint("POST", "/api/imports/:id/uploaded", {
  summary: "All parts are here: answers whose export it is, or why it is none",
  access: "account",
  repeat: "same",
  params: ImportParams,
  response: One,
});

export const startImport = endpoint("POST", "/api/imports/:id/start", {
  summary: "Import what was recognised, in the background; one that failed goes on where it was",
  access: "account",
  repeat: "same",
  params: ImportParams,
  response: Ok,
  status: 202,
});

export const cancelImport = endpoint("POST", "/api/imports/:id/cancel", {
  summary: "End an import; what came of it so far is kept",
  access: "account",
  repeat: "same",
  params: ImportParams,
  response: Ok,
});

export const getImportReport = endpoint("GET", "/api/imports/:id/report", {
  summary: "The report of an import as text: what came, what was here already, and what did not come and why",
  access: "account",
  params: ImportParams,
});
