import { expect, test } from "vitest";
import { withBranch } from "#web/features/conversation/sending/change-turn.ts";
import {
  type MessagePages,
  appendMessages,
  cutBefore,
  pagesOf,
  pathOf,
  replaceMessage,
} from "#web/features/conversation/messages/message-pages.ts";
import { answer, id, question } from "./message-factory.ts";

const path = [
  question({ id: id(1) }),
  answer({ id: id(2) }),
  question({ id: id(3), parent_id: id(2) }),
  answer({ id: id(4), parent_id: id(3) }),
];

/** Two pages as they are loaded: the newest first. */
const pages: MessagePages = {
  pages: [
    { messages: path.slice(2), nextCursor: id(3) },
    { messages: path.slice(0, 2), nextCursor: null },
  ],
  pageParams: [undefined, id(3)],
};

const ids = (held: MessagePages) => pathOf(held).map((message) => message.id);

test("the path of a chat reads from the oldest page to the newest", () => {
  expect(ids(pages)).toEqual([id(1), id(2), id(3), id(4)]);
  expect(pathOf(undefined)).toEqual([]);
});

test("the path of a chat grows at its end", () => {
  expect(ids(appendMessages(pages, [question({ id: id(5), parent_id: id(4) }), answer({ id: id(6), parent_id: id(5) })]))).toEqual(
    [1, 2, 3, 4, 5, 6].map(id),
  );
  expect(ids(appendMessages(undefined, [question()]))).toEqual([id(1)]);
});

test("the path of a chat holds a message once, as it came last", () => {
  const grown = appendMessages(pages, [answer({ id: id(4), content: "Another." }), question({ id: id(5) })]);
  expect(ids(grown)).toEqual([1, 2, 3, 4, 5].map(id));
  expect(pathOf(grown)[3]?.content).toBe("Another.");
});

test("the path of a chat is cut where a branch starts, whichever page that is in", () => {
  expect(ids(cutBefore(pages, id(4)))).toEqual([1, 2, 3].map(id));
  const earlier = cutBefore(pages, id(2));
  expect(ids(earlier)).toEqual([id(1)]);
  expect(earlier.pageParams).toHaveLength(earlier.pages.length);
  expect(cutBefore(pages, id(99))).toBe(pages);
});

test("the path of a chat keeps its other messages when one changes", () => {
  const changed = replaceMessage(pages, answer({ id: id(2), content: "Changed." }));
  expect(pathOf(changed)[1]?.content).toBe("Changed.");
  expect(changed.pages[0]).toBe(pages.pages[0]);
});

test("the path of a chat shows a branch before the server has accepted it, and as it was when there is none", () => {
  const branch = { cutAt: id(3), messages: [question({ id: id(7) })] };
  expect(withBranch(path, branch).map((message) => message.id)).toEqual([1, 2, 7].map(id));
  expect(withBranch(path, null)).toBe(path);
  expect(withBranch(path, { cutAt: id(99), messages: [] })).toBe(path);
});

test("the path of a chat can be one page, as after switching versions", () => {
  expect(ids(pagesOf({ messages: path, nextCursor: null }))).toEqual([1, 2, 3, 4].map(id));
});
