/**
 * The document in which people choose files of their Drive. Google's Picker needs third-party scripts, frames and styles, which the product's
 * own pages forbid: it stands in a window of its own with a policy of its own. Nothing of the product can be asked from there: its policy
 * names Google's hosts alone, and its answer goes over a channel that only this origin hears, under a name that only its opener knows.
 */
import type { Context } from "hono";
import type { PickerFailure } from "#shared/contracts/outbound/drive.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { randomToken } from "#worker/platform/random.ts";
import { GoogleError } from "#worker/platform/clients/google.ts";
import { type AppContext, configOf } from "#worker/platform/env.ts";
import { ownOrigin } from "#worker/platform/http/origin.ts";
import { googleAccess } from "#worker/integrations/google/access.ts";
import { findPickerToken } from "#worker/integrations/google/picker-token.ts";
import { beginPicking } from "#worker/integrations/google/sign-in.ts";

/** What the opener gets where nothing can be chosen (web/features/integrations/drive/pick-files.ts). */
type Refusal = "sign_in" | "not_connected" | PickerFailure;

type Asked = { channel: string; failure?: PickerFailure | undefined };

/** The page for a caller, with the token that it chooses by; without one it leads to Google, which gives one that opens their Drive alone. */
export async function pickerPage(c: Context<AppContext>, { channel, failure }: Asked): Promise<Response> {
  const { picker, features } = configOf(c.env).google;
  const caller = c.get("caller");
  if (!isOwnWindow(c)) throw new AppError("FORBIDDEN", { message: "This page opens in a window of its own." });
  if (failure) return page(c, { channel, refusal: failure });
  if (!picker || !features.includes("drive")) return page(c, { channel, refusal: "failed" });
  if (!caller || caller.anonymous) return page(c, { channel, refusal: "sign_in" });
  try {
    // What is picked is fetched by it.
    const connected = await googleAccess(c.env, caller.userId, "drive");
    if (!connected) return page(c, { channel, refusal: "not_connected" });
    const token = await findPickerToken({ env: c.env, db: c.var.db, userId: caller.userId });
    if (token !== null) return page(c, { channel, token, key: picker.key, project: picker.project, origin: ownOrigin(c) });
    const address = await beginPicking(c, caller, { channel, email: connected.email });
    return page(c, address === null ? { channel, refusal: "failed" } : { channel, address });
  } catch (cause) {
    if (cause instanceof GoogleError) return page(c, { channel, refusal: "failed" });
    throw cause;
  }
}

/** True for a window that a page of this origin opened: no script reads what stands in it, and no other site has it opened. */
function isOwnWindow({ req }: Context<AppContext>): boolean {
  const from = ["dest", "mode", "site"].map((name) => req.header(`sec-fetch-${name}`)).join(" ");
  return from === "document navigate same-origin";
}

type Given = { channel: string } & (
  | { refusal: Refusal }
  | { address: string }
  | { token: string; key: string; project: string; origin: string }
);

const GOOGLE = {
  script: "https://apis.google.com https://www.gstatic.com https://ssl.gstatic.com",
  frame: "https://docs.google.com https://accounts.google.com https://content.googleapis.com https://drive.google.com",
  connect: "https://content.googleapis.com https://www.googleapis.com https://apis.google.com",
  style: "https://www.gstatic.com https://fonts.googleapis.com",
  img: "https://*.googleusercontent.com https://*.gstatic.com https://*.google.com data:",
};

function page(c: Context<AppContext>, given: Given): Response {
  const nonce = randomToken();
  const script = configOf(c.env).google.picker?.script ?? "";
  // A stand-in's own hosts, while developing.
  const own = script === "" ? "" : new URL(script).origin;
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' ${GOOGLE.script} ${own}`,
    `style-src 'unsafe-inline' ${GOOGLE.style}`,
    `frame-src ${GOOGLE.frame} ${own}`,
    `connect-src ${GOOGLE.connect}`,
    `img-src ${GOOGLE.img}`,
    "font-src https://fonts.gstatic.com",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  const loading = !("token" in given) ? "" : `<script nonce="${nonce}" src="${script}" async id="api"></script>`;
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Google Drive</title>
<style>body{margin:0;min-height:100vh;display:grid;place-items:center;font:15px/1.5 system-ui,sans-serif;color-scheme:light dark}</style>
<p role="status">Opening Google Drive…</p>
${loading}
<script nonce="${nonce}">
const given = ${JSON.stringify(given).replaceAll("<", "\\u003c")};
${CHOOSE}
</script>
</html>
`;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
    // The Picker's own windows need their opener; the product's page has cut itself off from this one.
    "cross-origin-opener-policy": "unsafe-none",
    "cache-control": "no-store",
    "referrer-policy": "strict-origin-when-cross-origin",
    "x-frame-options": "DENY",
  };
  return new Response(html, { headers });
}

const CHOOSE = `
const channel = new BroadcastChannel(given.channel);
let isOver = false;
const post = (message) => channel.postMessage({ ...message, channel: given.channel });
// By these its opener knows that it is there; a window that nobody sees is slow with them.
const beat = () => post({ type: "beat", isHidden: document.hidden });
post({ type: "opened" });
const beats = setInterval(beat, 2000);
document.addEventListener("visibilitychange", beat);
const end = (message) => {
  if (isOver) return;
  isOver = true;
  clearInterval(beats);
  document.removeEventListener("visibilitychange", beat);
  post(message);
  setTimeout(() => close(), 50);
};
const leave = () => {
  isOver = true;
  clearInterval(beats);
  document.removeEventListener("visibilitychange", beat);
  post({ type: "leaving" });
  location.replace(given.address);
};
addEventListener("pagehide", () => end({ type: "cancelled" }));
if (given.refusal === "cancelled") end({ type: "cancelled" });
else if (given.refusal) end({ type: "refused", reason: given.refusal });
else if (given.address) leave();
else {
  const api = document.getElementById("api");
  const fail = () => end({ type: "refused", reason: "failed" });
  const limit = setTimeout(fail, 15000);
  const choose = () => {
    try {
      const { picker } = google;
      const view = new picker.DocsView(picker.ViewId.DOCS).setIncludeFolders(true).setSelectFolderEnabled(true).setMode(picker.DocsViewMode.LIST);
      const made = new picker.PickerBuilder()
        .setOAuthToken(given.token)
        .setDeveloperKey(given.key)
        .setAppId(given.project)
        .enableFeature(picker.Feature.MULTISELECT_ENABLED)
        .setMaxItems(20)
        .addView(view)
        .setOrigin(given.origin)
        .setCallback(({ action, docs = [] }) => {
          clearTimeout(limit);
          if (action === "picked") end({ type: "picked", files: docs.map(({ id, resourceKey }) => ({ id, ...(resourceKey && { resourceKey }) })) });
          else if (action === "cancel") end({ type: "cancelled" });
          else if (action === "error") fail();
          else document.querySelector("p").hidden = true;
        })
        .build();
      made.setVisible(true);
    } catch {
      fail();
    }
  };
  const load = () => {
    try {
      gapi.load("picker", { callback: choose, onerror: fail });
    } catch {
      fail();
    }
  };
  if (window.gapi) load();
  else {
    api.addEventListener("load", load);
    api.addEventListener("error", fail);
  }
}
`;
