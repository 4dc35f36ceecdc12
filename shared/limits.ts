/** Every number of the specification (its point 9) and of the decisions, named. */

/** Widths at or below this many pixels get drawers instead of dropdowns. */
export const MOBILE_BREAKPOINT_PX = 768;

export const MODEL_NAME_LENGTH = 18;
export const MODEL_DESCRIPTION_LENGTH = 200;
/** Input plus output price in US dollars per 1M tokens above which a model is called costly. */
export const HIGH_COST_PER_MILLION = 20;
/** The same sum up to which 'Auto' chooses by itself. */
export const AUTO_COST_PER_MILLION = 50;
/** The same sum up to which a guest may use a model (decisions, Guests). */
export const GUEST_COST_PER_MILLION = 2;

export const MODEL_LIST_CACHE_MS = 5 * 60_000;
export const MODEL_INSTANCE_CACHE_MS = 10 * 60_000;

export const COPY_CONFIRMATION_MS = 2_000;
export const HOVER_PREFETCH_MS = 150;
export const UNREAD_BADGE_EXPANDED = 99;
export const UNREAD_BADGE_COLLAPSED = 9;
export const CHAT_SKELETON_ROWS = 8;
export const ARTIFACT_SKELETON_ROWS = 5;
export const RECENT_WINDOW_MS = 24 * 60 * 60_000;
export const FEEDBACK_SUCCESS_DELAY_MS = 1_200;
export const FEEDBACK_CLOSE_DELAY_MS = 2_500;

/** A sign-in code: digits, life in milliseconds, tries. */
export const CODE_LENGTH = 6;
export const CODE_MIN_LENGTH = 4;
export const CODE_LIFETIME_MS = 10 * 60_000;
export const CODE_TRIES = 5;

/** Of setting a number of WhatsApp up: seconds until another code may be asked for, codes an hour for a number and a person, and how long the end is shown. */
export const WHATSAPP_RESEND_S = 60;
export const WHATSAPP_CODES_PER_HOUR = 3;
export const WHATSAPP_CLOSE_MS = 900;

/** Minutes within which a sign-in must have been proved: for what is one's own, and for administration and deleting the account. */
export const FRESH_OWN_MIN = 60;
export const FRESH_CRITICAL_MIN = 10;
/** Sessions slide by 30 days and end after 90; the signed part of the cookie is renewed every 5 minutes. */
export const SESSION_IDLE_MS = 30 * 24 * 60 * 60_000;
export const SESSION_MAX_MS = 90 * 24 * 60 * 60_000;
/** The same of a browser that keeps nothing, which forgets it when it is closed. */
export const SESSION_KEEPS_NOTHING_IDLE_MS = 12 * 60 * 60_000;
export const SESSION_TOKEN_MS = 5 * 60_000;
export const GUEST_UNUSED_MS = 30 * 24 * 60 * 60_000;

/** One message's text in characters; in UTF-8 it stays below the 2 MB that a row holds. */
export const MESSAGE_LENGTH = 200_000;
export const CHAT_TITLE_LENGTH = 200;
export const CHAT_PREVIEW_LENGTH = 140;
export const DISPLAY_NAME_LENGTH = 100;
/** How often one person's name may change in an hour. */
export const NAME_CHANGES_PER_HOUR = 30;
/** A profile picture after it was cropped: bytes, pixels a side, and how often one may be replaced in an hour. */
export const PROFILE_PICTURE_BYTES = 1_000_000;
export const PROFILE_PICTURE_PX = 2_048;
export const PROFILE_PICTURES_PER_HOUR = 30;
/** US dollars. */
export const DAILY_BUDGET_MAX = 1_000;
export const TIME_ZONE_LENGTH = 64;
export const EMAIL_LENGTH = 254;
/** A secret of 256 bits, a dot and the address. */
export const LINK_TOKEN_LENGTH = 44 + EMAIL_LENGTH;
/** Proven addresses besides an account's own. */
export const ADDITIONAL_EMAILS_MAX = 5;
/** How long a new one is confirmed before the form is empty again, in milliseconds. */
export const ADDITIONAL_EMAIL_RESET_MS = 1_500;
export const FEEDBACK_LENGTH = 5_000;
export const MODEL_ID_LENGTH = 200;
export const ALLOWLIST_LENGTH = 1_000;
/** Any JSON body, in bytes, unless its endpoint says otherwise. */
export const BODY_BYTES = 2_000_000;
/** No character of a JavaScript string takes more bytes in UTF-8. */
export const BYTES_PER_CHARACTER = 3;
/** An exported chat in characters of its JSON: no export is longer, so each can be imported; the same in bytes at most. */
export const EXPORT_LENGTH = 12_000_000;
export const IMPORT_BYTES = BYTES_PER_CHARACTER * EXPORT_LENGTH;
/** Exported chats that one person may import in an hour. */
export const IMPORTS_PER_HOUR = 20;
/** An export file that people bring from elsewhere, in bytes, beyond which a ZIP needs numbers of 64 bits; and each part of its upload but the last. */
export const IMPORT_FILE_BYTES = 4 * 1024 ** 3 - 1;
export const IMPORT_PART_BYTES = 8 * 1024 ** 2;
/** Such files that one person may begin to upload in an hour. */
export const IMPORT_FILES_PER_HOUR = 20;
/** Notes of a report that go along with an import; the file of the report has all. */
export const IMPORT_NOTES_SHOWN = 100;
/** Forks of one person in an hour: each copies the files of its path. */
export const FORKS_PER_HOUR = 60;
/** In an hour one person may begin so many chats, forks and imports aside, search so often, make so many artifacts and export so many chats; a guest a tenth. */
export const CHATS_PER_HOUR = 120;
export const SEARCHES_PER_HOUR = 600;
export const ARTIFACTS_PER_HOUR = 120;
export const CHAT_EXPORTS_PER_HOUR = 60;
export const GUEST_SHARE_OF_LIMITS = 0.1;
/** How deeply a JSON body's arrays and objects may be nested. */
export const BODY_DEPTH = 50;

/** One uploaded file in bytes: 50 MB. */
export const ATTACHMENT_BYTES = 50 * 1024 * 1024;
/** All files in one person's chats, copies made by forks counted: 5 GB. */
export const STORAGE_BYTES = 5 * 1024 ** 3;
export const ATTACHMENTS_PER_MESSAGE = 10;
/** Messages that may wait their turn in one chat; so many steps at most has a chain. */
export const QUEUE_LENGTH = 50;
export const ATTACHMENT_NAME_LENGTH = 255;
/** Pixels of a picture: a small file may unfold to more than browsers can hold. */
export const PICTURE_PIXELS = 50_000_000;
/** A picture that models take, in bytes: the least of what their makers allow. */
export const IMAGE_BYTES = 5 * 1024 * 1024;
/** Pictures and PDFs of one prompt that go as they are, in bytes together. */
export const PROMPT_FILES_BYTES = 10 * 1024 * 1024;
/** Pictures of tools' answers that go along with one request to a model, and their bytes: of the earlier answers together, and of the one that is written. */
export const TOOL_PICTURES = 16;
export const TOOL_PICTURES_BYTES = 4 * 1024 * 1024;
/** A longer pasted text in characters is offered as a file. */
export const LONG_PASTE_LENGTH = 4_000;

/** A recording that is transcribed: bytes (what transcription services take), and the longest that the composer records, in milliseconds. */
export const RECORDING_BYTES = 25 * 1024 * 1024;
export const RECORDING_MS = 20 * 60_000;

export const CHATS_PAGE = 50;
export const CHATS_PAGE_MAX = 100;
/** Chats named in one bulk request. */
export const BULK_CHATS = 100;
/** Unread chats are counted up to here; badges stop far below. */
export const UNREAD_COUNT_MAX = 200;
/** Folders of one person, how deep they nest, and characters of a name. */
export const FOLDERS_MAX = 500;
export const FOLDER_DEPTH = 5;
export const FOLDER_NAME_LENGTH = 80;
/** Tags of one person, of one chat, and characters of a name. */
export const TAGS_MAX = 200;
export const TAGS_A_CHAT = 20;
export const TAG_NAME_LENGTH = 40;
/** Chats that are filed or tagged in one request. */
export const FILED_CHATS = 200;
/** How long marks set in bulk, and the deletion of a folder, can be taken back, in milliseconds. */
export const UNDO_MS = 10 * 60_000;
/** Messages in one page; also the window a chat opens with. */
export const MESSAGES_PAGE = 30;
export const MESSAGES_PAGE_MAX = 100;

/** Mails of a chat that are counted at most. */
export const MAILS_COUNTED = 100;
/** Mails of a chat in one page, and characters of a mail's text that a list shows. */
export const MAILS_PAGE = 50;
export const MAILS_PAGE_MAX = 100;
export const MAIL_PREVIEW_LENGTH = 1_000;

/** Mails that a chat sends in any 60 minutes. */
export const MAILS_OUT_PER_HOUR = 20;
/** Characters of what a reminder's follow-up should say. */
export const REMINDER_NOTE_LENGTH = 1_000;
/** Bytes of the files that a mail carries. */
export const MAIL_FILES_BYTES = 5 * 1024 * 1024;
/** The same by the platform's own service: with their encoding they stay within the 5 MiB that a whole mail may have there. */
export const MAIL_FILES_BYTES_BY_PLATFORM = 3 * 1024 * 1024;

/** The share of a model's context that a prompt may fill before its oldest messages are summarised. */
export const CONTEXT_SHARE = 0.8;

/** Messages in one request for a summary, and their characters that a model is given. */
export const SUMMARY_MESSAGES = 2_000;
export const SUMMARY_CHARACTERS = 200_000;

/** Tools of one turn: rounds in which a model may call some, calls in one round, characters of one call's output. */
export const TOOL_ROUNDS = 12;
export const TOOL_CALLS_PER_ROUND = 64;
export const TOOL_OUTPUT_LENGTH = 100_000;
/** The longest id of a tool or category (the aggregator's rule for tools). */
export const TOOL_ID_LENGTH = 64;
/** Categories or settings in one request. */
export const TOOL_LIST_LENGTH = 200;
/** Connections to MCP servers that one person may have. */
export const MCP_CONNECTIONS_MAX = 20;
/** Days that a mail of an unknown sender waits before it is deleted. */
export const QUARANTINE_DAYS = 30;
/** Calls that wait for a person's word in one page, and how many days one waits unless the deployment says otherwise. */
export const APPROVALS_PAGE = 30;
export const APPROVALS_PAGE_MAX = 100;
export const APPROVAL_DAYS = 7;
/** What a person may set it to. */
export const APPROVAL_DAYS_MAX = 90;
/** Models that the tools of one answer ask, a research aside. */
export const TOOL_MODEL_CALLS_PER_TURN = 8;
/** Names of personas, prompts and knowledge entries. */
export const CONTENT_NAME_LENGTH = 100;
/** Characters of a persona's or a prompt's content that lists show. */
export const CONTENT_PREVIEW_LENGTH = 100;
/** A prompt's text in characters: one message's. */
export const PROMPT_LENGTH = MESSAGE_LENGTH;
export const PROMPTS_MAX = 2_000;
/** All prompts of one person, in bytes. */
export const PROMPTS_BYTES = 20_000_000;
/** Prompts and personas that are shared with one team: each of its people reads them all. */
export const TEAM_PROMPTS_MAX = 500;
export const TEAM_PERSONAS_MAX = 200;
/** A file of prompts and personas that is imported, in characters of its JSON, and those of texts that one exported file begins no other beyond. */
export const LIBRARY_LENGTH = 12_000_000;
export const LIBRARY_FILE_LENGTH = 2_000_000;
/** Such files that one person may import in an hour. */
export const LIBRARY_IMPORTS_PER_HOUR = 20;
export const PERSONA_LENGTH = 20_000;
export const PERSONAS_MAX = 500;
/** What a persona said before so many changes is kept. */
export const PERSONA_VERSIONS = 20;
/** Characters of a persona's name on its button. */
export const PERSONA_NAME_SHOWN = 16;
/** Teams: characters of a name and a description, teams that one person may have made, and open invitations of one team. */
/** US dollars. */
export const TEAM_BUDGET_MAX = 100_000;
export const TEAM_NAME_LENGTH = 100;
export const TEAM_DESCRIPTION_LENGTH = 500;
export const TEAMS_MADE_MAX = 50;
export const TEAM_INVITATIONS_MAX = 200;
/** How long an invitation to a team can be accepted, in milliseconds. */
export const TEAM_INVITATION_MS = 7 * 24 * 60 * 60_000;
/** How long a new member is welcomed before the dialog closes, in milliseconds. */
export const TEAM_WELCOME_MS = 2_000;
/** Characters of a persona's text in the picker and in the manager's list. */
export const PERSONA_PREVIEW_LENGTH = 200;
export const PERSONA_LIST_PREVIEW_LENGTH = 100;
/** Invites: US dollars that one can give, and characters of its label. */
export const INVITE_CREDITS_MAX = 1_000;
export const INVITE_LABEL_LENGTH = 100;
/** Memory: facts that one person may have, characters of one, and tokens of what goes along with a message. */
export const MEMORIES_MAX = 1_000;
export const MEMORY_LENGTH = 500;
export const MEMORY_TOKENS = 1_500;
/** A pasted list of facts in characters, and lists that one person may import in an hour. */
export const MEMORY_IMPORT_LENGTH = 500_000;
/** Facts in one list. */
export const MEMORY_IMPORT_ENTRIES = 2_000;
export const MEMORY_IMPORTS_PER_HOUR = 20;
/** Knowledge: an entry's text in characters, entries of one person and of one team, and files and artifacts of one entry. */
export const KNOWLEDGE_LENGTH = 200_000;
export const KNOWLEDGE_MAX = 500;
export const TEAM_KNOWLEDGE_MAX = 200;
export const KNOWLEDGE_FILES = 50;
export const KNOWLEDGE_ARTIFACTS = 50;
/** Folders of Drive that an entry follows. */
export const KNOWLEDGE_FOLDERS = 20;
/** Files and artifacts of an entry that lists show before '+N more'. */
export const KNOWLEDGE_FILES_SHOWN = 3;
export const KNOWLEDGE_ARTIFACTS_SHOWN = 2;
/** Artifacts that are offered to an entry, and the characters of what each says. */
export const PICKED_ARTIFACTS = 5;
export const PICKED_ARTIFACT_PREVIEW_LENGTH = 80;
/** Knowledge entries of one chat. */
export const CONTEXTS_PER_CHAT = 50;

/** A search's text in characters, and hits in one page. */
export const SEARCH_QUERY_LENGTH = 300;
export const SEARCH_PAGE = 20;
export const SEARCH_PAGE_MAX = 50;
/** Calls of tools that cost something, for one answer to a guest. */
export const GUEST_PAID_CALLS = 3;
/** Requests of one key to `/v1` in an hour. */
export const COMPLETIONS_PER_HOUR = 5_000;

/** Administration: rows of a page, characters of a search and of an act's reason, US dollars given at a time, and acts of one administrator in an hour. */
export const ADMIN_PAGE = 25;
export const ADMIN_PAGE_MAX = 50;
export const ADMIN_QUERY_LENGTH = 254;
export const ADMIN_REASON_LENGTH = 500;
export const ADMIN_CREDITS_MAX = 1_000;
export const ADMIN_ACTIONS_PER_HOUR = 600;
/** Artifacts: one version's text in bytes, the JSON that carries it in characters, a title, and what lists show of a text. */
export const ARTIFACT_BYTES = 1024 * 1024;
export const ARTIFACT_BODY_LENGTH = 2_400_000;
export const ARTIFACT_TITLE_LENGTH = 200;
export const ARTIFACT_PREVIEW_LENGTH = 140;
export const ARTIFACTS_PAGE = 50;
export const ARTIFACTS_PAGE_MAX = 100;
/** Artifacts of one person, versions kept whole, pictures of one artifact, and bytes of each. */
export const ARTIFACTS_MAX = 10_000;
export const ARTIFACT_VERSIONS = 100;
export const ARTIFACT_FILES_MAX = 100;
export const ARTIFACT_FILE_BYTES = 5 * 1024 * 1024;
/** Saves of one author within this many milliseconds are one version. */
export const ARTIFACT_SESSION_MS = 10 * 60_000;
/** Keys of one account for other programs, a key's name, and the most of a key's monthly budget in dollars. */
export const API_KEYS_MAX = 20;
export const API_KEY_NAME_LENGTH = 60;
export const API_KEY_BUDGET_MAX = 10_000;
/** Schedules of one person, the latest runs of each that are kept, and characters of a title and of what is sent. */
export const SCHEDULES_MAX = 100;
export const SCHEDULE_RUNS_MAX = 100;
export const SCHEDULE_TITLE_LENGTH = 100;
export const SCHEDULE_TEXT_LENGTH = 20_000;
/** US dollars that one run may cost. */
export const SCHEDULE_BUDGET_MAX = 100;
/** Failures in a row after which a schedule is paused. */
export const SCHEDULE_FAILURES = 3;
export const PAGE_URL_LENGTH = 2_000;
/** Devices of a person that are notified by web push. */
export const PUSH_DEVICES_MAX = 20;
/** Characters of the address that a push service gives a browser. */
export const PUSH_ENDPOINT_LENGTH = 1_000;
