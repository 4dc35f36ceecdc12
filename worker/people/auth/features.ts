import type { Features } from "#shared/entities/user.ts";
import { canSendMail } from "#worker/platform/clients/mailer.ts";
import { configOf, type Env } from "#worker/platform/env.ts";

/** What this deployment offers, from its bindings and variables. */
export function featuresOf(env: Env): Features {
  const { google, aggregator, mail, transcription, whatsapp, push, limits, hasShareLinks, hasArtifacts, teams, signUp, version } =
    configOf(env);
  return {
    google: google.client !== null,
    gmail: google.features.includes("gmail"),
    drive: google.features.includes("drive"),
    picker: google.features.includes("drive") && google.picker !== null,
    email: canSendMail(env),
    guests: limits.guestMessagesPerDay > 0,
    feedback: env.DB !== undefined,
    demo: aggregator.isSimulated,
    mailbox: mail.isSimulated,
    transcription: transcription !== null,
    whatsapp: whatsapp !== null,
    push: push !== null,
    shareLinks: hasShareLinks,
    artifacts: hasArtifacts,
    teamsForAll: teams.areForAll,
    signUpByInvite: signUp.isByInvitation,
    operatorEmail: mail.operator ?? null,
    guestMessagesPerDay: limits.guestMessagesPerDay,
    version,
  };
}
