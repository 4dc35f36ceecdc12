import * as admin from "./admin.ts";
import * as additionalEmails from "./additional-emails.ts";
import * as approvals from "./approvals.ts";
import * as artifacts from "./artifacts.ts";
import * as attachments from "./attachments.ts";
import * as auth from "./auth.ts";
import * as chats from "./chats.ts";
import * as copies from "./copies.ts";
import type { Endpoint } from "./endpoint.ts";
import * as feedback from "./feedback.ts";
import * as inbox from "./inbox.ts";
import * as invites from "./invites.ts";
import * as library from "./library.ts";
import * as live from "./live.ts";
import * as mails from "./mails.ts";
import * as media from "./media.ts";
import * as messages from "./messages.ts";
import * as models from "./models.ts";
import * as operation from "./operation.ts";
import * as personas from "./personas.ts";
import * as preferences from "./preferences.ts";
import * as prompts from "./prompts.ts";
import * as quotas from "./quotas.ts";
import * as queue from "./queue.ts";
import * as shareLinks from "./share-links.ts";
import * as sharing from "./sharing.ts";
import * as search from "./search.ts";
import * as summaries from "./summaries.ts";
import * as todos from "./todos.ts";
import * as toolCalls from "./tool-calls.ts";
import * as teamUsage from "./team-usage.ts";
import * as teams from "./teams.ts";
import * as tools from "./tools.ts";
import * as transcriptions from "./transcriptions.ts";
import * as usage from "./usage.ts";
import * as users from "./users.ts";

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === "object" && value !== null && "method" in value && "path" in value && "access" in value;
}

const exported: Record<string, unknown> = {
  ...admin,
  ...operation,
  ...auth,
  ...additionalEmails,
  ...users,
  ...preferences,
  ...personas,
  ...prompts,
  ...library,
  ...models,
  ...chats,
  ...copies,
  ...inbox,
  ...summaries,
  ...messages,
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
  ...approvals,
  ...transcriptions,
  ...live,
  ...feedback,
  ...usage,
  ...quotas,
};

/** Every endpoint by its export's name: what the OpenAPI document and the generated role tests walk. The web does not load it. */
export const ENDPOINTS: Record<string, Endpoint> = Object.fromEntries(
  Object.entries(exported).filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1])),
);
