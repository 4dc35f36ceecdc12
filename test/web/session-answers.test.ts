import { QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { changeSessionUser, refreshSession, type SessionAnswer } from "#web/features/people/session/use-session.ts";
import { keys, queryClient } from "#web/lib/query.ts";

test("an answer about who is here that was asked for before a change does not take the change back", async () => {
  const cached: SessionAnswer = Object.assign(Object.create(null), { user: { id: "a", credits: 1 }, features: {} });
  queryClient.setQueryData<SessionAnswer>(keys.session, cached);
  const asked: PromiseWithResolvers<SessionAnswer>[] = [];
  const queryFn = () => {
    const question = Promise.withResolvers<SessionAnswer>();
    asked.push(question);
    return question.promise;
  };
  const leave = new QueryObserver(queryClient, { queryKey: keys.session, queryFn, staleTime: Infinity }).subscribe(() => {});
  const credits = () => queryClient.getQueryData<SessionAnswer>(keys.session)?.user?.credits;

  changeSessionUser({ credits: 2 });
  expect(asked).toHaveLength(0);
  const refreshed = refreshSession();
  changeSessionUser({ credits: 3 });
  expect(asked).toHaveLength(2);
  asked[0]?.resolve(cached);
  await expect.poll(() => credits()).toBe(3);
  if (cached.user) asked[1]?.resolve({ ...cached, user: { ...cached.user, credits: 4 } });
  await refreshed;
  expect(credits()).toBe(4);
  leave();
});
