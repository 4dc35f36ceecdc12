import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { pickFiles, readAnswer } from "#web/features/integrations/drive/pick-files.ts";

const CHANNEL = "3b1f2c1e-5d1c-4f0e-9f6c-0c5a6d6b8a11";
const read = (data: object) => readAnswer({ channel: CHANNEL, ...data }, CHANNEL);

it.each([
  ["sign_in", "Sign in required"],
  ["not_connected", "Connect Google to continue"],
  ["failed", "Google Picker failed"],
  ["anything else", "Google Picker failed"],
])("what the Picker's window says names why nothing can be picked (%s)", (reason, title) => {
  expect(read({ type: "refused", reason })).toEqual({ kind: "refused", title });
});

it("what the Picker's window says is taken for what was picked, and for nothing else that stands beside it", () => {
  const files = [{ id: "a", resourceKey: "" }, { id: "b", resourceKey: "key", name: "Plan" }, { name: "no id" }, null];
  expect(read({ type: "picked", files })).toEqual({ kind: "picked", files: [{ id: "a" }, { id: "b", resourceKey: "key" }] });
  expect(read({ type: "cancelled" })).toEqual({ kind: "cancelled" });
});

it("what the Picker's window says is nobody's where it does not know the channel's name, or is no word of it", () => {
  for (const data of [null, "picked", { type: "picked", files: [] }, { type: "picked", channel: "another", files: [{ id: "a" }] }])
    expect(readAnswer(data, CHANNEL)).toBeNull();
  expect(read({ type: "picked", files: "all" })).toBeNull();
  expect(read({ type: "other" })).toBeNull();
});

describe("the Picker's window", () => {
  const ORIGIN = "https://chat.example";
  let channels: FakeChannel[] = [];

  class FakeChannel {
    readonly name: string;
    isClosed = false;
    onmessage: ((event: { data: object; origin: string }) => void) | null = null;
    constructor(name: string) {
      this.name = name;
      channels.push(this);
    }
    close() {
      this.isClosed = true;
    }
    hear(message: object) {
      this.onmessage?.({ data: { channel: this.name, ...message }, origin: ORIGIN });
    }
  }

  beforeEach(() => {
    channels = [];
    vi.useFakeTimers();
    vi.stubGlobal("BroadcastChannel", FakeChannel);
    vi.stubGlobal("window", { location: { origin: ORIGIN }, open: () => ({ closed: true }) });
  });
  afterEach(() => void vi.useRealTimers());

  const open = () => {
    const ends: unknown[] = [];
    const picking = pickFiles().then((end) => ends.push(end));
    const [channel] = channels;
    if (!channel) throw new Error("No channel was opened.");
    return { channel, ends, picking };
  };
  const isLetGo = ({ isClosed }: FakeChannel) => isClosed && vi.getTimerCount() === 0;

  it("the Picker's window has failed where it was never opened, or its page never comes", async () => {
    const { channel, ends } = open();
    await vi.advanceTimersByTimeAsync(19_000);
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(ends).toEqual([{ kind: "refused", title: "Google Picker failed" }]);
    expect(isLetGo(channel)).toBe(true);
    vi.stubGlobal("window", { location: { origin: ORIGIN }, open: () => null });
    expect(await pickFiles()).toEqual({ kind: "refused", title: "Google Picker failed" });
    expect(channels.every(isLetGo)).toBe(true);
  });

  it("the Picker's window is waited for while it gives signs of life, and is cancelled once they end", async () => {
    const { channel, ends } = open();
    channel.hear({ type: "opened" });
    for (let beat = 0; beat < 60; beat += 1) {
      await vi.advanceTimersByTimeAsync(2_000);
      channel.hear({ type: "beat", isHidden: false });
    }
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(10_500);
    expect(ends).toEqual([{ kind: "cancelled" }]);
    expect(isLetGo(channel)).toBe(true);
  });

  it("the Picker's window is waited for while it is at Google's own pages", async () => {
    const { channel, ends } = open();
    channel.hear({ type: "opened" });
    channel.hear({ type: "leaving" });
    await vi.advanceTimersByTimeAsync(170_000);
    expect(ends).toEqual([]);
    channel.hear({ type: "opened" });
    await vi.advanceTimersByTimeAsync(10_500);
    expect(ends).toEqual([{ kind: "cancelled" }]);
  });

  it("the Picker's window is waited for longer while nobody sees it, and answers then too", async () => {
    const { channel, ends, picking } = open();
    channel.hear({ type: "opened" });
    channel.hear({ type: "beat", isHidden: true });
    await vi.advanceTimersByTimeAsync(90_000);
    channel.onmessage?.({ data: { type: "cancelled", channel: channel.name }, origin: "https://another.example" });
    expect(ends).toEqual([]);
    channel.hear({ type: "picked", files: [{ id: "a" }] });
    await picking;
    expect(ends).toEqual([{ kind: "picked", files: [{ id: "a" }] }]);
    expect(isLetGo(channel)).toBe(true);
  });
});
