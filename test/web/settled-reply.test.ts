import { InfiniteQueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import type { Message } from "#shared/entities/message.ts";
import { updateCachedMessages } from "#web/features/conversation/messages/update-cached-messages.ts";
import { storeSettledReply } from "#web/features/conversation/replies/reply-streams.ts";
import { type MessagePage, type MessagePages, appendMessages, pagesOf, pathOf } from "#web/features/conversation/messages/message-pages.ts";
import { EMPTY_REPLY, type ReplyState } from "#web/features/conversation/replies/reply-state.ts";
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

type Asked = PromiseWithResolvers<MessagePage>[];

/** Somebody looks at the chat; each time its path is asked for is noted, and answered by the test. */
function look(asked: Asked): () => void {
  return new InfiniteQueryObserver<MessagePage, Error, MessagePages, readonly unknown[], string | undefined>(queryClient, {
    queryKey,
    queryFn: () => {
      const answered = Promise.withResolvers<MessagePage>();
      asked.push(answered);
      return answered.promise;
    },
    initialPageParam: undefined,
    getNextPageParam: () => undefined,
    staleTime: Infinity,
  }).subscribe(() => undefined);
}

const cachedPath = () => pathOf(queryClient.getQueryData<MessagePages>(queryKey));
const pageOf = (...messages: Message[]): MessagePage => ({ messages, nextCursor: null });
const settle = () => expect.poll(() => queryClient.isFetching({ queryKey })).toBe(0);

test("what was read before a reply's end, and comes after it, does not bring the reply back to life", async () => {
  const asked: Asked = [];
  const page = (status: "streaming" | "done") => pageOf(question(), answer({ status }));
  queryClient.setQueryData<MessagePages>(queryKey, pagesOf(page("streaming")));
  const leave = look(asked);
  const status = () => cachedPath().at(-1)?.status;
  void queryClient.invalidateQueries({ queryKey });
  await expect.poll(() => asked.length).toBe(1);

  storeSettledReply(chatId, id(2), ended);
  expect(status()).toBe("done");
  asked[0]?.resolve(page("streaming"));
  await expect.poll(() => asked.length).toBe(2);
  expect(status()).toBe("done");
  asked[1]?.resolve(page("done"));
  await settle();
  expect(status()).toBe("done");
  leave();
});

test("what was read before a turn began, and comes after it, does not take the turn away", async () => {
  const asked: Asked = [];
  queryClient.setQueryData<MessagePages>(queryKey, pagesOf(pageOf(question())));
  const leave = look(asked);
  void queryClient.invalidateQueries({ queryKey });
  await expect.poll(() => asked.length).toBe(1);

  updateCachedMessages(chatId, (pages) => appendMessages(pages, [answer({ status: "accepted" })]));
  asked[0]?.resolve(pageOf(question()));
  await expect.poll(() => asked.length).toBe(2);
  expect(cachedPath()).toHaveLength(2);
  asked[1]?.resolve(pageOf(question(), answer({ status: "streaming" })));
  await settle();
  expect(cachedPath()).toHaveLength(2);
  leave();
});

test("a reply that ends and is not there is read again", async () => {
  const asked: Asked = [];
  queryClient.setQueryData<MessagePages>(queryKey, pagesOf(pageOf(question())));
  const leave = look(asked);
  storeSettledReply(chatId, id(2), ended);
  await expect.poll(() => asked.length).toBe(1);
  asked[0]?.resolve(pageOf(question(), answer({ status: "done" })));
  await settle();
  expect(cachedPath().at(-1)?.status).toBe("done");
  leave();
});
