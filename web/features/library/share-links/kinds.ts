import { BookOpen, Drama, type LucideIcon, TextQuote } from "lucide-react";
import {
  getKnowledgeLink,
  getPersonaLink,
  getPromptLink,
  getSharedKnowledge,
  getSharedPersona,
  getSharedPrompt,
  importSharedKnowledge,
  importSharedPersona,
  importSharedPrompt,
  removeKnowledgeLink,
  removePersonaLink,
  removePromptLink,
  shareKnowledge,
  sharePersona,
  sharePrompt,
} from "#shared/contracts/library/share-links.ts";
import type { SharedKnowledge } from "#shared/entities/library/knowledge.ts";
import type { SharedItem } from "#shared/entities/shared-item.ts";
import type { SharedKind } from "#shared/sharing/share-links.ts";
import { call } from "#web/lib/api.ts";
import { keys } from "#web/lib/query.ts";

/** Something shared as its import dialog shows it. */
export type Seen = SharedItem & { files?: SharedKnowledge["files"] };

type Kind = {
  icon: LucideIcon;
  /** With its article, at the start of a sentence. */
  what: string;
  /** The list that an import changes. */
  list: readonly string[];
  share: (id: string) => Promise<{ shareUrl: string }>;
  describe: (id: string, signal: AbortSignal) => Promise<{ createdAt: string | null }>;
  remove: (id: string) => Promise<unknown>;
  open: (token: string, signal: AbortSignal) => Promise<Seen | null>;
  /** The copy's id where it goes on to arrive in the background. */
  copy: (token: string) => Promise<{ message: string; id?: string }>;
};

/** How each kind of what can be shared by link is called and asked for. */
export const KINDS: Record<SharedKind, Kind> = {
  persona: {
    icon: Drama,
    what: "A persona",
    list: keys.personas,
    share: (id) => call(sharePersona, { params: { id } }),
    describe: (id, signal) => call(getPersonaLink, { params: { id } }, { signal }),
    remove: (id) => call(removePersonaLink, { params: { id } }),
    open: async (token, signal) => (await call(getSharedPersona, { params: { token } }, { signal })).prompt ?? null,
    copy: (token) => call(importSharedPersona, { params: { token } }),
  },
  prompt: {
    icon: TextQuote,
    what: "A prompt",
    list: keys.prompts,
    share: (id) => call(sharePrompt, { params: { id } }),
    describe: (id, signal) => call(getPromptLink, { params: { id } }, { signal }),
    remove: (id) => call(removePromptLink, { params: { id } }),
    open: async (token, signal) => (await call(getSharedPrompt, { params: { token } }, { signal })).template ?? null,
    copy: (token) => call(importSharedPrompt, { params: { token } }),
  },
  knowledge: {
    icon: BookOpen,
    what: "Knowledge",
    list: keys.knowledge,
    share: (id) => call(shareKnowledge, { params: { id } }),
    describe: (id, signal) => call(getKnowledgeLink, { params: { id } }, { signal }),
    remove: (id) => call(removeKnowledgeLink, { params: { id } }),
    open: async (token, signal) => {
      const { context } = await call(getSharedKnowledge, { params: { token } }, { signal });
      const { name, textContent: content, createdAt, files } = context;
      return { name, content, createdAt, files };
    },
    copy: (token) => call(importSharedKnowledge, { params: { token } }),
  },
};
