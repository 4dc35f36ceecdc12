import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test, vi } from "vitest";
import { InboxSummary } from "#web/features/conversation/home/inbox-summary.tsx";

const here: { artifacts: object[] } = vi.hoisted(() => ({ artifacts: [] }));

vi.mock("#web/ui/use-is-mobile.ts", () => ({ useIsMobile: () => false }));
vi.mock("#web/features/conversation/chat-cache/use-chats.ts", () => ({ useChats: () => ({ data: undefined }) }));
vi.mock("#web/features/library/artifacts/use-artifacts.ts", () => ({
  useArtifacts: () => ({ data: here.artifacts }),
  artifactsOf: (data: object[]) => data,
}));

function rendered(artifact: object): string {
  const shared = {
    id: "a1",
    title: "Tide tables",
    is_owner: false,
    is_team_share: false,
    seen_version: null,
    shared_by_name: "Marta Oliveira",
  };
  here.artifacts = [{ ...shared, ...artifact }];
  const page = renderToStaticMarkup(
    <MemoryRouter>
      <InboxSummary />
    </MemoryRouter>,
  );
  return page.replaceAll(/<[^>]+>/g, "");
}

test("home names an artifact that somebody shared and that was not opened yet, and by whom", () => {
  expect(rendered({})).toBe("Marta shared Tide tables with you.");
  expect(rendered({ seen_version: 1 })).toBe("");
  expect(rendered({ is_owner: true })).toBe("");
});
