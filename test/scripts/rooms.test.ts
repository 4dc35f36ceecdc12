import { describe, expect, test } from "vitest";
import { drawRooms } from "../../scripts/lib/draw-rooms.ts";
import { type Arrow, type Room, roomsOf } from "../../scripts/lib/rooms.ts";
import { holds, sealed } from "../../scripts/lib/seal.ts";

/** Files by what they import. */
function files(imports: Record<string, string[]>) {
  return Object.entries(imports).map(([path, targets]) => ({ path, imports: targets.map((target) => ({ target })) }));
}

function find(room: Room, path: string): Room | undefined {
  return room.path === path ? room : room.rooms.map((inner) => find(inner, path)).find((found) => found !== undefined);
}

function inWords(arrows: Arrow[] | undefined): string[] | undefined {
  return arrows?.map(({ from, to, isAgainst }) => `${from} ${isAgainst ? "back to" : "to"} ${to}`);
}

describe("the rooms of the code", () => {
  test("imports are arrows between the rooms next to each other that hold both files", () => {
    const rooms = roomsOf(
      files({
        "worker/app.ts": ["worker/chats/routes.ts"],
        "worker/chats/routes.ts": ["worker/room/queue/take.ts", "worker/room/queue/add.ts", "shared/limits.ts", "worker/chats/list.ts"],
        "worker/room/replies/run.ts": ["worker/room/queue/take.ts", "worker/room/rpc.ts"],
        "worker/room/queue/take.ts": ["worker/room/rpc.ts", "CHANGELOG.md"],
        "shared/limits.ts": [],
      }),
    );
    expect(inWords(rooms.arrows)).toEqual(["worker to shared"]);
    expect(inWords(find(rooms, "worker")?.arrows)).toEqual(["worker/chats to worker/room"]);
    expect(inWords(find(rooms, "worker/room")?.arrows)).toEqual(["worker/room/replies to worker/room/queue"]);
    expect(find(rooms, "worker/chats")).toEqual({ path: "worker/chats", isCommon: false, rooms: [], arrows: [] });
  });

  test("what a longer way says is left out, and fewer imports in the other direction lead back", () => {
    const rooms = roomsOf(
      files({
        "a/one.ts": ["b/one.ts", "b/two.ts", "c/one.ts"],
        "b/one.ts": ["c/one.ts"],
        "b/two.ts": ["c/one.ts"],
        "c/one.ts": ["a/one.ts"],
      }),
    );
    expect(inWords(rooms.arrows)).toEqual(["a to b", "b to c", "c back to a"]);
  });

  test("no arrow leads to what most of many rooms import, and what that imports leads back", () => {
    const many = Array.from({ length: 12 }, (_, index) => `room-${index}/file.ts`);
    const imports: [string, string[]][] = many.map((path, index) => [path, index % 2 === 0 ? ["http/file.ts"] : []]);
    const rooms = roomsOf(files({ ...Object.fromEntries(imports), "http/file.ts": ["room-1/file.ts"] }));
    expect(rooms.rooms.filter(({ isCommon }) => isCommon).map(({ path }) => path)).toEqual(["http"]);
    expect(inWords(rooms.arrows)).toEqual(["http back to room-1"]);
  });
});

test("the picture has a box for each room and a line for each arrow, whatever the order of the files", async () => {
  const code = files({
    "web/chat/a.ts": ["web/list/b.ts", "shared/c.ts"],
    "web/list/b.ts": ["web/chat/d.ts", "web/chat/a.ts"],
    "web/chat/d.ts": ["web/list/b.ts", "web/list/e.ts"],
    "shared/c.ts": [],
  });
  const picture = await drawRooms(roomsOf(code));
  const names = new Set(Array.from(picture.matchAll(/<text[^>]*>([^<]*)</g), ([, name]) => name));
  expect(names).toEqual(new Set(["web", "chat", "list", "shared"]));
  expect(picture.match(/<path d=/g)).toHaveLength(2 + 2);
  expect(picture.match(/<path class="against"/g)).toHaveLength(1);
  expect(await drawRooms(roomsOf(code.toReversed()))).toBe(picture);
});

test("a picture holds while neither it nor what it was made from has changed", () => {
  const picture = sealed("<svg>\n</svg>\n", "rooms", "drawing");
  expect(holds(picture, "rooms", "drawing")).toBe(true);
  expect(holds(picture, "other rooms", "drawing")).toBe(false);
  expect(holds(picture, "rooms", "another drawing")).toBe(false);
  expect(holds(picture.replace("<svg>", "<svg >"), "rooms", "drawing")).toBe(false);
  expect(holds("", "rooms", "drawing")).toBe(false);
});
