import { QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, test } from "vitest";
import { queryClient, setAnswer } from "#web/lib/query.ts";

const queryKey = ["a list"];

/** Asked by the test, which answers too: each time, in order. */
function reads() {
  const asked: PromiseWithResolvers<string>[] = [];
  const queryFn = () => {
    const answered = Promise.withResolvers<string>();
    asked.push(answered);
    return answered.promise;
  };
  const show = () => new QueryObserver(queryClient, { queryKey, queryFn, staleTime: Infinity, retry: false }).subscribe(() => undefined);
  return { asked, queryFn, show };
}

const shown = () => queryClient.getQueryData(queryKey);
const settled = () => expect.poll(() => queryClient.isFetching({ queryKey })).toBe(0);

afterEach(() => queryClient.clear());

test("what changes while something is read for the first time is read once more after that, however often it changed", async () => {
  const { asked, show } = reads();
  const leave = show();
  for (let change = 0; change < 3; change += 1) void queryClient.invalidateQueries({ queryKey });
  expect(asked).toHaveLength(1);
  asked[0]?.resolve("from before");
  await expect.poll(shown).toBe("from before");
  expect(asked).toHaveLength(2);
  asked[1]?.resolve("from after");
  await settled();
  expect(shown()).toBe("from after");
  expect(asked).toHaveLength(2);
  leave();
});

test("what did not change meanwhile, or is read anew for a change, is not read again", async () => {
  const { asked, show } = reads();
  const leave = show();
  asked[0]?.resolve("first");
  await settled();
  void queryClient.invalidateQueries({ queryKey });
  // Gives the second read up.
  void queryClient.invalidateQueries({ queryKey });
  asked[2]?.resolve("third");
  await settled();
  expect(shown()).toBe("third");
  expect(asked).toHaveLength(3);
  leave();
});

test("a change that meets the second try of a read that failed is not lost", async () => {
  const { asked, show } = reads();
  const leave = show();
  asked[0]?.reject(new Error("no answer"));
  await settled();
  void queryClient.refetchQueries({ queryKey });
  void queryClient.invalidateQueries({ queryKey });
  asked[1]?.resolve("from before");
  await expect.poll(() => asked.length).toBe(3);
  asked[2]?.resolve("from after");
  await settled();
  expect(shown()).toBe("from after");
  leave();
});

test("what changes while it is fetched ahead is read again by whoever shows it, not before", async () => {
  const { asked, queryFn, show } = reads();
  const ahead = queryClient.prefetchQuery({ queryKey, queryFn, staleTime: Infinity });
  void queryClient.invalidateQueries({ queryKey });
  asked[0]?.resolve("from before");
  await ahead;
  expect(asked).toHaveLength(1);
  const leave = show();
  expect(asked).toHaveLength(2);
  asked[1]?.resolve("from after");
  await settled();
  expect(shown()).toBe("from after");
  leave();
});

test("the answer to a change is not replaced by that of a read that began before it", async () => {
  const { asked, show } = reads();
  const leave = show();
  await setAnswer(queryKey, "changed");
  asked[0]?.resolve("from before");
  await settled();
  expect(shown()).toBe("changed");
  expect(asked).toHaveLength(1);
  leave();
});
