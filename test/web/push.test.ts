import { afterEach, describe, expect, test, vi } from "vitest";
import { removePushFromBrowser, showBadge } from "#web/features/mail/push/use-shown-here.ts";
import { pushStatusOf } from "#web/features/mail/push/this-device.ts";
import { followPush, type PushDeps, type Shown, showPush, type Tab } from "../../web/service-worker/push.ts";
import { renew, type RenewDeps } from "#web/service-worker/push.ts";

const ORIGIN = "https://chat.example";
const PUSH = { id: "1", kind: "reply", tag: "chat-1", title: "Lanterns", body: "Beside water.", path: "/c/chat-1", unread: 3 };

/** A browser with these tabs, and what it was asked to do. */
function browser(tabs: { path: string; focused?: boolean }[] = []) {
  const did: { shown: (Shown & { title: string })[]; opened: string[]; focused: string[]; badges: number[] } = {
    shown: [],
    opened: [],
    focused: [],
    badges: [],
  };
  const open = tabs.map(({ path, focused = false }): Tab => {
    const { href } = new URL(path, ORIGIN);
    return { url: href, focused, focus: () => Promise.resolve(did.focused.push(href)) };
  });
  const deps: PushDeps = {
    origin: ORIGIN,
    show: (title, shown) => {
      did.shown = [...did.shown.filter(({ tag }) => tag === "" || tag !== shown.tag), { title, ...shown }];
      return Promise.resolve();
    },
    shownOf: (tag) => Promise.resolve(did.shown.filter((one) => one.tag === tag).map(({ data }) => data)),
    tabs: () => Promise.resolve(open),
    openTab: (url) => Promise.resolve(did.opened.push(url)),
    badge: (unread) => void did.badges.push(unread),
  };
  return { deps, did, push: (content: unknown) => showPush(JSON.stringify(content), deps) };
}

test("a push becomes a notification that leads to its chat, and a number on the icon", async () => {
  const { did, push } = browser([{ path: "/c/another", focused: true }]);
  await push(PUSH);
  expect(did.shown).toEqual([
    {
      title: "Lanterns",
      body: "Beside water.",
      tag: "chat-1",
      icon: expect.stringMatching(/\.png$/),
      renotify: true,
      silent: false,
      data: { id: "1", path: "/c/chat-1" },
    },
  ]);
  expect(did.badges).toEqual([3]);
});

test("a push that comes twice makes one sound; a newer one of its chat takes its place with another", async () => {
  const { did, push } = browser();
  await push(PUSH);
  await push(PUSH);
  expect(did.shown).toMatchObject([{ silent: true, renotify: false }]);
  await push({ ...PUSH, id: "2", body: "And now." });
  expect(did.shown).toMatchObject([{ body: "And now.", silent: false, renotify: true }]);
});

test("a push shows nothing to who looks at its chat, whatever else the address says", async () => {
  const { did, push } = browser([{ path: "/c/chat-1?settings=general#message", focused: true }]);
  await push(PUSH);
  expect(did.shown).toEqual([]);
  const behind = browser([{ path: "/c/chat-1" }]);
  await behind.push(PUSH);
  expect(behind.did.shown).toHaveLength(1);
});

test.each([null, "", "no JSON", "[]", '{"title":1}'])("a push that says %j is shown without its words", async (text) => {
  const { deps, did } = browser();
  await showPush(text, deps);
  expect(did.shown).toMatchObject([{ title: "Polylogue", data: { path: "/" } }]);
});

test.each([
  [{ hasPush: false, isApplePhone: true }, "install"],
  [{ hasPush: false }, "unsupported"],
  [{ permission: "denied" as const }, "denied"],
  [{ subscribedFor: null }, "off"],
  [{ subscribedFor: "another key" }, "off"],
  [{ isKnown: false }, "off"],
  [{ permission: "default" as const }, "off"],
  [{ subscribedFor: "" }, "on"],
  [{}, "on"],
])("a browser with %j is said to be %s", (facts, standing) => {
  const here = { hasPush: true, isApplePhone: false, permission: "granted" as const, subscribedFor: "the key" };
  const { isKnown, ...rest } = { ...here, isKnown: true, ...facts };
  expect(pushStatusOf(rest, { isKnown, publicKey: "the key" })).toBe(standing);
});

test("a press on a notification focuses the tab that shows its chat", async () => {
  const { deps, did } = browser([{ path: "/" }, { path: "/c/chat-1?details=1" }]);
  await followPush({ id: "1", path: "/c/chat-1" }, deps);
  expect(did).toMatchObject({ focused: [`${ORIGIN}/c/chat-1?details=1`], opened: [] });
});

test("a press on a notification opens it where no tab has it, a dialog by its address too", async () => {
  const { deps, did } = browser([{ path: "/" }, { path: "/c/chat-2" }]);
  await followPush({ id: "1", path: "/c/chat-1" }, deps);
  await followPush({ id: "2", path: "/?settings=notifications" }, deps);
  expect(did).toMatchObject({ focused: [], opened: [`${ORIGIN}/c/chat-1`, `${ORIGIN}/?settings=notifications`] });
});

test.each(["https://elsewhere.example/c/1", "//elsewhere.example", "javascript:alert(1)", 7, undefined])(
  "a press on a notification never leads to %j",
  async (path) => {
    const { deps, did } = browser();
    await followPush({ id: "1", path }, deps);
    expect(did.opened).toEqual([`${ORIGIN}/`]);
  },
);

describe("a subscription that the browser replaced", () => {
  const SUBSCRIPTION = { endpoint: "https://push.example/new", p256dh: "B", auth: "a" };

  /** A browser whose server says this, and what it did. */
  function replacing(known: unknown, isTaken = true) {
    const did: string[] = [];
    const reports: unknown[] = [];
    const deps: RenewDeps = {
      known: () => Promise.resolve(known),
      subscribe: (key) => Promise.resolve(did.push(`subscribe for ${key}`) > 0 ? SUBSCRIPTION : null),
      report: (body) => Promise.resolve(reports.push(body) > 0 && isTaken),
      unsubscribe: () => Promise.resolve(did.push("unsubscribe")),
    };
    return { did, reports, renewed: (former: string | null) => renew(former, deps) };
  }

  const here = { publicKey: "key", devices: [{ is_this: false }, { is_this: true }] };

  test("a subscription that the browser replaced is reported to the server with the one before, where this session has a device", async () => {
    const { did, reports, renewed } = replacing(here);
    await renewed("https://push.example/old");
    await renewed(null);
    expect(reports).toEqual([{ ...SUBSCRIPTION, replaces: "https://push.example/old" }, SUBSCRIPTION]);
    expect(did).toEqual(["subscribe for key", "subscribe for key"]);
  });

  test.each([null, { publicKey: "key", devices: [] }, { publicKey: "key", devices: [{ is_this: false }] }])(
    "a subscription that the browser replaced is made for nobody who asked for none: %j",
    async (known) => {
      const { did, reports, renewed } = replacing(known);
      await renewed("https://push.example/old");
      expect([did, reports]).toEqual([[], []]);
    },
  );

  test("a subscription that the browser replaced goes where the server does not take it", async () => {
    const { did, renewed } = replacing(here, false);
    await renewed("https://push.example/of-another-session");
    expect(did).toEqual(["subscribe for key", "unsubscribe"]);
  });
});

describe("what the system shows", () => {
  afterEach(() => vi.unstubAllGlobals());

  test("what the system shows goes with the session: notifications, and the subscription", async () => {
    const did: string[] = [];
    const registration = {
      getNotifications: () => Promise.resolve([{ close: () => did.push("closed") }, { close: () => did.push("closed") }]),
      pushManager: { getSubscription: () => Promise.resolve({ unsubscribe: () => Promise.resolve(did.push("unsubscribed")) }) },
    };
    vi.stubGlobal("navigator", { serviceWorker: { getRegistration: () => Promise.resolve(registration) } });
    await removePushFromBrowser();
    expect(did).toEqual(["closed", "closed", "unsubscribed"]);
    vi.stubGlobal("navigator", {});
    await removePushFromBrowser();
  });

  test("what the system shows has the number of unread chats, and none once there is none", () => {
    const badges: (number | null)[] = [];
    vi.stubGlobal("navigator", {
      setAppBadge: (unread: number) => Promise.resolve(badges.push(unread)),
      clearAppBadge: () => Promise.resolve(badges.push(null)),
    });
    showBadge(3);
    showBadge(0);
    expect(badges).toEqual([3, null]);
    vi.stubGlobal("navigator", {});
    showBadge(3);
  });
});
