/** A stand-in for the Picker: `gapi` and `google.picker` with the real ones' shapes, and the page in its frame. */
import type { ServerResponse } from "node:http";
import { escapeHtml } from "../escape-html.ts";
import type { DriveFile } from "./drives.ts";

/** Answers with the script; its own address is where the frame is from. */
export function pickerScript(response: ServerResponse): void {
  response.writeHead(200, { "Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "no-store" }).end(SCRIPT);
}

const SCRIPT = `(() => {
  const own = new URL(document.currentScript.src);
  class DocsView {
    setIncludeFolders() { return this; }
    setSelectFolderEnabled() { return this; }
    setMode() { return this; }
    setMimeTypes() { return this; }
    setParent() { return this; }
    setOwnedByMe() { return this; }
    setEnableDrives() { return this; }
  }
  class Picker {
    constructor(given) { this.given = given; }
    setVisible(isVisible) {
      if (!isVisible) return this.dispose();
      const { token, origin, callback } = this.given;
      const frame = document.createElement("iframe");
      frame.title = "Google Drive";
      frame.style.cssText = "position:fixed;inset:0;width:100%;height:100%;border:0;background:#fff";
      frame.src = own.origin + "/picker?token=" + encodeURIComponent(token) + "&origin=" + encodeURIComponent(origin);
      this.listen = ({ source, origin: from, data }) => {
        if (source !== frame.contentWindow || from !== own.origin) return;
        callback(data);
      };
      addEventListener("message", this.listen);
      this.frame = frame;
      document.body.append(frame);
      callback({ action: "loaded" });
    }
    dispose() {
      removeEventListener("message", this.listen);
      this.frame?.remove();
    }
  }
  class PickerBuilder {
    given = { token: "", origin: location.origin, callback: () => {} };
    set(name, value) { this.given[name] = value; return this; }
    setOAuthToken(token) { return this.set("token", token); }
    setDeveloperKey(key) { if (!key) throw new Error("The API developer key is invalid."); return this; }
    setAppId() { return this; }
    setOrigin(origin) { return this.set("origin", origin); }
    setCallback(callback) { return this.set("callback", callback); }
    setMaxItems() { return this; }
    setTitle() { return this; }
    setSize() { return this; }
    setLocale() { return this; }
    setSelectableMimeTypes() { return this; }
    enableFeature() { return this; }
    disableFeature() { return this; }
    hideTitleBar() { return this; }
    addView() { return this; }
    addViewGroup() { return this; }
    build() { return new Picker(this.given); }
  }
  window.google = {
    picker: {
      PickerBuilder,
      DocsView,
      ViewId: { DOCS: "all", FOLDERS: "folders" },
      DocsViewMode: { GRID: "grid", LIST: "list" },
      Feature: { MULTISELECT_ENABLED: "multiselectEnabled", NAV_HIDDEN: "navHidden", MINE_ONLY: "mineOnly" },
      Action: { PICKED: "picked", CANCEL: "cancel", ERROR: "error", LOADED: "loaded" },
    },
  };
  window.gapi = { load: (name, then) => (typeof then === "function" ? then() : then.callback()) };
})();`;

/** The page in the frame: a list of files to choose from. */
export function pickerFrame(response: ServerResponse, files: readonly DriveFile[] | null, origin: string): void {
  const rows = (files ?? []).map(({ id, name, mimeType, resourceKey }) => {
    const doc = {
      id,
      name,
      mimeType,
      url: `https://drive.example/file/d/${id}`,
      serviceId: "docs",
      type: "document",
      resourceKey: resourceKey ?? "",
    };
    return `<label><input type="checkbox" value="${escapeHtml(JSON.stringify(doc))}"> ${escapeHtml(name)}</label>`;
  });
  const body = files === null ? "<p>401. That's an error.</p>" : rows.join("\n");
  response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" }).end(`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Simulated Picker</title>
<style>body{font:16px/1.5 system-ui,sans-serif;margin:24px}label{display:block;padding:6px 0}button{font:inherit;padding:8px 16px;margin:16px 8px 0 0}</style>
<h1>Simulated Google Picker</h1>
${body}
<button id="select">Select</button><button id="cancel">Cancel</button>
<script>
const tell = (message) => parent.postMessage(message, ${JSON.stringify(origin).replaceAll("<", "\\u003c")});
document.getElementById("select").onclick = () => {
  const docs = [...document.querySelectorAll("input:checked")].map((box) => JSON.parse(box.value));
  if (docs.length > 0) tell({ action: "picked", docs });
};
document.getElementById("cancel").onclick = () => tell({ action: "cancel" });
</script></html>
`);
}
