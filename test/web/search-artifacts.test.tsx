import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, expect, test, vi } from "vitest";
import { usePalette } from "#web/features/conversation/search/use-palette.ts";

const here = vi.hoisted(() => {
  // Files share their modules: those loaded before know nothing of the mocks, and later ones are to know none.
  vi.resetModules();
  return { status: "user", user: { artifacts_enabled: true }, features: { artifacts: true } };
});
afterAll(() => void vi.resetModules());

vi.mock("#web/features/people/session/use-session.ts", () => ({ useSession: () => here }));
vi.mock("#web/features/conversation/chat-cache/use-chats.ts", () => ({ useChats: () => ({ data: undefined }) }));
vi.mock("#web/features/conversation/search/search-input.ts", () => ({ NO_INPUT: { text: "lease", chips: [], kind: null } }));
vi.mock("#web/features/conversation/filing/use-folders.ts", () => ({ useFolders: () => ({ folders: [], tags: [] }) }));
// What an earlier answer found stands until the next has come.
vi.mock("#web/features/conversation/search/use-search.ts", () => {
  const hit = { id: "a", title: { text: "The lease", ranges: [] } };
  return {
    useSearch: () => ({ hits: [], artifacts: [hit], unknown: [], isBehind: false, isIncomplete: false, error: null, hasMore: false }),
  };
});

function Found() {
  return usePalette().artifacts.map(({ title }) => title.text);
}

test("the palette shows artifacts only to who has them, in a deployment that has them", () => {
  expect(renderToStaticMarkup(<Found />)).toBe("The lease");
  here.user.artifacts_enabled = false;
  expect(renderToStaticMarkup(<Found />)).toBe("");
  here.user.artifacts_enabled = true;
  here.features.artifacts = false;
  expect(renderToStaticMarkup(<Found />)).toBe("");
});
