import { expect, it } from "vitest";
import { deletionLines, deletionBlocker } from "#web/features/account/account-data/deletion-messages.ts";
import { deletedWithAccountText } from "#web/features/conversation/sending/lost-chat.ts";

const NOTHING = {
  chats: 0,
  sharedChats: 0,
  readers: 0,
  artifacts: 0,
  knowledge: 0,
  personas: 0,
  prompts: 0,
  storedBytes: 0,
  credits: 0,
  loneTeams: [],
  leaderlessTeams: [],
};
const team = (name: string) => ({ id: crypto.randomUUID(), name });

it("what goes with an account names what there is, and nothing else", () => {
  expect(deletionLines(NOTHING)).toEqual(["your memory, schedules, folders, settings and connections"]);
  expect(
    deletionLines({
      ...NOTHING,
      chats: 1_200,
      sharedChats: 3,
      readers: 1,
      artifacts: 1,
      knowledge: 2,
      credits: 4.5,
      storedBytes: 3_400_000,
      loneTeams: [team("Me")],
    }),
  ).toEqual([
    "1,200 chats, of which 3 shared with 1 person",
    expect.stringMatching(/^3\.\d MB of files$/),
    "1 artifact",
    "2 knowledge entries",
    "the team ‘Me’, where nobody else is",
    "your memory, schedules, folders, settings and connections",
    "$4.50 of credits, which are not paid back",
  ]);
  expect(deletionLines({ ...NOTHING, chats: 2, sharedChats: 2, readers: 4, knowledge: 1 }).slice(0, 2)).toEqual([
    "2 chats, of which all shared with 4 people",
    "1 knowledge entry",
  ]);
});

it("what goes with an account says which teams keep it", () => {
  expect(deletionBlocker(NOTHING)).toBeNull();
  expect(deletionBlocker({ leaderlessTeams: [team("Ops")] })).toBe(
    "You are the only admin of ‘Ops’. Make somebody else an admin, or delete the team first.",
  );
  expect(deletionBlocker({ leaderlessTeams: [team("Ops"), team("Ads")] })).toMatch(
    /^You are the only admin of ‘Ops’, ‘Ads’\. Make somebody/,
  );
});

it("chats that went with their owner's account are given by name where it is one", () => {
  expect(deletedWithAccountText(["Trip"])).toBe("‘Trip’ was deleted with its owner’s account");
  expect(deletedWithAccountText([""])).toBe("A chat was deleted with its owner’s account");
  expect(deletedWithAccountText(["Trip", "Plan"])).toBe("2 chats were deleted with their owner’s account");
});
