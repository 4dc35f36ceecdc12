import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { PagedList } from "#web/features/shell/admin/paged-list.tsx";
import { Answer } from "#web/features/shell/admin/spend-view.tsx";
import type { Pages } from "#web/features/shell/admin/use-admin.ts";

const none = () => undefined;
const failed: Pages<string> = {
  rows: [],
  isPending: false,
  isBehind: false,
  error: new Error("The database is resting."),
  isMoreLost: false,
  isRetrying: false,
  retry: none,
  hasMore: false,
  isReading: false,
  readMore: none,
};

function shown(list: Partial<Pages<string>>): string {
  return renderToStaticMarkup(
    <PagedList list={{ ...failed, ...list }} what="The invites" empty="Nobody has made an invite yet.">
      {(rows) => rows.join(", ")}
    </PagedList>,
  );
}

it("A list that could not be loaded says so by its name, and asks again", () => {
  const page = shown({});
  expect(page).toContain("The invites could not be loaded. The database is resting.");
  expect(page).toContain('aria-label="Try again: The invites"');
  expect(page).not.toContain("Nobody has made");
});

it("What is there stays while more of it could not be loaded, with one button that asks again", () => {
  const page = shown({ rows: ["first"], isMoreLost: true, hasMore: true });
  expect(page).toContain("first");
  expect(page).toContain("More could not be loaded.");
  expect(page).not.toContain("Show more");
});

it("What was read before stays where a later reading fails, and is not said to be missing", () => {
  const page = shown({ rows: ["first"] });
  expect(page).toContain("first");
  expect(page).not.toContain("The invites could not be loaded.");
});

it("What comes in one piece says what of it is missing", () => {
  const query = { data: undefined, error: failed.error, isFetching: false, refetch: none };
  expect(renderToStaticMarkup(<Answer query={query} what="What was spent" />)).toContain("What was spent could not be loaded.");
});
