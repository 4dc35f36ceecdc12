import * as z from "zod/mini";
import { Id, Timestamp } from "#shared/entities/ids.ts";
import { SharedKnowledge } from "#shared/entities/library/knowledge.ts";
import { SharedItem } from "#shared/entities/shared-item.ts";
import { Ok } from "#shared/contracts/account/auth.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";
import { FRESH_OWN_MIN } from "#shared/limits.ts";

const ItemParams = z.object({ id: Id });
/** Whatever stands there: what is no token is answered like one that opens nothing. */
const LinkParams = z.object({ token: z.string() });

const ShareUrl = z.object({ shareUrl: z.string() });
const LinkState = z.object({ createdAt: z.nullable(Timestamp) });
const Imported = z.object({ message: z.string() });

export const sharePersona = endpoint("POST", "/api/user-system-prompts/:id/share", {
  summary: "Make a link to a persona of one's own; it takes the place of the one before, which opens nothing from then on",
  access: "account",
  freshMinutes: FRESH_OWN_MIN,
  repeat: "same",
  params: ItemParams,
  response: ShareUrl,
});

export const getPersonaLink = endpoint("GET", "/api/user-system-prompts/:id/share", {
  summary: "Since when a persona of one's own is shared by link; null where it is not. The link itself is shown once",
  access: "account",
  params: ItemParams,
  response: LinkState,
});

export const removePersonaLink = endpoint("DELETE", "/api/user-system-prompts/:id/share", {
  summary: "Remove the link to a persona of one's own",
  access: "account",
  params: ItemParams,
  response: Ok,
});

export const getSharedPersona = endpoint("GET", "/api/shared/system-prompts/:token", {
  summary: "A persona that is shared by link",
  access: "anyone",
  params: LinkParams,
  response: z.object({ prompt: SharedItem }),
});

export const importSharedPersona = endpoint("POST", "/api/shared/system-prompts/:token", {
  summary: "Make a copy of a shared persona, which is the caller's own; the same text makes one copy, however often it is asked for",
  access: "account",
  repeat: "key",
  params: LinkParams,
  response: Imported,
});

export const sharePrompt = endpoint("POST", "/api/template-messages/:id/share", {
  summary: "Make a link to a prompt of one's own; it takes the place of the one before, which opens nothing from then on",
  access: "account",
  freshMinutes: FRESH_OWN_MIN,
  repeat: "same",
  params: ItemParams,
  response: ShareUrl,
});

export const getPromptLink = endpoint("GET", "/api/template-messages/:id/share", {
  summary: "Since when a prompt of one's own is shared by link; null where it is not. The link itself is shown once",
  access: "account",
  params: ItemParams,
  response: LinkState,
});

export const removePromptLink = endpoint("DELETE", "/api/template-messages/:id/share", {
  summary: "Remove the link to a prompt of one's own",
  access: "account",
  params: ItemParams,
  response: Ok,
});

export const getSharedPrompt = endpoint("GET", "/api/shared/template-messages/:token", {
  summary: "A prompt that is shared by link",
  access: "anyone",
  params: LinkParams,
  response: z.object({ template: SharedItem }),
});

export const importSharedPrompt = endpoint("POST", "/api/shared/template-messages/:token", {
  summary: "Make a copy of a shared prompt, which is the caller's own; the same text makes one copy, however often it is asked for",
  access: "account",
  repeat: "key",
  params: LinkParams,
  response: Imported,
});

export const shareKnowledge = endpoint("POST", "/api/user-contexts/:id/share", {
  summary: "Make a link to a knowledge entry of one's own; it takes the place of the one before, which opens nothing from then on",
  access: "account",
  freshMinutes: FRESH_OWN_MIN,
  repeat: "same",
  params: ItemParams,
  response: ShareUrl,
});

export const getKnowledgeLink = endpoint("GET", "/api/user-contexts/:id/share", {
  summary: "Since when a knowledge entry of one's own is shared by link; null where it is not. The link itself is shown once",
  access: "account",
  params: ItemParams,
  response: LinkState,
});

export const removeKnowledgeLink = endpoint("DELETE", "/api/user-contexts/:id/share", {
  summary: "Remove the link to a knowledge entry of one's own",
  access: "account",
  params: ItemParams,
  response: Ok,
});

export const getSharedKnowledge = endpoint("GET", "/api/shared/contexts/:token", {
  summary: "A knowledge entry that is shared by link: its text, and of its files the names, types and sizes",
  access: "anyone",
  params: LinkParams,
  response: z.object({ context: SharedKnowledge }),
});

export const importSharedKnowledge = endpoint("POST", "/api/shared/contexts/:token", {
  summary:
    "Make a copy of a shared knowledge entry, which is the caller's own; its files are copied in the background. The same entry makes one copy, however often it is asked for",
  access: "account",
  repeat: "key",
  params: LinkParams,
  response: z.extend(Imported, {
    /** The copy. */
    id: Id,
  }),
});
