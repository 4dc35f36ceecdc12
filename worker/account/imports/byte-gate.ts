/** Does something that holds so many bytes in memory once there is room for them. */
export type ByteGate = <T>(bytes: number, act: () => Promise<T>) => Promise<T>;

/** Lets in what has room within `capacity` bytes, in the order in which it came; what is larger goes alone. */
export function createByteGate(capacity: number): ByteGate {
  let used = 0;
  const waiting: { bytes: number; enter: () => void }[] = [];

  function letIn(): void {
    for (let next = waiting[0]; next && (used === 0 || used + next.bytes <= capacity); next = waiting[0]) {
      waiting.shift();
      used += next.bytes;
      next.enter();
    }
  }

  return async (bytes, act) => {
    const entered = Promise.withResolvers<void>();
    waiting.push({ bytes, enter: entered.resolve });
    letIn();
    await entered.promise;
    try {
      return await act();
    } finally {
      used -= bytes;
      letIn();
    }
  };
}
