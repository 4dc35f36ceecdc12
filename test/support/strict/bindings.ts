import { violation } from "./violations.ts";

/** Where a call leaves the Worker to. */
export type Destination = "d1" | "object" | "r2" | "queue" | "assets" | "email" | "fetch" | "cache";

/** One call that leaves the Worker: a subrequest of the invocation that makes it. */
export type Call = {
  to: Destination;
  /** What is asked, for whoever reads the trail of an invocation. */
  what: string;
  /** Statements, where it goes to D1. */
  queries: number;
  /** Whether it is one of the six connections that may wait for an answer at a time. */
  isConnection: boolean;
  /** The object that is called. */
  objectId?: string;
};

/** What is done around each call; `work` makes it. */
export type Around = <T>(call: Call, work: () => Promise<T>) => Promise<T>;

// Methods of any kind, found by their names.
// oxlint-disable-next-line typescript/no-explicit-any
type Method = (...args: any[]) => any;
/** What stands in for a binding's method: called with its arguments and the real one. */
type StandIns = Record<string, (args: unknown[], real: Method) => unknown>;

const OBJECTS = ["CHAT_ROOM", "USER_HUB", "RATE_LIMITER", "PASSAGES", "DRIVE_INDEX"];
const QUEUES = ["JOBS", "READS", "BULK"];

/** A queue's limits (developers.cloudflare.com/queues/platform/limits): bytes of a message and of a batch, messages of a batch, seconds of a delay. */
const QUEUE = { message: 128_000, batch: 256_000, messages: 100, delay: 43_200 };
/** What the platform adds to a message's own bytes. */
const MESSAGE_OVERHEAD = 100;

/** Calls a binding's method as one call. */
function calling(around: Around, call: Omit<Call, "what" | "queries"> & { label: string }, names: string[]): StandIns {
  const { label, ...rest } = call;
  return Object.fromEntries(
    names.map((name) => [name, (args, real) => around({ ...rest, what: `${label}.${name}`, queries: 0 }, () => real(...args))]),
  );
}

/** Stands for methods that ask nobody. */
function plain(...names: string[]): StandIns {
  return Object.fromEntries(names.map((name) => [name, (args, real) => real(...args)]));
}

/** A binding whose methods are those of `standIns`: another one that is called is a call that nobody counts. */
function overlay<T extends object>(label: string, target: T, standIns: StandIns): T {
  return new Proxy(target, {
    get(real, name) {
      const value: unknown = Reflect.get(real, name, real);
      if (typeof value !== "function" || typeof name === "symbol" || name === "constructor") return value;
      const method: Method = (...args) => Reflect.apply(value, real, args);
      const standIn = standIns[name];
      return (...args: unknown[]) => {
        if (!standIn) throw violation(`${label}.${name} is called and not counted: bindings.ts has to learn it`);
        return standIn(args, method);
      };
    },
  });
}

const realStatements = new WeakMap<object, object>();

function statementAround(real: object, sql: string, around: Around): object {
  const call = { to: "d1" as const, what: sql.replaceAll(/\s+/g, " ").trim().slice(0, 90), queries: 1, isConnection: false };
  const made = overlay("D1PreparedStatement", real, {
    bind: (args, method) => statementAround(method(...args), sql, around),
    ...Object.fromEntries(
      ["all", "first", "run", "raw"].map((name) => [name, (args: unknown[], method: Method) => around(call, () => method(...args))]),
    ),
  });
  realStatements.set(made, real);
  return made;
}

/** The database, and what a session of it is. */
function databaseAround<T extends object>(real: T, around: Around): T {
  return overlay("D1Database", real, {
    ...plain("getBookmark"),
    withSession: (args, method) => databaseAround(method(...args), around),
    prepare: (args, method) => statementAround(method(...args), String(args[0]), around),
    batch: ([statements], method) => {
      const list = Array.isArray(statements) ? statements : [];
      const call = { to: "d1" as const, what: `batch of ${list.length}`, queries: list.length, isConnection: false };
      return around(call, () => method(list.map((one: object) => realStatements.get(one) ?? one)));
    },
  });
}

function bucketAround(real: object, around: Around): object {
  const call = { to: "r2" as const, isConnection: true };
  const upload = (made: object) =>
    overlay("R2MultipartUpload", made, calling(around, { ...call, label: "upload" }, ["uploadPart", "abort", "complete"]));
  const own = calling(around, { ...call, label: "bucket" }, ["get", "put", "head", "list", "delete"]);
  return overlay("R2Bucket", real, {
    ...own,
    createMultipartUpload: async (args, method) => {
      const begun = { ...call, what: "bucket.createMultipartUpload", queries: 0 };
      return upload(await around(begun, async () => method(...args)));
    },
    resumeMultipartUpload: (args, method) => upload(method(...args)),
  });
}

function checkMessages(messages: { body: unknown; delaySeconds?: number }[], delaySeconds?: number): void {
  const sizes = messages.map(({ body }) => new TextEncoder().encode(JSON.stringify(body)).byteLength + MESSAGE_OVERHEAD);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const delays = [delaySeconds, ...messages.map((message) => message.delaySeconds)];
  if (sizes.length > QUEUE.messages) throw violation(`a queue takes no batch of ${sizes.length} messages`);
  if (Math.max(0, ...sizes) > QUEUE.message) throw violation(`a queue takes no message of ${Math.max(...sizes)} bytes`);
  if (messages.length > 1 && total > QUEUE.batch) throw violation(`a queue takes no batch of ${total} bytes`);
  if (delays.some((delay) => (delay ?? 0) > QUEUE.delay))
    throw violation(`a queue holds no message for longer than ${QUEUE.delay} seconds`);
}

function queueAround(name: string, real: object, around: Around): object {
  const ask = (what: string, check: () => void, work: () => Promise<unknown>) =>
    around({ to: "queue", what: `${name}.${what}`, queries: 0, isConnection: true }, async () => {
      check();
      return work();
    });
  return overlay("Queue", real, {
    send: (args, method) =>
      ask(
        "send",
        () => checkMessages([{ body: args[0], ...Object(args[1]) }]),
        () => method(...args),
      ),
    sendBatch: ([given, ...options], method) => {
      const messages = [...Object(given)];
      return ask(
        "sendBatch",
        () => checkMessages(messages, Object(options[0]).delaySeconds),
        () => method(messages, ...options),
      );
    },
  });
}

/** A stub: whatever is called of it is a method of the object. */
function stubAround(name: string, real: object, around: Around): object {
  return new Proxy(real, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function" || typeof key === "symbol" || key === "constructor" || key === "then") return value;
      const call = {
        to: "object" as const,
        what: `${name}.${key}`,
        queries: 0,
        isConnection: false,
        objectId: String(Reflect.get(target, "id", target)),
      };
      return (...args: unknown[]) => around(call, async () => Reflect.apply(value, target, args));
    },
  });
}

function namespaceAround(name: string, real: object, around: Around): object {
  return overlay("DurableObjectNamespace", real, {
    ...plain("idFromName", "idFromString", "newUniqueId"),
    get: (args, method) => stubAround(name, method(...args), around),
    getByName: (args, method) => stubAround(name, method(...args), around),
  });
}

function bindingAround(name: string, real: object, around: Around): object {
  if (OBJECTS.includes(name)) return namespaceAround(name, real, around);
  if (QUEUES.includes(name)) return queueAround(name, real, around);
  if (name === "DB") return databaseAround(real, around);
  if (name === "FILES") return bucketAround(real, around);
  if (name === "ASSETS") return overlay(name, real, calling(around, { to: "assets", label: "assets", isConnection: false }, ["fetch"]));
  if (name === "EMAIL") return overlay(name, real, calling(around, { to: "email", label: "email", isConnection: false }, ["send"]));
  throw violation(`the binding ${name} is not known: bindings.ts has to learn it`);
}

/** A variable of JSON is made of plain objects, a binding is not. */
function isBinding(value: unknown): value is object {
  if (typeof value === "function") return true;
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null;
}

/** What the tests' runtime adds of its own. */
const OF_THE_RUNTIME = /^__/;

/** The bindings of a deployment, each of whose calls goes through `around`. Throws for a binding that it does not know. */
export function bindingsAround<E extends object>(env: E, around: Around): E {
  const made = { ...env };
  for (const [name, value] of Object.entries(env)) {
    const isStandIn =
      typeof value === "object" && value !== null && [...OBJECTS, ...QUEUES, "DB", "FILES", "ASSETS", "EMAIL"].includes(name);
    if (OF_THE_RUNTIME.test(name) || !(isStandIn || isBinding(value))) continue;
    Reflect.set(made, name, bindingAround(name, value, around));
  }
  return made;
}

/** The edge's cache, and fetches by the global function, go through `around` too. */
export function globalsAround(around: Around): void {
  const realFetch = globalThis.fetch;
  const realCaches = caches;
  globalThis.fetch = async (input, init) => {
    const { pathname, host } = new URL(input instanceof Request ? input.url : String(input));
    const call = { to: "fetch" as const, what: `fetch ${host}${pathname}`.slice(0, 90), queries: 0, isConnection: true };
    return around(call, () => realFetch(input, init));
  };
  const cache = overlay(
    "Cache",
    realCaches.default,
    calling(around, { to: "cache", label: "cache", isConnection: true }, ["match", "put", "delete"]),
  );
  const made = new Proxy(realCaches, { get: (target, name) => (name === "default" ? cache : Reflect.get(target, name, target)) });
  Object.defineProperty(globalThis, "caches", { value: made, configurable: true });
}
