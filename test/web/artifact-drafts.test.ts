import { beforeEach, expect, test, vi } from "vitest";
import { keepArtifactDraft, readArtifactDraft, openText } from "#web/features/library/artifact-editor/artifact-drafts.ts";
import type { SavedText } from "#web/features/library/artifact-editor/saving.ts";
import { memoryStorage } from "#test/support/memory-storage.ts";

const ann = { userId: "ann", id: "plan" };

function open(server: SavedText, writerId: string | null = "ann") {
  const sent: { content: string; base: number }[] = [];
  const opened = openText({
    artifact: { id: "plan", ...server },
    writerId,
    put: async (content, base) => {
      sent.push({ content, base });
      return { version: server.version + 1, content: null };
    },
    latest: async () => server,
    onState: () => {},
  });
  return { ...opened, sent };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("localStorage", memoryStorage());
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

test("what was typed into an artifact and not saved stands there again though others saved meanwhile, and is saved from the version it began from", async () => {
  keepArtifactDraft(ann, { version: 1, content: "typed in the train" });
  const server = { version: 2, content: "theirs" };
  const { source, saving, sent } = open(server);
  saving.arrived(server);
  saving.arrived({ version: 3, content: "theirs, later" });
  expect(source.read()).toBe("typed in the train");
  await saving.flush();
  expect(sent).toEqual([{ content: "typed in the train", base: 1 }]);
  expect(readArtifactDraft(ann)).toBeNull();
});

test("what was typed into an artifact and not saved is saved also where all of the text was deleted", async () => {
  keepArtifactDraft(ann, { version: 1, content: "" });
  const { saving, sent } = open({ version: 2, content: "theirs" });
  saving.changed();
  await saving.flush();
  expect(sent).toEqual([{ content: "", base: 1 }]);
});

test("what was typed into an artifact and not saved is forgotten where it reached the server after all", () => {
  keepArtifactDraft(ann, { version: 1, content: "saved" });
  expect(open({ version: 2, content: "saved" }).isDraft).toBe(false);
  expect(readArtifactDraft(ann)).toBeNull();
});

test("what was typed into an artifact and not saved is its writer's alone, and nobody's who may only read", () => {
  keepArtifactDraft(ann, { version: 1, content: "Ann's" });
  const server = { version: 1, content: "as saved" };
  expect(open(server, "ben").source.read()).toBe("as saved");
  expect(open(server, null).source.read()).toBe("as saved");
  expect(open(server).source.read()).toBe("Ann's");
});
