import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { cases } from "#test/support/cases.ts";
import { SimulatedBrowser } from "#test/web/tabs/simulated-browser.ts";
import type { SimulatedRoom } from "#test/web/tabs/simulated-room.ts";

const TABS = 2;
const CHATS = 2;

const inTab = { tab: fc.nat(TABS - 1) };
const inChat = { chat: fc.nat(CHATS - 1) };

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("open" as const), ...inTab, ...inChat }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("leave" as const), ...inTab }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("send" as const), ...inTab }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("press" as const), ...inTab }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom("goOn" as const, "exchange" as const), ...inChat }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom("answerAgain" as const, "rewrite" as const), ...inChat }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("choose" as const), ...inChat }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("finish" as const), ...inChat }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("disconnect" as const), ...inTab }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("connect" as const), hasReset: fc.boolean(), ...inTab }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("network" as const), isOnline: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("hear" as const), ...inTab }) },
  { weight: 14, arbitrary: fc.constant({ kind: "settle" as const }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let browser: SimulatedBrowser;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] });
  browser = new SimulatedBrowser();
  await browser.openTabs(TABS);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function take(next: Step): Promise<void> {
  const tab = "tab" in next ? browser.tabs[next.tab] : undefined;
  const room = "chat" in next ? browser.rooms[next.chat] : undefined;
  switch (next.kind) {
    case "open":
      return room && tab?.open(room.id);
    case "leave":
      return tab?.close();
    case "send":
      return void tab?.send(`Text ${browser.written.length}`);
    case "press":
      return tab?.press();
    case "goOn":
    case "answerAgain":
    case "rewrite":
    case "choose":
    case "finish":
      return room?.[next.kind]();
    case "exchange":
      room?.goOn();
      return room?.finish();
    case "connect":
      return tab?.connect(next.hasReset);
    case "disconnect":
      return tab?.disconnect();
    case "network":
      return browser.setOnline(next.isOnline);
    case "hear":
      return tab?.hear();
    case "settle":
      await browser.settle();
      return expectShown();
  }
}

/** Expects that whoever can hear of a chat, and shows it, shows all of it. */
function expectShown(): void {
  for (const tab of browser.tabs) {
    const room = browser.rooms.find(({ id }) => id === tab.shown);
    if (!room || !tab.isConnected) continue;
    const serverPath = room.path().map(({ id, content, status }) => [id, content, status]);
    expect(tab.path()?.map(({ id, content, status }) => [id, content, status])).toEqual(serverPath);
  }
}

/** What stands before a message that its writer had not seen when it went out, unless they wrote it themselves. */
function unseenBefore(room: SimulatedRoom, messageId: string): string[] {
  const seen = browser.presses.get(messageId);
  const own = new Set(browser.presses.keys());
  if (!seen || browser.queued.has(messageId)) return [];
  return room
    .path(messageId)
    .filter(({ id, parent_id: parentId }) => id !== messageId && !seen.has(id) && !own.has(id) && !own.has(parentId ?? ""))
    .map(({ id }) => id);
}

it("the tabs of a person send nothing beside or behind what they have not shown, show all that there is, and lose no text", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60, size: "max" }), async (steps) => {
      await browser.begin(CHATS);
      for (const tab of browser.tabs) tab.open(browser.rooms[0]?.id ?? "");
      await browser.settle();
      for (const next of steps) await take(next);

      // In the end everybody is there again, and what is under way ends.
      browser.setOnline(true);
      for (const tab of browser.tabs) tab.connect(false);
      const isBusy = () => browser.rooms.some(({ running, queued }) => running !== null || queued.length > 0);
      await browser.settle();
      while (isBusy()) {
        for (const room of browser.rooms) room.finish();
        await browser.settle();
      }

      for (const room of browser.rooms) {
        expect(room.siblings).toEqual([]);
        for (const id of room.messages.keys()) expect(unseenBefore(room, id)).toEqual([]);
      }
      expectShown();
      const stored = new Set(browser.rooms.flatMap(({ messages }) => [...messages.keys()]));
      const recoverable = new Set([...browser.returned, ...(browser.tabs[0]?.pending() ?? [])].map(({ id }) => id));
      expect(browser.written.filter((id) => !stored.has(id) && !recoverable.has(id))).toEqual([]);
      // What is left here waits for its person, or behind what does.
      const lines = browser.rooms.map(({ id: chatId }) => browser.tabs[0]?.pending().find((send) => send.chatId === chatId));
      expect(lines.filter((first) => first && first.state.kind !== "failed")).toEqual([]);
    }),
    cases({ sample: 100, full: 3_000 }),
  );
});
