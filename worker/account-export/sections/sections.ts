import type { Section } from "../section.ts";
import { accountSection } from "./account.ts";
import { chatsSection, sharedChatsSection } from "./chats.ts";
import { librarySection } from "./library.ts";

/** What an export holds, in this order; an export under way knows how far it is by the places here. */
export const SECTIONS: readonly Section[] = [accountSection, librarySection, chatsSection, sharedChatsSection];
