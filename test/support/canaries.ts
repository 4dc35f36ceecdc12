/** Secrets of the tests' deployment that must turn up nowhere: in no answer, no log, no mail. */
export const CANARIES = {
  SESSION_SECRET: "canary-session-secret-of-more-than-32-characters",
  OPENROUTER_API_KEY: "canary-openrouter-key",
  RESEND_API_KEY: "canary-resend-key",
  PARALLEL_API_KEY: "canary-parallel-key",
  EXA_API_KEY: "canary-exa-key",
};
