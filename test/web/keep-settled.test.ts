import { InfiniteQueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { keepSettled } from "#web/features/replies/keep-settled.ts";
import { type MessagePage, type MessagePages, pagesOf, pathOf } from "#web/features/messages/message-pages.ts";
import { EMPTY_REPLY, type ReplyState } from "#web/features/replies/reply-state.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { answer, id, question } from "./message-factory.ts";

const chatId = id(100);
const queryKey = keys.messages(chatId);
const ended: ReplyState = {
  ...EMPTY_REPLY,
  text: "An answer.",
  hasContent: true,
  settled: {
    type: "settled",
    message_id: id(2),
    status: "done",
    text: "An answer.".length,
    model_id: "maker/model",
    reasoning_ms: null,
    citations: [],
    cost: 0.01,
    usage: null,
    finish_reason: "stop",
    error: null,
  },
};

test("what was read before a reply's end, and comes after it, does not bring the reply back to life", async () => {
  const asked: PromiseWithResolvers<MessagePage>[] = [];
  const page = (status: "streaming" | "done"): MessagePage => ({ messages: [question(), answer({ status })], nextCursor: null });
  queryClient.setQueryData<MessagePages>(queryKey, pagesOf(page("streaming")));
  const observer = new InfiniteQueryObserver<MessagePage, Error, MessagePages, readonly unknown[], string | undefined>(queryClient, {
    queryKey,
    queryFn: () => {
      const answered = Promise.withResolvers<MessagePage>();
      asked.push(answered);
      return answered.promise;
    },
    initialPageParam: undefined,
    getNextPageParam: () => undefined,
    staleTime: Infinity,
  });
  const leave = observer.subscribe(() => undefined);
  const status = () => pathOf(queryClient.getQueryData<MessagePages>(queryKey)).at(-1)?.status;
  void queryClient.invalidateQueries({ queryKey });
  await expect.poll(() => asked.length).toBe(1);

  keepSettled(chatId, id(2), ended);
  expect(status()).toBe("done");
  asked[0]?.resolve(page("streaming"));
  await expect.poll(() => asked.length).toBe(2);
  expect(status()).toBe("done");
  asked[1]?.resolve(page("done"));
  await expect.poll(() => queryClient.isFetching({ queryKey })).toBe(0);
  expect(status()).toBe("done");
  leave();
});
