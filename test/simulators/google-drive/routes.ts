/** Drive's API v3 as far as files are read by it (https://developers.google.com/workspace/drive/api/reference/rest/v3). */
import type { ServerResponse } from "node:http";
import * as z from "zod";
import { type Exchange, type Handler, sendJson } from "../simulator.ts";
import { FOLDER, GOOGLE } from "./corpus.ts";
import { download, exportAs } from "./content.ts";
import { createDrives, type Drive, type DriveFault, type DriveFile, sizeOf } from "./drives.ts";
import { pickerFrame, pickerScript } from "./picker.ts";

/** Google exports no more than this. */
const EXPORT_BYTES = 10 * 1024 * 1024;
const PAGE_MAX = 1_000;
const PAGE_USUAL = 100;

/** Who a token is of, and what it may; null for one that is none any more. */
export type TokenReader = (token: string) => { email: string; scopes: readonly string[] } | null;

const Given = z.strictObject({
  id: z.string().optional(),
  name: z.string(),
  mimeType: z.string(),
  text: z.string().optional(),
  modifiedTime: z.string().optional(),
  parents: z.array(z.string()).optional(),
  trashed: z.boolean().optional(),
  bytes: z.number().nullable().optional(),
  resourceKey: z.string().nullable().optional(),
  canDownload: z.boolean().optional(),
  isUnlisted: z.boolean().optional(),
  shortcut: z
    .object({ targetId: z.string(), targetMimeType: z.string(), targetResourceKey: z.string().nullable().default(null) })
    .optional(),
});

const Control = z.strictObject({
  email: z.string(),
  /** Fills the drive anew with so many made files. */
  files: z.int().optional(),
  put: z.array(Given).optional(),
  remove: z.array(z.string()).optional(),
  /** Forgets what changed so far: older page tokens are refused. */
  forgetChanges: z.boolean().optional(),
  fault: z
    .strictObject({
      status: z.int(),
      reason: z.string(),
      retryAfter: z.number().nullable().default(null),
      times: z.int(),
      on: z.enum(["all", "list", "file", "export", "bytes", "changes"]).default("all"),
      /** One file that it is about. */
      file: z.string().nullable().default(null),
    })
    .nullish(),
});

const FILES = /^\/drive\/v3\/files\/([^/]+)(\/export)?$/;

/** The routes of Drive and of the Picker's stand-in, for the server that has the tokens. */
export function driveRoutes(readToken: TokenReader): {
  routes: Record<string, Handler>;
  control: Record<string, Handler>;
  fallback: Handler;
} {
  const drives = createDrives();

  function authorized(exchange: Exchange, on: "list" | "file" | "changes", answer: (drive: Drive) => void): void {
    const { record, response } = exchange;
    const token = /^Bearer (.+)$/.exec(record.headers["authorization"] ?? "")?.[1];
    const known = token === undefined ? null : readToken(token);
    if (!known) return refuse(response, 401, "authError", "Invalid Credentials");
    if (!known.scopes.some((scope) => /\/auth\/drive(?:\.readonly|\.file)?$/.test(scope)))
      return refuse(response, 403, "insufficientPermissions", "Request had insufficient authentication scopes.");
    const drive = drives.of(known.email);
    const { fault, asked } = drive;
    asked[on] += 1;
    if (fault && fault.times > 0 && (fault.on === "all" || fault.on === on) && (fault.file === null || record.path.includes(fault.file))) {
      fault.times -= 1;
      return refuse(response, fault.status, fault.reason, "A fault that was asked for", fault.retryAfter);
    }
    answer(drive);
  }

  const list: Handler = (exchange) =>
    authorized(exchange, "list", (drive) => {
      const { url, response } = exchange;
      const matches = readQuery(url.searchParams.get("q") ?? "");
      const size = Math.min(Number(url.searchParams.get("pageSize") ?? PAGE_USUAL), PAGE_MAX);
      const from = Number((url.searchParams.get("pageToken") ?? "~0").slice(1));
      const order = url.searchParams.get("orderBy") ?? "";
      if (!matches || !Number.isInteger(from) || !(size > 0) || !["", "createdTime"].includes(order))
        return refuse(response, 400, "invalid", "Invalid Value");
      const listed = [...drive.files.values()].filter((file) => !file.isUnlisted && matches(file));
      // By id, so what is added while pages are read shifts none of them twice; they are held as they were made.
      const found = order === "" ? listed.toSorted((a, b) => (a.id < b.id ? -1 : 1)) : listed;
      const fields = fieldsOf(url.searchParams.get("fields"), "files");
      sendJson(response, 200, {
        files: found.slice(from, from + size).map((file) => describe(file, fields)),
        incompleteSearch: false,
        ...(from + size < found.length && { nextPageToken: `~${from + size}` }),
      });
    });

  const listChanges: Handler = (exchange) =>
    authorized(exchange, "changes", (drive) => {
      const { url, response } = exchange;
      const from = Number(url.searchParams.get("pageToken") ?? Number.NaN);
      const size = Math.min(Number(url.searchParams.get("pageSize") ?? PAGE_USUAL), PAGE_MAX);
      if (!Number.isInteger(from) || from < drive.firstChange) return refuse(response, 400, "invalid", "Invalid Value");
      const to = Math.min(from + size, drive.changes.length);
      const fields = fieldsOf(url.searchParams.get("fields"), "file");
      const ids = [...new Set(drive.changes.slice(from, to))];
      const changes = ids.map((id) => {
        const file = drive.files.get(id);
        return {
          kind: "drive#change",
          changeType: "file",
          fileId: id,
          removed: !file,
          time: new Date().toISOString(),
          ...(file && { file: describe(file, fields) }),
        };
      });
      const next = to < drive.changes.length ? { nextPageToken: String(to) } : { newStartPageToken: String(drive.changes.length) };
      sendJson(response, 200, { changes, ...next });
    });

  const one: Handler = (exchange) => {
    const { record, response, url } = exchange;
    const [, id = "", isExport] = FILES.exec(record.path) ?? [];
    if (id === "" || record.method !== "GET") return refuse(response, 404, "notFound", "Not Found");
    return authorized(exchange, "file", (drive) => {
      const file = drive.files.get(decodeURIComponent(id));
      const keys = (record.headers["x-goog-drive-resource-keys"] ?? "").split(",");
      if (!file || (file.resourceKey !== null && file.isUnlisted && !keys.includes(`${file.id}/${file.resourceKey}`)))
        return refuse(response, 404, "notFound", `File not found: ${id}.`);
      if (isExport !== undefined) {
        if (isFaulty(drive, "export")) return refuse(response, drive.fault?.status ?? 500, drive.fault?.reason ?? "", "No such export");
        return sendExport(response, file, url.searchParams.get("mimeType") ?? "");
      }
      if (url.searchParams.get("alt") === "media") {
        if (isFaulty(drive, "bytes")) return breakOff(response, file);
        return sendMedia(response, file);
      }
      sendJson(response, 200, describe(file, fieldsOf(url.searchParams.get("fields"), null)));
    });
  };

  return {
    routes: {
      "GET /drive/v3/files": list,
      "GET /drive/v3/changes": listChanges,
      "GET /drive/v3/changes/startPageToken": (exchange) =>
        authorized(exchange, "changes", ({ changes }) =>
          sendJson(exchange.response, 200, { kind: "drive#startPageToken", startPageToken: String(changes.length) }),
        ),
      "GET /js/api.js": ({ response }) => pickerScript(response),
      "GET /picker": ({ response, url }) => {
        const known = readToken(url.searchParams.get("token") ?? "");
        const files = known
          ? [...drives.of(known.email).files.values()].filter(({ isUnlisted, trashed }) => !isUnlisted && !trashed)
          : null;
        pickerFrame(response, files, url.searchParams.get("origin") ?? "");
      },
    },
    control: {
      "POST /control/drive": ({ record, response }) => {
        const parsed = Control.safeParse(record.body);
        if (!parsed.success) return sendJson(response, 400, { error: z.prettifyError(parsed.error) });
        const { email, files, put = [], remove = [], fault, forgetChanges } = parsed.data;
        if (files !== undefined) drives.fill(email, files);
        for (const given of put) drives.put(email, given);
        drives.remove(email, remove);
        const drive = drives.of(email);
        if (fault !== undefined) drive.fault = fault;
        if (forgetChanges) drive.firstChange = drive.changes.length;
        sendJson(response, 200, { files: drive.files.size, changes: drive.changes.length, asked: drive.asked });
      },
    },
    fallback: one,
  };
}

/** Whether a fault of this kind comes now, which is then one less. */
function isFaulty({ fault }: Drive, on: DriveFault["on"]): boolean {
  if (!fault || fault.on !== on || fault.times <= 0) return false;
  fault.times -= 1;
  return true;
}

/** Sends half of a file, and closes the connection. */
function breakOff(response: ServerResponse, file: DriveFile): void {
  const bytes = download(file);
  response.writeHead(200, { "Content-Type": file.mimeType, "Content-Length": bytes.byteLength });
  response.write(bytes.subarray(0, Math.floor(bytes.byteLength / 2)), () => response.destroy());
}

function sendMedia(response: ServerResponse, file: DriveFile): void {
  if (file.mimeType.startsWith(GOOGLE))
    return refuse(
      response,
      403,
      "fileNotDownloadable",
      "Only files with binary content can be downloaded. Use Export with Docs Editors files.",
    );
  if (!file.canDownload) return refuse(response, 403, "cannotDownloadFile", "This file cannot be downloaded by the user.");
  response.writeHead(200, { "Content-Type": file.mimeType }).end(download(file));
}

function sendExport(response: ServerResponse, file: DriveFile, type: string): void {
  if (!file.canDownload) return refuse(response, 403, "cannotDownloadFile", "This file cannot be downloaded by the user.");
  if ((file.bytes ?? 0) > EXPORT_BYTES) return refuse(response, 403, "exportSizeLimitExceeded", "This file is too large to be exported.");
  const bytes = exportAs(file, type);
  if (!bytes) return refuse(response, 400, "badRequest", "The requested conversion is not supported.");
  response.writeHead(200, { "Content-Type": type }).end(bytes);
}

function refuse(response: ServerResponse, code: number, reason: string, message: string, retryAfter: number | null = null): void {
  const body = { error: { code, message, errors: [{ domain: code === 403 ? "usageLimits" : "global", reason, message }] } };
  sendJson(response, code, body, retryAfter === null ? {} : { "Retry-After": String(retryAfter) });
}

/** What a search asks for; null where it is written otherwise than Google takes it. */
function readQuery(query: string): ((file: DriveFile) => boolean) | null {
  const tests = query
    .split(/\s+and\s+/)
    .filter((clause) => clause.trim() !== "")
    .map((clause) => readClause(clause.trim()));
  if (tests.some((test) => test === null)) return null;
  return (file) => tests.every((test) => test?.(file));
}

function readClause(clause: string): ((file: DriveFile) => boolean) | null {
  const [, parent] = /^'((?:[^'\\]|\\.)+)' in parents$/.exec(clause) ?? [];
  if (parent !== undefined) return ({ parents }) => parents.includes(parent.replaceAll(/\\(.)/g, "$1"));
  const [, trashed] = /^trashed\s*=\s*(true|false)$/.exec(clause) ?? [];
  if (trashed !== undefined) return (file) => file.trashed === (trashed === "true");
  const [, sign, type] = /^mimeType\s*(!?=)\s*'([^']+)'$/.exec(clause) ?? [];
  if (type !== undefined) return ({ mimeType }) => (mimeType === type) === (sign === "=");
  return null;
}

const USUAL_FIELDS = ["kind", "id", "name", "mimeType"];

/** The fields asked for of each file; those that Google gives by itself where none are. */
function fieldsOf(asked: string | null, within: string | null): readonly string[] {
  if (asked === null) return USUAL_FIELDS;
  const list = within === null ? asked : (new RegExp(String.raw`(?:^|[,(])${within}\(((?:[^()]|\([^()]*\))*)\)`).exec(asked)?.[1] ?? "");
  return list === "" ? USUAL_FIELDS : list.split(/,(?![^(]*\))/).map((field) => field.replace(/\(.*$/, "").trim());
}

function describe(file: DriveFile, fields: readonly string[]): Record<string, unknown> {
  const { id, name, mimeType, modifiedTime, parents, trashed, resourceKey, shortcut, canDownload } = file;
  const size = mimeType.startsWith(GOOGLE) ? null : sizeOf(file, file.bytes === null ? download(file) : null);
  const resource: Record<string, unknown> = {
    kind: "drive#file",
    id,
    name,
    mimeType,
    modifiedTime,
    trashed,
    parents: parents.length > 0 ? parents : undefined,
    webViewLink: `https://drive.example/${mimeType === FOLDER ? "drive/folders" : "file/d"}/${id}`,
    size: size === null ? undefined : String(size),
    resourceKey: resourceKey ?? undefined,
    capabilities: { canDownload },
    shortcutDetails: shortcut ? { ...shortcut, targetResourceKey: shortcut.targetResourceKey ?? undefined } : undefined,
  };
  return Object.fromEntries(fields.flatMap((field) => (resource[field] === undefined ? [] : [[field, resource[field]]])));
}
