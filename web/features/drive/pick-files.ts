import { openDrivePicker } from "#shared/contracts/outbound/drive.ts";
import { address } from "#web/lib/api.ts";

/** A file or folder that was picked. */
export type Picked = { id: string; resourceKey?: string };
/** How picking ended. */
export type PickEnd = { kind: "picked"; files: Picked[] } | { kind: "cancelled" } | { kind: "refused"; title: string };

/** A window that tells nothing is looked after this often, in milliseconds: one may be closed by its person. */
const LOOK_MS = 500;

const REFUSALS: Record<string, string> = {
  sign_in: "Sign in required",
  not_connected: "Connect Google to continue",
  failed: "Google Picker failed",
};

/** What the Picker's window says on its channel; null for what is none of its words. */
export function readAnswer(data: unknown, channel: string): PickEnd | null {
  if (typeof data !== "object" || data === null || !("type" in data) || !("channel" in data) || data.channel !== channel) return null;
  if (data.type === "cancelled") return { kind: "cancelled" };
  if (data.type === "refused")
    return { kind: "refused", title: ("reason" in data && REFUSALS[String(data.reason)]) || "Google Picker failed" };
  if (data.type !== "picked" || !("files" in data) || !Array.isArray(data.files)) return null;
  const files = data.files.flatMap((file: unknown): Picked[] => {
    if (typeof file !== "object" || file === null || !("id" in file) || typeof file.id !== "string") return [];
    const key = "resourceKey" in file && typeof file.resourceKey === "string" ? file.resourceKey : "";
    return [{ id: file.id, ...(key !== "" && { resourceKey: key }) }];
  });
  return { kind: "picked", files };
}

/**
 * Has somebody pick files of their Drive in the Picker's own window. That is cut off from this page, so it answers over a channel whose
 * name is told to it alone, and which pages of this origin alone can hear.
 */
export function pickFiles(): Promise<PickEnd> {
  const channel = crypto.randomUUID();
  const answers = new BroadcastChannel(channel);
  return new Promise((resolve) => {
    const opened = window.open(address(openDrivePicker, { query: { channel } }), "_blank", "popup,width=1060,height=680");
    const end = (how: PickEnd) => {
      clearInterval(watch);
      answers.close();
      resolve(how);
    };
    answers.onmessage = ({ data, origin }: MessageEvent<unknown>) => {
      const answer = origin === window.location.origin ? readAnswer(data, channel) : null;
      if (answer) end(answer);
    };
    // A window of another group always seems closed: only one that was never opened is told so.
    const watch = setInterval(() => {
      if (opened === null) end({ kind: "refused", title: "Google Picker failed" });
    }, LOOK_MS);
  });
}
