const tails = new Map<string, Promise<unknown>>();

/** Does one thing after another to a chat's messages, in this page and, where the browser has locks, in all of its tabs. */
export function runExclusively<T>(chatId: string, work: () => Promise<T>): Promise<T> {
  const before = tails.get(chatId) ?? Promise.resolve();
  const run = before.then(() => underLock(chatId, work));
  const tail = run.catch(() => undefined);
  tails.set(chatId, tail);
  void tail.then(() => tails.get(chatId) === tail && tails.delete(chatId));
  return run;
}

async function underLock<T>(chatId: string, work: () => Promise<T>): Promise<T> {
  let hasBegun = false;
  const begin = () => {
    hasBegun = true;
    return work();
  };
  try {
    return await navigator.locks.request(`outbox:${chatId}`, begin);
  } catch (error) {
    if (hasBegun) throw error;
    // A browser without locks, or which refuses them along with its storage.
    return work();
  }
}
