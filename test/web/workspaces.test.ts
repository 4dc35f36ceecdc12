import { afterEach, describe, expect, it, vi } from "vitest";
import type { Chat } from "#shared/entities/chat.ts";
import type { WorkspaceId } from "#shared/entities/workspace.ts";
import { inboxSentenceByPerson } from "#web/features/conversation/home/inbox-summary-text.ts";
import { type ChatPages, cachedLists } from "#web/features/conversation/chat-cache/cached-lists.ts";
import { hideChat, showChat } from "#web/features/conversation/chat-cache/list-changes.ts";
import { ownerLabel, previewText } from "#web/features/conversation/workspaces/owner-label.ts";
import { allWorkspacesLabel, readersNote, settleChoice } from "#web/features/conversation/workspaces/settle-choice.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { chatRow } from "./chat-factory.ts";

const CREW = "0d3c4b7e-5f6a-4b8c-9d0e-1f2a3b4c5d6e";
const OTHER = "1d3c4b7e-5f6a-4b8c-9d0e-1f2a3b4c5d6e";
const LISTS: WorkspaceId[] = ["all", "personal", CREW, OTHER];

const chat = (id: string, fields: Partial<Chat> = {}) => chatRow(id, new Date().toISOString(), fields);

/** What stands in each workspace's inbox, and how much of it is unread. */
function shown(): Record<string, [string, number | undefined]> {
  return Object.fromEntries(
    LISTS.map((workspace) => {
      const first = queryClient.getQueryData<ChatPages>(keys.chats(workspace, "inbox"))?.pages[0];
      return [workspace, [(first?.chats ?? []).map(({ id }) => id).join(), first?.unreadCount]];
    }),
  );
}

describe("a chat that a tab hears of", () => {
  afterEach(() => {
    queryClient.clear();
    vi.unstubAllGlobals();
  });

  const hold = () => {
    for (const workspace of LISTS) {
      for (const view of ["inbox", "all"]) {
        queryClient.setQueryData<ChatPages>(keys.chats(workspace, view), {
          pages: [{ chats: [], nextCursor: null, unreadCount: 0, liveCursor: "0", end: undefined }],
        });
      }
    }
  };

  it("a chat that a tab hears of stands in the workspaces of its teams and is unread there alone, moves with its shares, and leaves all of them", () => {
    hold();
    expect(cachedLists().length).toBe(8);
    showChat(chat("mine", { isRead: false }));
    showChat(chat("ours", { isRead: false, teams: [CREW], lastMessageAt: "2099-01-01T00:00:00.000Z" }));
    expect(shown()).toEqual({ all: ["ours,mine", 2], personal: ["mine", 1], [CREW]: ["ours", 1], [OTHER]: ["", 0] });
    showChat(chat("ours", { isRead: false, teams: [OTHER] }));
    expect(shown()).toMatchObject({ all: [expect.anything(), 2], personal: ["mine", 1], [CREW]: ["", 0], [OTHER]: ["ours", 1] });
    showChat(chat("ours", { teams: [] }));
    expect(shown()).toMatchObject({ all: [expect.anything(), 1], personal: ["mine,ours", 1], [OTHER]: ["", 0] });
    hideChat("mine");
    expect(shown()).toEqual({ all: ["ours", 0], personal: ["ours", 0], [CREW]: ["", 0], [OTHER]: ["", 0] });
  });

  it("a chat that a tab hears of is counted anew by the server in its own workspace, where what is held does not say", async () => {
    hold();
    queryClient.setQueryData<ChatPages>(keys.chats(CREW, "inbox"), {
      pages: [{ chats: [], nextCursor: "more", unreadCount: 5, liveCursor: "0", end: undefined }],
    });
    const asked: string[] = [];
    vi.stubGlobal("fetch", async (url: string) => {
      asked.push(url);
      return Response.json({ unreadCount: 4, liveCursor: "1" });
    });
    hideChat("beyond the first page");
    await vi.waitFor(() => expect(shown()[CREW]?.[1]).toBe(4));
    expect(asked).toEqual([expect.stringContaining(`workspace=${CREW}`)]);
  });
});

describe("the choice of a workspace", () => {
  const userId = "me";
  const crew = { id: CREW, name: "Crew", user_role: "member", content_admin_only: false } as const;
  const teams = [crew];
  const of = (id: WorkspaceId, name: string, isClosed = false) => ({ userId, id, name, isClosed });

  it("the choice of a workspace is all for who comes into a team, and none for who is in no team", () => {
    expect(settleChoice(null, { userId, teams: [] })).toEqual({ choice: null, gone: null });
    expect(settleChoice(null, { userId, teams })).toEqual({ choice: of("all", "All"), gone: null });
  });

  it("the choice of a workspace stays, under the team's new name too", () => {
    const personal = of("personal", "Personal");
    expect(settleChoice(personal, { userId, teams }).choice).toBe(personal);
    const renamed = settleChoice(of(CREW, "Team"), { userId, teams });
    expect(renamed).toEqual({ choice: of(CREW, "Crew"), gone: null });
  });

  it("the choice of a workspace falls back to personal when its team is gone, and names it; without any team there is nothing to choose", () => {
    const before = of(OTHER, "Other");
    expect(settleChoice(before, { userId, teams })).toEqual({ choice: of("personal", "Personal"), gone: "Other" });
    expect(settleChoice(before, { userId, teams: [] })).toEqual({ choice: null, gone: "Other" });
    expect(settleChoice(of("all", "All"), { userId, teams: [] })).toEqual({ choice: null, gone: null });
  });

  it("the choice of a workspace knows of a team that leaves content to its admins whether one is among them", () => {
    const closed = { ...crew, content_admin_only: true };
    expect(settleChoice(of(CREW, "Crew"), { userId, teams: [closed] }).choice).toEqual(of(CREW, "Crew", true));
    expect(settleChoice(of(CREW, "Crew", true), { userId, teams: [{ ...closed, user_role: "admin" }] }).choice).toEqual(of(CREW, "Crew"));
    expect(readersNote(6, true)).toBe("Its admins alone share here: chats you begin are yours.");
  });

  it("the choice of a workspace is described by what it holds and who reads along", () => {
    expect([1, 2, 5].map(allWorkspacesLabel)).toEqual(["Personal and your team", "Personal and both teams", "Personal and 5 teams"]);
    expect([1, 2, 6].map((members) => readersNote(members, false))).toEqual([
      "Chats begun here can be read by whoever joins.",
      "Chats begun here can be read by both members.",
      "Chats begun here can be read by all 6 members.",
    ]);
  });
});

describe("whose a chat is", () => {
  const jonas = {
    isShared: true,
    ownerName: "Jonas Keller",
    sharedByName: "Ines Moreau",
    permissionLevel: "viewer",
    teams: [CREW],
  } as const;
  const theirs = chat("theirs", { ...jonas, teams: [CREW], lastMessagePreview: "Proofs", lastMessageSender: "Jonas Keller" });

  it("the owner of a chat is named in a team and in all, but not where all is one's own", () => {
    expect(ownerLabel(CREW, theirs)).toBe("Jonas’s");
    expect(ownerLabel("all", theirs)).toBe("Jonas’s");
    expect(ownerLabel("all", chat("private"))).toBeNull();
    expect(ownerLabel("all", chat("shared", { teams: [CREW] }))).toBe("Yours");
    expect(ownerLabel("personal", theirs)).toBeNull();
    // A room that was not read since it learned to say whose its chat is.
    expect(ownerLabel("all", { ...theirs, ownerName: null })).toBe("Ines’s");
  });

  it("the owner of a chat is not taken for who spoke last: that person is named beside it, and nobody where a model did", () => {
    const mine = chat("mine", { lastMessagePreview: "Hello", lastMessageSender: "Jonas Keller", teams: [CREW] });
    expect([ownerLabel(CREW, mine), previewText(mine, "Yours")]).toEqual(["Yours", "Jonas Keller: Hello"]);
    expect(previewText({ ...mine, lastMessageSender: "You" }, "Yours")).toBe("You: Hello");
    expect(previewText({ ...mine, lastMessageSender: "" }, "Yours")).toBe("Hello");
    expect(previewText(theirs, "Jonas’s")).toBe("Jonas Keller: Proofs");
    expect(previewText(theirs, null)).toBe("Jonas Keller: Proofs");
    expect(previewText({ ...theirs, lastMessagePreview: "" }, null)).toBe("Shared by Ines Moreau");
    expect(previewText({ ...theirs, lastMessagePreview: "" }, "Jonas’s")).toBe("");
  });

  it("the owner of a chat is the subject of a team's updates", () => {
    const from = (name: string, id: string) => chat(id, { isRead: false, isShared: true, ownerName: name, teams: [CREW] });
    const sentence = (chats: Chat[]) => {
      const summary = inboxSentenceByPerson(chats, chats.filter(({ isRead }) => !isRead).length);
      return summary && summary.chat.title + summary.rest;
    };
    expect(sentence([])).toBeNull();
    expect(sentence([from("Jonas Keller", "a"), from("Jonas Keller", "b")])).toBe("Jonas has news.");
    expect(sentence([from("Jonas Keller", "a"), from("Ines Marques", "b"), chat("read")])).toBe("Jonas and Ines have news.");
    expect(sentence([from("Jonas", "a"), chat("Tender", { isRead: false, teams: [CREW] })])).toBe("Jonas and Tender have news.");
    expect(sentence([from("Jonas", "a"), from("Ines", "b"), from("Noor", "c")])).toBe("Jonas and two others have news.");
    expect(sentence([from("Jonas", "a"), chat("Mail", { isWaiting: true })])).toBe("Mail waits for approval, and a has news.");
  });
});
