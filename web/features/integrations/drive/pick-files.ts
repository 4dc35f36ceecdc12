import { openDrivePicker } from "#shared/contracts/outbound/drive.ts";
import { address } from "#web/lib/api.ts";

/** A file or folder that was picked. */
export type Picked = { id: string; resourceKey?: string };
/** How picking ended. */
export type PickEnd = { kind: "picked"; files: Picked[] } | { kind: "cancelled" } | { kind: "refused"; title: string };

/**
 * How long, in milliseconds, a window may be silent: until its page is there, and then between the signs of life that it gives every two
 * seconds, or about once a minute where nobody sees it, or until it is back from Google's own pages. It is counted in looks, as neither a device that sleeps nor a page that is put
 * aside hears anything.
 */
const SILENCE_MS = { opening: 20_000, seen: 10_000, hidden: 180_000, away: 180_000 };
const LOOK_MS = 500;

const REFUSALS: Record<string, string> = {
  sign_in: "Sign in required",
  not_connected: "Connect Google to continue",
  other_account: "Choose the Google account that is connected",
  failed: "Google Picker failed",
};

const FAILED: PickEnd = { kind: "refused", title: "Google Picker failed" };

/** What the Picker's window says on its channel; null for what is none of its words. */
export function readAnswer(data: unknown, channel: string): PickEnd | null {
  if (!isFrom(data, channel)) return null;
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

function isFrom(data: unknown, channel: string): data is { type: unknown } {
  return typeof data === "object" && data !== null && "type" in data && "channel" in data && data.channel === channel;
}

/** How long the window may be silent after this sign of life; null where it is none. */
function readSign(data: unknown, channel: string): number | null {
  if (!isFrom(data, channel)) return null;
  if (data.type === "leaving") return SILENCE_MS.away;
  if (data.type !== "opened" && data.type !== "beat") return null;
  return "isHidden" in data && data.isHidden === true ? SILENCE_MS.hidden : SILENCE_MS.seen;
}

/**
 * Has somebody pick files of their Drive in the Picker's own window. That is cut off from this page, so it answers over a channel whose
 * name is known to it alone, and which pages of this origin alone can hear.
 */
export function pickFiles(): Promise<PickEnd> {
  const channel = crypto.randomUUID();
  const answers = new BroadcastChannel(channel);
  return new Promise((resolve) => {
    let isThere = false;
    let left = SILENCE_MS.opening;
    const end = (how: PickEnd) => {
      clearInterval(watch);
      answers.close();
      resolve(how);
    };
    answers.onmessage = ({ data, origin }: MessageEvent<unknown>) => {
      if (origin !== window.location.origin) return;
      const answer = readAnswer(data, channel);
      if (answer) return end(answer);
      const silence = readSign(data, channel);
      if (silence === null) return;
      isThere = true;
      left = silence;
    };
    // A window of another group always seems closed: that it is gone shows in its silence.
    const watch = setInterval(() => {
      left -= LOOK_MS;
      if (left <= 0) end(isThere ? { kind: "cancelled" } : FAILED);
    }, LOOK_MS);
    const opened = window.open(address(openDrivePicker, { query: { channel } }), "_blank", "popup,width=1060,height=680");
    if (opened === null) end(FAILED);
  });
}
