import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { BeforeLink, isKnown, linkStateOf } from "#web/features/library/share-links/before-link.tsx";

const createdAt = "2026-03-04T05:06:07.000Z";

it("a link is made only once it is known whether it takes another's place", () => {
  const canMake = (asked: Parameters<typeof linkStateOf>[0]) => isKnown(linkStateOf(asked));
  expect(canMake({ isFetching: true, isError: false })).toBe(false);
  // What was known before may have changed in another tab.
  expect(canMake({ isFetching: true, isError: false, data: { createdAt: null } })).toBe(false);
  expect(canMake({ isFetching: false, isError: true })).toBe(false);
  expect(canMake({ isFetching: false, isError: true, data: { createdAt: null } })).toBe(false);
  // Without a network nothing is asked.
  expect(canMake({ isFetching: false, isError: false })).toBe(false);
  expect(canMake({ isFetching: false, isError: false, data: { createdAt: null } })).toBe(true);
  expect(canMake({ isFetching: false, isError: false, data: { createdAt } })).toBe(true);
});

it("the dialog says which link a new one replaces, and that this could not be read, with a way to try again", () => {
  const shown = (state: ReturnType<typeof linkStateOf>) =>
    renderToStaticMarkup(<BeforeLink kind="prompt" state={state} onRetry={() => undefined} />);
  expect(shown({ createdAt })).toContain("A new link takes its place");
  expect(shown({ createdAt: null })).not.toContain("takes its place");
  expect(shown("loading")).not.toContain("Try again");
  expect(shown("failed")).toMatch(/could not be read.*<button.*Try again/);
});
