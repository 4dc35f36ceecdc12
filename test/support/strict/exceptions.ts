import type { StrictOptions } from "./options.ts";

/** A file of test/worker, or those of its tests whose name has `test`, that has the platform less strict, and why. */
type Exception = { file: string; test?: string; own: StrictOptions; reason: string };

export const EXCEPTIONS: Exception[] = [
  {
    file: "test/worker/idempotency.test.ts",
    own: { evict: 0 },
    reason: "It compares what two people have, whose chats it makes by calls without an id: one that was lost and sent again makes two.",
  },
  {
    file: "test/worker/storage.test.ts",
    test: "Storage counts each file once",
    own: { evict: 0 },
    reason: "Its night is delivered once: a step that lost an object comes again later than the test waits.",
  },
];
