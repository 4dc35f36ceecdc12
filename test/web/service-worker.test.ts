import { expect, test } from "vitest";
import { kindOf } from "../../web/service-worker/requests.ts";

const ORIGIN = "https://chat.example";
const kind = (path: string, { method = "GET", mode = "no-cors" } = {}) => kindOf({ url: new URL(path, ORIGIN).href, method, mode }, ORIGIN);

test("the service worker answers pages of the application and files with a hash, and leaves every call alone", () => {
  const pages = ["/", "/?q=1", "/new", "/c/1b9d", "/approvals", "/artifacts/7"];
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
