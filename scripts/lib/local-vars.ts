import type { Vars } from "./dev-vars.ts";

/** What local mode sets whatever the outside services are; what is given overrides each. */
export const LOCAL_VARS: Vars = {
  ENVIRONMENT: "local",
  SIGNUP: "open",
  ADMIN_EMAILS: "admin@example.com",
  ALLOW_NON_TEAM_PLAN_INVITES: "true",
  MAIL_DOMAIN: "chats.localhost",
  LOG_SAMPLE: "1",
};
