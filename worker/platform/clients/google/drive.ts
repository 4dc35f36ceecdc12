/** Drive's API v3, as far as files are read by it (https://developers.google.com/workspace/drive/api/reference/rest/v3). */
import * as z from "zod/mini";
import { configOf, type Env } from "#worker/platform/env.ts";
import { egressFetch } from "../egress.ts";
import { nullishField } from "../nullish-field.ts";

/** Milliseconds for one answer, its body included. */
const TIMEOUT_MS = 30_000;
const PAGE = 1_000;
const FILE_FIELDS =
  "id,name,mimeType,modifiedTime,md5Checksum,size,webViewLink,trashed,resourceKey,capabilities(canDownload),shortcutDetails";

const File = z.object({
  id: z.string().check(z.regex(/^[\w-]{1,64}$/)),
  name: z.string(),
  mimeType: z.string(),
  modifiedTime: nullishField(z.string()),
  md5Checksum: nullishField(z.string()),
  /** Google's own types have none. */
  size: nullishField(z.coerce.number()),
  webViewLink: nullishField(z.string()),
  trashed: nullishField(z.boolean()),
  resourceKey: nullishField(z.string()),
  capabilities: nullishField(z.object({ canDownload: nullishField(z.boolean()) })),
  shortcutDetails: nullishField(
    z.object({
      targetId: z.string().check(z.regex(/^[\w-]{1,64}$/)),
      targetMimeType: z.string(),
      targetResourceKey: nullishField(z.string()),
    }),
  ),
});

export type DriveFile = z.infer<typeof File>;

/** Names a file to Drive; some are opened with a key besides. */
export type DriveFileName = { id: string; resourceKey: string | null };

// What of a listing is no file is left out, not the listing.
const Files = z.object({
  files: z.array(nullishField(File)),
  nextPageToken: nullishField(z.string()),
  incompleteSearch: nullishField(z.boolean()),
});
const Change = z.object({ fileId: z.string(), removed: nullishField(z.boolean()), file: nullishField(File) });
const Changes = z.object({
  changes: z.array(nullishField(Change)),
  nextPageToken: nullishField(z.string()),
  newStartPageToken: nullishField(z.string()),
});
const StartToken = z.object({ startPageToken: z.string() });
const Refusal = z.object({
  error: z.object({
    message: nullishField(z.string()),
    status: nullishField(z.string()),
    errors: nullishField(z.array(z.object({ reason: nullishField(z.string()) }))),
    details: nullishField(z.array(z.object({ reason: nullishField(z.string()) }))),
  }),
});

/**
 * Why Drive did not answer: the token is refused, or its scope does not do (`access`); it is asked too often (`busy`); it failed, came too
 * late or broke off (`trouble`); there is no such file (`gone`); this file alone is not given (`unreadable`); what was asked is not valid
 * any more, as a page's token (`invalid`).
 */
export type DriveErrorKind = "refused" | "access" | "busy" | "trouble" | "gone" | "unreadable" | "invalid";

/** Drive did not answer; the message is for people. */
export class DriveError extends Error {
  readonly kind: DriveErrorKind;
  /** Milliseconds after which Drive wants to be asked again; null where it does not say. */
  readonly retryAfterMs: number | null;

  constructor(
    kind: DriveErrorKind,
    message: string,
    { retryAfterMs = null, cause }: { retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = "DriveError";
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }

  /** True where the same may be answered later. */
  get isPassing(): boolean {
    return this.kind === "busy" || this.kind === "trouble";
  }
}

/**
 * A page of all files but folders that are not in the bin, or of a folder's children, the oldest first; `isComplete` is false where there are
 * more of them than it says. By a token that does not hold any more `invalid`. Throws `DriveError`.
 */
export async function listFiles(
  env: Env,
  token: string,
  { pageToken, folder }: { pageToken: string | null; folder?: DriveFileName },
): Promise<{ files: DriveFile[]; next: string | null; isComplete: boolean }> {
  const query = {
    q: folder ? `'${folder.id}' in parents and trashed=false` : "trashed=false and mimeType!='application/vnd.google-apps.folder'",
    pageSize: String(PAGE),
    fields: `nextPageToken,incompleteSearch,files(${FILE_FIELDS})`,
    corpora: "user",
    supportsAllDrives: "true",
    includeItemsFromAllDrives: "true",
    ...(folder && { orderBy: "createdTime" }),
    ...(pageToken !== null && { pageToken }),
  };
  const { files, nextPageToken, incompleteSearch } = await ask(
    env,
    token,
    { path: "/files", query, ...(folder && { file: folder }) },
    Files,
  );
  const known = files.flatMap((file) => file ?? []);
  return { files: known, next: nextPageToken ?? null, isComplete: known.length === files.length && incompleteSearch !== true };
}

/** Where the changes from now on begin. Throws `DriveError`. */
export async function startOfChanges(env: Env, token: string): Promise<string> {
  const query = { supportsAllDrives: "true" };
  return (await ask(env, token, { path: "/changes/startPageToken", query }, StartToken)).startPageToken;
}

/** A file that changed; null for one that is not there any more. */
export type DriveChange = { id: string; file: DriveFile | null };

/** A page of what changed; after the last page `start` is where the next time begins. Throws `DriveError`. */
export async function listChanges(
  env: Env,
  token: string,
  pageToken: string,
): Promise<{ changes: DriveChange[]; next: string | null; start: string | null }> {
  const query = {
    pageToken,
    pageSize: String(PAGE),
    fields: `nextPageToken,newStartPageToken,changes(fileId,removed,file(${FILE_FIELDS}))`,
    supportsAllDrives: "true",
    includeItemsFromAllDrives: "true",
    includeRemoved: "true",
  };
  const { changes, nextPageToken, newStartPageToken } = await ask(env, token, { path: "/changes", query }, Changes);
  return {
    changes: changes.flatMap((change) =>
      change ? [{ id: change.fileId, file: change.removed === true ? null : (change.file ?? null) }] : [],
    ),
    next: nextPageToken ?? null,
    start: newStartPageToken ?? null,
  };
}

/** What is known of a file. Throws `DriveError`. */
export async function findFile(env: Env, token: string, file: DriveFileName): Promise<DriveFile> {
  const query = { fields: FILE_FIELDS, supportsAllDrives: "true" };
  return ask(env, token, { path: `/files/${encodeURIComponent(file.id)}`, query, file }, File);
}

/** A file's bytes, or with `type` what Drive makes of it. Throws `DriveError`. */
export async function openFile(
  env: Env,
  token: string,
  { file, type }: { file: DriveFileName; type: string | null },
): Promise<{ body: ReadableStream<Uint8Array>; length: number }> {
  const path = `/files/${encodeURIComponent(file.id)}${type === null ? "" : "/export"}`;
  const query: Record<string, string> = type === null ? { alt: "media", supportsAllDrives: "true" } : { mimeType: type };
  const response = await send(env, token, { path, query, file });
  if (!response.body) throw new DriveError("unreadable", "Google Drive gave nothing for this file.");
  return { body: response.body, length: Number(response.headers.get("content-length") ?? 0) || 0 };
}

type Question = { path: string; query: Record<string, string>; file?: DriveFileName };

async function ask<T>(env: Env, token: string, question: Question, answer: z.ZodMiniType<T>): Promise<T> {
  const response = await send(env, token, question);
  const json: unknown = await response.json().catch((cause: unknown) => {
    throw new DriveError("trouble", "Google Drive's answer could not be read.", { cause });
  });
  const parsed = answer.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new DriveError("trouble", "Google Drive's answer could not be read.", { cause: parsed.error });
}

async function send(env: Env, token: string, { path, query, file }: Question): Promise<Response> {
  const url = `${configOf(env).google.driveUrl}${path}?${new URLSearchParams(query).toString()}`;
  const headers = {
    authorization: `Bearer ${token}`,
    ...(file?.resourceKey && { "x-goog-drive-resource-keys": `${file.id}/${file.resourceKey}` }),
  };
  let response: Response;
  try {
    response = await egressFetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (cause) {
    throw new DriveError("trouble", "Google Drive cannot be reached right now.", { cause });
  }
  if (response.ok) return response;
  throw await refusal(response);
}

const ACCESS = new Set(["insufficientPermissions", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"]);
const BUSY = new Set(["rateLimitExceeded", "userRateLimitExceeded", "dailyLimitExceeded", "RATE_LIMIT_EXCEEDED"]);
const TROUBLE = new Set(["backendError"]);
/** Files that Drive does not give, by its reasons, and what is said of them. */
const UNREADABLE: Record<string, string> = {
  exportSizeLimitExceeded: "Google exports at most 10 MB of a file.",
  cannotDownloadFile: "Its owner does not let it be downloaded.",
  cannotDownloadAbusiveFile: "Google marked it as harmful.",
  appNotAuthorizedToFile: "Google does not give this app the file.",
  insufficientFilePermissions: "You may not read this file.",
};

async function refusal(response: Response): Promise<DriveError> {
  const { status } = response;
  const { data } = Refusal.safeParse(await response.json().catch(() => null));
  const reasons = [...(data?.error.errors ?? []), ...(data?.error.details ?? [])].flatMap(({ reason }) => reason ?? []);
  const is = (known: ReadonlySet<string>) => reasons.some((reason) => known.has(reason));
  const cause = { status, reasons };
  if (status === 401) return new DriveError("refused", "Google does not accept this connection any more.", { cause });
  if (status === 404) return new DriveError("gone", "The file is not in Google Drive any more.", { cause });
  if (status === 429 || is(BUSY)) return new DriveError("busy", "Google Drive is busy.", { retryAfterMs: retryAfter(response), cause });
  if (status === 408 || status >= 500 || is(TROUBLE))
    return new DriveError("trouble", "Google Drive could not answer.", { retryAfterMs: retryAfter(response), cause });
  if (status === 403 && is(ACCESS)) return new DriveError("access", "Google Drive was not granted.", { cause });
  if (status === 403 && is(new Set(["accessNotConfigured", "SERVICE_DISABLED"])))
    return new DriveError("access", "The Drive API is not switched on for this deployment.", { cause });
  if (status === 403) {
    const known = reasons.find((reason) => Object.hasOwn(UNREADABLE, reason));
    return new DriveError("unreadable", (known !== undefined && UNREADABLE[known]) || "Google Drive does not give this file.", { cause });
  }
  return new DriveError("invalid", `Google Drive answered ${status}.`, { cause });
}

/** An hour in milliseconds: nobody is waited for longer in one go. */
const RETRY_MAX_MS = 60 * 60_000;

function retryAfter({ headers }: Response): number | null {
  const given = headers.get("retry-after");
  if (given === null) return null;
  const seconds = Number(given);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(given) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), RETRY_MAX_MS) : null;
}
