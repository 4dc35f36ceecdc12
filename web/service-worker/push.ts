/** What becomes of a push: a notification, and the way back from it. Everything outside is handed in. */
import { APP_NAME } from "#shared/app.ts";

const ICON = "/apple-touch-icon.png";
/** Said where a push cannot be read: browsers want something to be shown for each. */
const UNREADABLE = { id: "", tag: "", title: APP_NAME, body: "Something is new.", path: "/", unread: null };

type Content = { id: string; tag: string; title: string; body: string; path: string; unread: number | null };

/** What a notification is shown with; `renotify` is in no library of types. */
export type Shown = { body: string; tag: string; icon: string; renotify: boolean; silent: boolean; data: { id: string; path: string } };

/** An open window of the application. */
export type Tab = { url: string; focused: boolean; focus(): Promise<unknown> };

export type PushDeps = {
  origin: string;
  show(title: string, shown: Shown): Promise<void>;
  /** What is shown of a tag: its `data`. */
  shownOf(tag: string): Promise<unknown[]>;
  tabs(): Promise<readonly Tab[]>;
  openTab(url: string): Promise<unknown>;
  /** Shows a number on the application's icon, where the platform has that. */
  badge(unread: number): void;
};

/** Shows what a push says, unless its person looks at just that; the same one again makes no sound. */
export async function showPush(text: string | null, deps: PushDeps): Promise<void> {
  const { id, tag, title, body, path, unread } = read(text, deps.origin);
  if (unread !== null) deps.badge(unread);
  const tabs = await deps.tabs();
  if (tag !== "" && tabs.some(({ url, focused }) => focused && isAt(url, path, deps.origin))) return;
  const isRepeat = tag !== "" && (await deps.shownOf(tag)).some((data) => record(data)["id"] === id);
  await deps.show(title, { body, tag, icon: ICON, renotify: tag !== "" && !isRepeat, silent: isRepeat, data: { id, path } });
}

/** A notification was pressed: its chat's own tab comes to the front, or one is opened. */
export async function followPush(data: unknown, { origin, tabs, openTab }: PushDeps): Promise<void> {
  const path = ownPath(record(data)["path"], origin);
  const there = (await tabs()).find(({ url }) => isAt(url, path, origin));
  await (there ? there.focus() : openTab(new URL(path, origin).href));
}

function read(text: string | null, origin: string): Content {
  const given = record(parse(text));
  const { id, tag, title, body, unread } = given;
  if (typeof id !== "string" || typeof tag !== "string" || typeof title !== "string" || typeof body !== "string") return UNREADABLE;
  return { id, tag, title, body, path: ownPath(given["path"], origin), unread: typeof unread === "number" ? unread : null };
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return null;
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** A path of the application; its first page for any other address. */
function ownPath(path: unknown, origin: string): string {
  if (typeof path !== "string" || !URL.canParse(path, origin)) return "/";
  const url = new URL(path, origin);
  return url.origin === origin ? url.pathname + url.search : "/";
}

/** A chat's tab may have dialogs open in its address, and a place in the chat. */
function isAt(address: string, path: string, origin: string): boolean {
  const here = new URL(address);
  const there = new URL(path, origin);
  return here.origin === origin && here.pathname === there.pathname && (there.search === "" || here.search === there.search);
}

/** What becomes of a subscription that the browser itself has replaced. Everything outside is passed in. */

type Renewed = { endpoint: string; p256dh: string; auth: string };

export type RenewDeps = {
  /** What the server says of the devices of whoever is signed in; null where it says nothing. */
  known(): Promise<unknown>;
  subscribe(publicKey: string): Promise<Renewed | null>;
  /** Answers whether the server took it. */
  report(body: Renewed & { replaces?: string }): Promise<boolean>;
  unsubscribe(): Promise<unknown>;
};

/** Subscribes again as before, where this session has this browser as a device: whoever signed in since has asked for nothing. */
export async function renew(former: string | null, { known, subscribe, report, unsubscribe }: RenewDeps): Promise<void> {
  const publicKey = keyOf(await known());
  if (publicKey === null) return;
  const subscription = await subscribe(publicKey);
  // Not every browser says which one it has replaced.
  const isTaken = subscription !== null && (await report({ ...subscription, ...(former !== null && { replaces: former }) }));
  if (!isTaken) await unsubscribe();
}

/** The key to subscribe with, where one of the devices is this browser. */
function keyOf(answer: unknown): string | null {
  if (typeof answer !== "object" || answer === null || !("publicKey" in answer) || !("devices" in answer)) return null;
  const { publicKey, devices } = answer;
  const isHere = Array.isArray(devices) && devices.some((device: unknown) => isThis(device));
  return isHere && typeof publicKey === "string" ? publicKey : null;
}

function isThis(device: unknown): boolean {
  return typeof device === "object" && device !== null && "is_this" in device && device.is_this === true;
}
