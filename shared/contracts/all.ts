import * as accountExport from "#shared/contracts/account/account-export.ts";
import * as admin from "#shared/contracts/account/admin.ts";
import * as additionalEmails from "#shared/contracts/account/additional-emails.ts";
import * as apiKeys from "#shared/contracts/account/api-keys.ts";
import * as approvals from "#shared/contracts/chat/approvals.ts";
import * as artifacts from "./artifacts.ts";
import * as attachments from "#shared/contracts/chat/attachments.ts";
import * as auth from "#shared/contracts/account/auth.ts";
import * as chats from "#shared/contracts/chat/chats.ts";
import * as codegen from "#shared/contracts/outbound/codegen.ts";
import * as copies from "#shared/contracts/chat/copies.ts";
import type { Endpoint } from "./endpoint.ts";
import * as deletion from "#shared/contracts/account/deletion.ts";
import * as drive from "#shared/contracts/outbound/drive.ts";
import * as feedback from "#shared/contracts/account/feedback.ts";
import * as folders from "./folders.ts";
import * as google from "#shared/contracts/outbound/google.ts";
import * as imports from "#shared/contracts/account/imports.ts";
import * as inbox from "#shared/contracts/chat/inbox.ts";
import * as invites from "#shared/contracts/account/invites.ts";
import * as knowledge from "#shared/contracts/library/knowledge.ts";
import * as linkedSignIns from "#shared/contracts/account/linked-sign-ins.ts";
import * as library from "#shared/contracts/library/library.ts";
import * as live from "./live.ts";
import * as mails from "#shared/contracts/chat/mails.ts";
import * as mcpConnections from "#shared/contracts/library/mcp-connections.ts";
import * as media from "#shared/contracts/chat/media.ts";
import * as messages from "#shared/contracts/chat/messages.ts";
import * as memories from "./memories.ts";
import * as models from "./models.ts";
import * as operation from "#shared/contracts/account/operation.ts";
import * as passages from "#shared/contracts/library/passages.ts";
import * as personas from "#shared/contracts/library/personas.ts";
import * as phone from "#shared/contracts/outbound/phone.ts";
import * as sessions from "#shared/contracts/account/sessions.ts";
import * as preferences from "#shared/contracts/account/preferences.ts";
import * as prompts from "#shared/contracts/library/prompts.ts";
import * as quotas from "#shared/contracts/account/quotas.ts";
import * as push from "#shared/contracts/account/push.ts";
import * as queue from "#shared/contracts/chat/queue.ts";
import * as runs from "#shared/contracts/chat/runs.ts";
import * as schedules from "./schedules.ts";
import * as shareLinks from "#shared/contracts/library/share-links.ts";
import * as sharing from "#shared/contracts/chat/sharing.ts";
import * as search from "./search.ts";
import * as summaries from "#shared/contracts/chat/summaries.ts";
import * as todos from "#shared/contracts/chat/todos.ts";
import * as toolCalls from "#shared/contracts/chat/tool-calls.ts";
import * as teamUsage from "#shared/contracts/account/team-usage.ts";
import * as teams from "#shared/contracts/account/teams.ts";
import * as tools from "./tools.ts";
import * as transcriptions from "#shared/contracts/chat/transcriptions.ts";
import * as usage from "#shared/contracts/account/usage.ts";
import * as users from "#shared/contracts/account/users.ts";
import * as whatsapp from "#shared/contracts/account/whatsapp.ts";

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === "object" && value !== null && "method" in value && "path" in value && "access" in value;
}

const exported: Record<string, unknown> = {
  ...accountExport,
  ...admin,
  ...operation,
  ...auth,
  ...sessions,
  ...additionalEmails,
  ...apiKeys,
  ...users,
  ...deletion,
  ...preferences,
  ...passages,
  ...personas,
  ...prompts,
  ...knowledge,
  ...library,
  ...linkedSignIns,
  ...models,
  ...chats,
  ...copies,
  ...imports,
  ...inbox,
  ...summaries,
  ...messages,
  ...memories,
  ...mcpConnections,
  ...drive,
  ...folders,
  ...google,
  ...push,
  ...queue,
  ...artifacts,
  ...attachments,
  ...mails,
  ...media,
  ...sharing,
  ...shareLinks,
  ...teams,
  ...teamUsage,
  ...invites,
  ...search,
  ...todos,
  ...tools,
  ...toolCalls,
  ...codegen,
  ...phone,
  ...runs,
  ...schedules,
  ...approvals,
  ...transcriptions,
  ...live,
  ...feedback,
  ...usage,
  ...quotas,
  ...whatsapp,
};

/** Every endpoint by its export's name: what the OpenAPI document and the generated role tests walk. The web does not load it. */
export const ENDPOINTS: Record<string, Endpoint> = Object.fromEntries(
  Object.entries(exported).filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1])),
);
