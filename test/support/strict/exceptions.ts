import type { StrictOptions } from "./options.ts";

/** A file of test/worker, or those of its tests whose name has `test`, that has the platform less strict, and why. */
type Exception = { file: string; test?: string; own: StrictOptions; reason: string };

export const EXCEPTIONS: Exception[] = [
  {
    file: "test/worker/long-imports.test.ts",
    test: "waits while its isolate holds as much as it can",
    own: { evict: 0, d1Ms: 0, objectMs: 0, r2Ms: 0 },
    reason: "Its first body has to have its place before the second one comes: one whose session is read late has none yet.",
  },
  {
    file: "test/worker/share-links.test.ts",
    test: "a network that tries many tokens is stopped",
    own: { evict: 0 },
    reason: "It comes to the very last try: one that was counted, lost and made again counts twice.",
  },
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
  {
    file: "test/worker/invitations.test.ts",
    test: "gets at most five invitations a day",
    own: { evict: 0 },
    reason: "It comes to the very last invitation: one that was counted, lost and sent again counts twice.",
  },
  {
    file: "test/worker/stream-quota.test.ts",
    test: "closes the oldest sockets of tabs",
    own: { evict: 0, twice: 0, d1Ms: 0, objectMs: 0, r2Ms: 0 },
    reason:
      "It comes to the very last stream: one that was opened, lost and asked for again takes two places until the first is missed, and one that is given back late takes its place meanwhile.",
  },
  {
    file: "test/worker/knowledge-artifacts.test.ts",
    test: "whose job never came",
    own: { evict: 0, twice: 0, d1Ms: 0, objectMs: 0, r2Ms: 0 },
    reason: "It undoes by hand what a job did, as if that never came: one that comes late or again does it anew.",
  },
  {
    file: "test/worker/presence.test.ts",
    test: "ends with the right to read",
    own: { evict: 0 },
    reason:
      "Who is here is in the room's memory alone: one that ended learns it from the tabs' next word, which comes later than the test waits.",
  },
  {
    file: "test/worker/schedule-runs.test.ts",
    test: "is not kept waiting by slow pages",
    own: { evict: 0, twice: 0, d1Ms: 0, objectMs: 0, r2Ms: 0 },
    reason: "It counts looks by a clock that each look moves: those that its schedules begin with have to be over before.",
  },
  {
    file: "test/worker/schedules.test.ts",
    test: "runs one at a time",
    own: { twice: 0, d1Ms: 0, objectMs: 0, r2Ms: 0 },
    reason: "It sets the clock an hour on while an answer hangs, which is given up where it began before that.",
  },
  {
    file: "test/worker/knowledge-artifacts.test.ts",
    test: "are read by a job",
    own: { twice: 0 },
    reason: "It looks right behind a removal: a delivery that reads meanwhile puts the text into the index for a moment.",
  },
  {
    file: "test/worker/knowledge-artifacts.test.ts",
    test: "are kept up: a new text",
    own: { twice: 0 },
    reason: "It looks at what a job has still to do: a second delivery of the one before does it.",
  },
  {
    file: "test/worker/drive-index.test.ts",
    own: { evict: 0.004 },
    reason: "A file whose reading is cut short twice counts as one that cannot be read: of hundreds of calls fewer may be lost.",
  },
  {
    file: "test/worker/drive-index.test.ts",
    test: "reads 500 files",
    own: { evict: 0 },
    reason: "Of so many files one is cut short twice all the same.",
  },
  {
    file: "test/worker/drive-search.test.ts",
    own: { evict: 0.004 },
    reason: "As drive-index.test.ts, whose runs it begins with.",
  },
  {
    file: "test/worker/import.test.ts",
    test: "exported again is the same",
    own: { evict: 0 },
    reason:
      "It comes to the very last import of an hour: one that was counted, lost and sent again counts twice, and is then tried in ever smaller pieces.",
  },
  {
    file: "test/worker/attacks-limits.test.ts",
    test: "keeps the chat that one of them founds",
    own: { evict: 0 },
    reason: "It has one of two calls fail: a call that was lost is sent again by its browser, and succeeds.",
  },
  {
    file: "test/worker/messaging-setup.test.ts",
    test: "is sent three times an hour",
    own: { evict: 0 },
    reason: "It comes to the very last code: one that was counted, lost and asked for again counts twice.",
  },
  {
    file: "test/worker/push.test.ts",
    test: "gets no more than 20 tests an hour",
    own: { evict: 0 },
    reason: "It comes to the very last test: one that was counted, lost and asked for again counts twice.",
  },
  {
    file: "test/worker/failed-jobs.test.ts",
    own: { evict: 0, twice: 0 },
    reason: "It has jobs fail by its own hand, and counts how often: one that is delivered again or lost an object fails once more.",
  },
  {
    file: "test/worker/attachments.test.ts",
    test: "goes the next night",
    own: { evict: 0 },
    reason: "Its second night is delivered once: a step that lost an object comes again later than the test waits.",
  },
  {
    file: "test/worker/chat.test.ts",
    test: "comes back to no list by a report that is late",
    own: { evict: 0 },
    reason: "It calls the hub itself, as rooms do, which report again what was lost.",
  },
  {
    file: "test/worker/slow-bodies.test.ts",
    own: { evict: 0, d1Ms: 0, objectMs: 0, r2Ms: 0 },
    reason:
      "It fills an isolate's memory to the last place by hand: a body whose call is lost frees its own, and one whose session is read late has none yet.",
  },
  {
    file: "test/worker/imports-hostile.test.ts",
    test: "is unpacked once where it is not what it is called",
    own: { evict: 0, twice: 0 },
    reason: "It counts what one step reads: a step that comes again counts what is there already as such.",
  },
];
