import * as z from "zod/mini";
import { endpoint } from "#shared/contracts/endpoint.ts";
import { Id } from "#shared/entities/ids.ts";
import { DriveIndexStatus } from "#shared/entities/outbound/drive-index.ts";

/** Files and folders that are picked at a time. */
const DRIVE_PICKS = 20;

const Place = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000_000));
/** The id of a file or folder of Drive. */
export const DriveId = z.string().check(z.regex(/^[\w-]{1,64}$/, "Not the id of a file in Drive."));

export const startDriveIndex = endpoint("POST", "/api/google/drive/index", {
  summary: "Index the caller's Google Drive in the background, or what changed in it since the last time; they are mailed once it is done",
  access: "account",
  repeat: "same",
  response: z.object({ ok: z.literal(true) }),
  status: 202,
});

export const getDriveIndex = endpoint("GET", "/api/google/drive/index", {
  summary: "How far the index of the caller's Google Drive is",
  access: "account",
  response: DriveIndexStatus,
});

export const readDrivePassage = endpoint("GET", "/api/google/drive/files/:id/passage", {
  summary: "What an answer cites of a file in the caller's Drive: the passage between two places, with what stands around it",
  access: "account",
  params: z.object({ id: DriveId }),
  query: z.object({ from: Place, to: Place }),
  response: z.object({
    document: z.object({ id: DriveId, name: z.string(), pages: z.nullable(z.number()) }),
    /** Where it stands, in words; empty where nothing is known of it. */
    place: z.string(),
    page: z.nullable(z.number()),
    before: z.string(),
    text: z.string(),
    after: z.string(),
    /** Where the file is in Drive itself. */
    link: z.nullable(z.string()),
  }),
});

export const addDriveFiles = endpoint("POST", "/api/user-contexts/:id/drive", {
  summary:
    "Add files and folders of the caller's Google Drive to a knowledge entry of their own: files up to 10 MB are fetched in the background and again once they change, folders are followed",
  access: "account",
  repeat: "same",
  params: z.object({ id: Id }),
  body: z.object({
    files: z
      .array(z.object({ id: DriveId, resourceKey: z.optional(z.string().check(z.maxLength(200))) }))
      .check(z.minLength(1), z.maxLength(DRIVE_PICKS)),
  }),
  response: z.object({ ok: z.literal(true) }),
  status: 202,
});

/** Why Google gave the Picker's window nothing to choose by. */
const PickerFailure = z.enum(["cancelled", "failed", "other_account"]);
export type PickerFailure = z.infer<typeof PickerFailure>;

export const openDrivePicker = endpoint("GET", "/api/google/drive/picker", {
  summary:
    "The document in which the caller chooses files of their Drive by Google's Picker; it tells its opener over a channel of this name",
  access: "anyone",
  query: z.object({ channel: z.string().check(z.regex(/^[\w-]{16,64}$/)), failure: z.optional(PickerFailure) }),
});
