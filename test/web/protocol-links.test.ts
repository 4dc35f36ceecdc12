import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { pathWithText, sharedParts, sharedText } from "#shared/sharing/share-target.ts";
import { bookmarklet } from "#web/features/conversation/deeplinks/bookmarklet-row.tsx";
import { readProtocolLink } from "#web/features/conversation/deeplinks/protocol-link.ts";

const CHAT = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";

test("links of the application's own scheme open a new chat by the parameters of a deeplink, or a chat by its id", () => {
  expect(readProtocolLink("web+polylogue:new?text=Say%20hello%26bye")).toBe("/new?prompt=Say%20hello%26bye");
  expect(readProtocolLink("web+polylogue:new?prompt=a&text=b&model=maker/one&auto_settings=true")).toBe(
    "/new?prompt=a&model=maker/one&auto_settings=true",
  );
  expect(readProtocolLink("web+polylogue://new/?text=a?b")).toBe("/new?prompt=a%3Fb");
  expect(readProtocolLink("WEB+POLYLOGUE:new")).toBe("/new");
  expect(readProtocolLink(`web+polylogue:c/${CHAT}`)).toBe(`/c/${CHAT}`);
});

test("links of the application's own scheme lead nowhere else", () => {
  const others = [
    "https://elsewhere.example",
    "web+polylogue:",
    "web+polylogue:admin",
    "web+polylogue:c/not-an-id",
    `web+polylogue:c/${CHAT}?share_context=1`,
    `web+polylogue:c/${CHAT}/../../admin`,
    "web+polylogue:javascript:alert(1)",
    "web+polylogue:////elsewhere.example",
    `web+polylogue:new?text=${"a".repeat(9_000)}`,
  ];
  expect(others.filter((link) => readProtocolLink(link) !== null)).toEqual([]);
  expect(readProtocolLink("web+polylogue:new?invite=CODE&share_context=2&shared=3")).toBe("/new");
});

test("what is shared with the installed application says each part once", () => {
  const url = "https://elsewhere.example/a";
  expect(sharedText({ title: "A page", text: "Read this", url })).toBe(`A page\n\nRead this\n\n${url}`);
  expect(sharedText({ title: "A page", text: `A page ${url}`, url })).toBe(`A page ${url}`);
  expect(sharedText({ title: "", text: url, url })).toBe(url);
  expect(sharedText(sharedParts(new URLSearchParams("text=+Said+")))).toBe("Said");
});

test("an address takes as much of it as servers do, in whole characters", () => {
  expect(pathWithText("")).toBe("/new");
  expect(pathWithText("a & b")).toBe("/new?prompt=a%20%26%20b");
  const path = pathWithText("🦉".repeat(5_000));
  expect(path.length).toBeLessThan(6_100);
  expect(decodeURIComponent(path.replace("/new?prompt=", ""))).toMatch(/^(?:🦉)+$/u);
});

describe("the bookmark that asks about a page", () => {
  /** What it opens when it is pressed on a page. */
  function press(page: { title: string; href: string; selected: string }): { address: URL; target: string; length: number } {
    const opened: string[] = [];
    const code = decodeURIComponent(bookmarklet("https://chat.example").replace("javascript:", ""));
    runInNewContext(code, {
      document: { title: page.title },
      location: { href: page.href },
      getSelection: () => page.selected,
      open: (...given: string[]) => opened.push(...given),
    });
    const [address = "", target = ""] = opened;
    return { address: new URL(address), target, length: address.length };
  }

  test("the bookmark that asks about a page passes on title, address and selection", () => {
    const { address, target } = press({ title: "A page", href: "https://elsewhere.example/?a=1&b=2", selected: " One\nTwo " });
    expect(address.origin + address.pathname).toBe("https://chat.example/new");
    expect(address.searchParams.get("prompt")).toBe("A page\nhttps://elsewhere.example/?a=1&b=2\n\n> One\n> Two\n\n");
    expect([...address.searchParams.keys()]).toEqual(["prompt"]);
    expect(target).toBe("_blank");
  });

  test("the bookmark that asks about a page cuts a long selection, a long address and half a character", () => {
    for (const selected of ["a".repeat(50_000), "🦉".repeat(50_000), "\ud83e", ""]) {
      const { length, address } = press({
        title: "A page",
        href: `https://elsewhere.example/${selected === "" ? "b".repeat(20_000) : ""}`,
        selected,
      });
      expect(length).toBeLessThan(6_100);
      expect(address.searchParams.get("prompt")).toMatch(/^A page\nhttps:\/\/elsewhere/);
    }
  });
});
