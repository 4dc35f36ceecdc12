import { expect, it } from "vitest";
import { ErrorBody } from "#shared/errors.ts";
import { REPLY_STREAMS_MAX } from "#shared/live-limits.ts";
import { startChat } from "#test/support/replies.ts";
import { until } from "#test/support/until.ts";
import { signIn } from "#test/support/worker.ts";

it("A person's streams of one reply are limited, with an error that says so, and one that is closed makes room", async () => {
  const user = await signIn();
  const { chatId, replyId } = await startChat(user, "stamp 750\nspeed 25");
  const open = () => user.fetch(`/api/chat/${chatId}/replies/${replyId}`, { headers: { accept: "text/event-stream" } });
  const streams = await Promise.all(Array.from({ length: REPLY_STREAMS_MAX }, open));
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
  const refused = await open();
  expect([refused.status, ErrorBody.parse(await refused.json()).code]).toEqual([429, "STREAMS_LIMITED"]);
  await streams[0]?.body?.cancel();
  const next = await until("a place", async () => {
    const response = await open();
    if (response.status === 200) return response;
    await response.body?.cancel();
    return null;
  });
  await Promise.all([next, ...streams.slice(1)].map(async ({ body }) => body?.cancel()));
});
