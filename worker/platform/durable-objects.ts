/** An object by its name; `hint` says where it is best made. `T` is what its class can be asked, which the compiler takes on trust here: the class implements it. */
export function stubOf<T extends Rpc.DurableObjectBranded>(
  namespace: DurableObjectNamespace,
  name: string,
  hint?: DurableObjectNamespaceGetDurableObjectOptions,
): DurableObjectStub<T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return namespace.getByName(name, hint) as DurableObjectStub<T>;
}

/** Asks an object for what may be asked twice: one that ended meanwhile, as for a new version of the code, is there again at once. `ask` takes a stub of its own each time. */
export async function askWithRetry<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch {
    return ask();
  }
}
