import { afterEach, describe, expect, test, vi } from "vitest";
import { reloadFromNetwork } from "#web/lib/reload-from-network.ts";
import { awaitNetwork, documentOf } from "../../web/service-worker/patience.ts";
import { fileFromNetwork } from "../../web/service-worker/network.ts";
import { kindOf } from "../../web/service-worker/requests.ts";

const ORIGIN = "https://chat.example";
const kind = (path: string, { method = "GET", mode = "no-cors" } = {}) => kindOf({ url: new URL(path, ORIGIN).href, method, mode }, ORIGIN);

test("the service worker answers pages of the application and files with a hash, and leaves every call alone", () => {
  const pages = ["/", "/?q=1", "/new", "/c/1b9d", "/approvals", "/artifacts/7", "/schedules", "/changelog", "/goodbye"];
  expect(new Set(pages.map((path) => kind(path, { mode: "navigate" })))).toEqual(new Set(["document"]));
  expect(new Set(pages.map((path) => kind(path)))).toEqual(new Set(["other"]));
  expect(kind("/assets/index-abc.js")).toBe("asset");
  expect(kind("/assets/pdfjs-5/cmaps/a.bin")).toBe("other");
  const others = ["/api/chats", "/api/auth/session", "/api/files/1", "/admin", "/p/abc", "/dev/mailbox", "/auth/login", "/sw.js"];
  const modes = ["navigate", "cors"];
  expect(new Set(others.flatMap((path) => modes.map((mode) => kind(path, { mode }))))).toEqual(new Set(["other"]));
  expect(kind("/new", { method: "POST", mode: "navigate" })).toBe("other");
  expect(kind("https://elsewhere.example/assets/a.js")).toBe("other");
});

test("a file that did not come is asked for again, as a page could not do it, and is missing only where it never comes", async () => {
  const asked = vi.fn<typeof fetch>(() => Promise.reject(new TypeError("no network")));
  vi.stubGlobal("fetch", asked);
  expect(await fileFromNetwork("/assets/a.js", [0, 0])).toBeNull();
  expect(asked).toHaveBeenCalledTimes(3);
  asked.mockImplementationOnce(() => Promise.reject(new TypeError("no network"))).mockResolvedValueOnce(new Response("code"));
  expect(await (await fileFromNetwork("/assets/a.js", [0, 0]))?.text()).toBe("code");
  expect(asked).toHaveBeenCalledTimes(5);
});

describe("on a slow link", () => {
  afterEach(() => void vi.useRealTimers());

  const inTenSeconds = (answer: string | null) => new Promise<string | null>((resolve) => setTimeout(() => resolve(answer), 10_000));

  test("the kept document comes first, unless a page has asked for the network's", async () => {
    vi.useFakeTimers();
    const fromCache = documentOf(inTenSeconds("new"), "kept");
    awaitNetwork();
    const awaited = documentOf(inTenSeconds("new"), "kept");
    const fromCacheAgain = documentOf(inTenSeconds("new"), "kept");
    awaitNetwork();
    const unreachable = documentOf(inTenSeconds(null), "kept");
    const first = documentOf(inTenSeconds("new"), undefined);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await Promise.all([fromCache, awaited, fromCacheAgain, unreachable, first])).toEqual(["kept", "new", "kept", "kept", "new"]);
  });

  /** A browser's service workers: those that are there answer, and the one that waits takes over on request. */
  function workers({ isMute = false, ...there }: { waiting: boolean; active: boolean; isMute?: boolean }) {
    const posted: string[] = [];
    const page = new EventTarget();
    const worker = (name: string) => ({
      postMessage({ type }: { type: string }, [port]: MessagePort[]) {
        posted.push(`${type} to ${name}`);
        if (isMute) return;
        port?.postMessage(type);
        if (type === "skip-waiting") page.dispatchEvent(new Event("controllerchange"));
      },
    });
    const registration = { waiting: there.waiting ? worker("the waiting") : null, active: there.active ? worker("the active") : null };
    const container = {
      getRegistration: () => Promise.resolve(registration),
      addEventListener: (type: string, listener: () => void) => page.addEventListener(type, listener),
    };
    return { posted, reload: () => reloadFromNetwork(container, () => void posted.push("reload")) };
  }

  test("a reload to a new version has the waiting service worker take over, and waits for the network", async () => {
    const { posted, reload } = workers({ waiting: true, active: true });
    await reload();
    expect(posted).toEqual(["skip-waiting to the waiting", "await-network to the waiting", "reload"]);
    const alone = workers({ waiting: false, active: true });
    await alone.reload();
    expect(alone.posted).toEqual(["await-network to the active", "reload"]);
    const none = workers({ waiting: false, active: false });
    await none.reload();
    expect(none.posted).toEqual(["reload"]);
  });

  test("a service worker that does not answer keeps no page from it", async () => {
    vi.useFakeTimers();
    const { posted, reload } = workers({ waiting: true, active: true, isMute: true });
    const reloaded = reload();
    await vi.advanceTimersByTimeAsync(4_000);
    await reloaded;
    expect(posted.at(-1)).toBe("reload");
  });
});
