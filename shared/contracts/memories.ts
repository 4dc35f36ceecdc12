import * as z from "zod/mini";
import { Id } from "../entities/ids.ts";
import { Memory, MemoryImport, MemoryVersion } from "../entities/memory.ts";
import { MEMORY_IMPORT_ENTRIES, MEMORY_IMPORT_LENGTH, MEMORY_LENGTH } from "../limits.ts";
import { MEMORY_IMPORT_PROBLEMS, splitMemories } from "../memory-import.ts";
import { Ok } from "#shared/contracts/account/auth.ts";
import { someText } from "#shared/contracts/as-name.ts";
import { endpoint } from "./endpoint.ts";

const MemoryParams = z.object({ id: Id });

export const MemoryText = z
  .string()
  .check(z.trim(), someText("A fact cannot be empty."), z.maxLength(MEMORY_LENGTH, `A fact may have ${MEMORY_LENGTH} characters at most.`));

export const listMemories = endpoint("GET", "/api/memories", {
  summary:
    "The caller's memory in the order in which models get it, what of it goes along with a message, and the last import; with `ids` those facts alone, forgotten and replaced ones too",
  access: "account",
  query: z.object({ ids: z.optional(z.string().check(z.regex(/^[0-9a-f-]{36}(?:,[0-9a-f-]{36}){0,399}$/, "That is no list of ids."))) }),
  response: z.object({
    memories: z.array(Memory),
    /** About how many tokens go along with each message. */
    tokens: z.number(),
    last_import: z.nullable(MemoryImport),
    /** True where new facts are compared with these by their words alone, until there is credit for their meaning. */
    waits_for_credit: z.boolean(),
  }),
});

export const createMemory = endpoint("POST", "/api/memories", {
  summary: "Add a fact; one that is there already is answered as it is",
  access: "account",
  repeat: "id",
  body: z.object({ id: Id, text: MemoryText }),
  response: z.object({ memory: Memory, is_new: z.boolean() }),
  status: 201,
});

export const updateMemory = endpoint("PATCH", "/api/memories/:id", {
  summary: "Change a fact; what it said before stays in its history",
  access: "account",
  params: MemoryParams,
  body: z.object({ text: MemoryText }),
  response: z.object({ memory: Memory }),
});

export const forgetMemory = endpoint("DELETE", "/api/memories/:id", {
  summary: "Forget a fact: no model gets it from now on, and it is erased within a day",
  access: "account",
  params: MemoryParams,
  response: Ok,
});

export const restoreMemory = endpoint("POST", "/api/memories/:id/restore", {
  summary: "Keep a fact after all that was forgotten or replaced",
  access: "account",
  repeat: "same",
  params: MemoryParams,
  response: z.object({ memory: Memory }),
});

export const undoMemory = endpoint("POST", "/api/memories/:id/undo", {
  summary: "Take back that a fact was saved: it is forgotten, and what it replaced holds again",
  access: "account",
  repeat: "same",
  params: MemoryParams,
  response: Ok,
});

export const listMemoryHistory = endpoint("GET", "/api/memories/:id/history", {
  summary: "What a fact said before, and which others it took the place of, newest first",
  access: "account",
  params: MemoryParams,
  response: z.object({ versions: z.array(MemoryVersion) }),
});

export const forgetAllMemories = endpoint("DELETE", "/api/memories", {
  summary: "Erase the caller's whole memory with its history, at once",
  access: "account",
  response: Ok,
});

export const importMemories = endpoint("POST", "/api/memory/import", {
  summary: "Add a pasted list of facts, one a line, in the background; whose memory it is the session says",
  access: "account",
  repeat: "key",
  body: z.looseObject({
    text: z.string().check(
      z.maxLength(MEMORY_IMPORT_LENGTH, MEMORY_IMPORT_PROBLEMS.long),
      z.refine((text) => splitMemories(text).entries.length > 0, MEMORY_IMPORT_PROBLEMS.noEntries),
      z.refine((text) => splitMemories(text).entries.length <= MEMORY_IMPORT_ENTRIES, MEMORY_IMPORT_PROBLEMS.many),
    ),
  }),
  response: z.object({ id: Id, count: z.number() }),
  status: 202,
});
