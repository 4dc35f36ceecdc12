import { describe, expect, test } from "vitest";
import { standingOf } from "#web/features/push/this-device.ts";
import { followPush, type PushDeps, type Shown, showPush, type Tab } from "../../web/service-worker/push.ts";

const ORIGIN = "https://chat.example";
const PUSH = { id: "1", kind: "reply", tag: "chat-1", title: "Lanterns", body: "Beside water.", path: "/c/chat-1", unread: 3 };

/** A browser with these tabs, and what it was told to do. */
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

describe("a push", () => {
  test("becomes a notification that leads to its chat, and a number on the icon", async () => {
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

  test("that comes twice makes one sound; a newer one of its chat takes its place with another", async () => {
    const { did, push } = browser();
    await push(PUSH);
    await push(PUSH);
    expect(did.shown).toMatchObject([{ silent: true, renotify: false }]);
    await push({ ...PUSH, id: "2", body: "And now." });
    expect(did.shown).toMatchObject([{ body: "And now.", silent: false, renotify: true }]);
  });

  test("shows nothing to who looks at its chat, whatever else the address says", async () => {
    const { did, push } = browser([{ path: "/c/chat-1?settings=general#message", focused: true }]);
    await push(PUSH);
    expect(did.shown).toEqual([]);
    const behind = browser([{ path: "/c/chat-1" }]);
    await behind.push(PUSH);
    expect(behind.did.shown).toHaveLength(1);
  });

  test.each([null, "", "no JSON", "[]", '{"title":1}'])("that says %j is shown without its words", async (text) => {
    const { deps, did } = browser();
    await showPush(text, deps);
    expect(did.shown).toMatchObject([{ title: "Polylogue", data: { path: "/" } }]);
  });
});

test.each([
  [{ hasPush: false, isApplePhone: true }, "install"],
  [{ hasPush: false }, "unsupported"],
  [{ permission: "denied" as const, isSubscribed: true, isKnown: true }, "denied"],
  [{ isSubscribed: false, isKnown: true }, "off"],
  [{ isSubscribed: true, isKnown: false }, "off"],
  [{ permission: "default" as const, isSubscribed: true, isKnown: true }, "off"],
  [{ isSubscribed: true, isKnown: true }, "on"],
])("a browser with %j is said to be %s", (facts, standing) => {
  const plain = { hasPush: true, isApplePhone: false, permission: "granted" as const, isSubscribed: false, isKnown: false };
  expect(standingOf({ ...plain, ...facts })).toBe(standing);
});

describe("a press on a notification", () => {
  test("brings the tab of its chat to the front", async () => {
    const { deps, did } = browser([{ path: "/" }, { path: "/c/chat-1?details=1" }]);
    await followPush({ id: "1", path: "/c/chat-1" }, deps);
    expect(did).toMatchObject({ focused: [`${ORIGIN}/c/chat-1?details=1`], opened: [] });
  });

  test("opens it where no tab has it, a dialog by its address too", async () => {
    const { deps, did } = browser([{ path: "/" }, { path: "/c/chat-2" }]);
    await followPush({ id: "1", path: "/c/chat-1" }, deps);
    await followPush({ id: "2", path: "/?settings=notifications" }, deps);
    expect(did).toMatchObject({ focused: [], opened: [`${ORIGIN}/c/chat-1`, `${ORIGIN}/?settings=notifications`] });
  });

  test.each(["https://elsewhere.example/c/1", "//elsewhere.example", "javascript:alert(1)", 7, undefined])(
    "never leads to %j",
    async (path) => {
      const { deps, did } = browser();
      await followPush({ id: "1", path }, deps);
      expect(did.opened).toEqual([`${ORIGIN}/`]);
    },
  );
});
