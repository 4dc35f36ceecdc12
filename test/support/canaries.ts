/** Secrets of the tests' deployment that must turn up nowhere: in no answer, no log, no mail. */
export const CANARIES = {
  SESSION_SECRET: "canary-session-secret-of-more-than-32-characters",
  CREDENTIAL_KEYS: "canary:Y2FuYXJ5LWtleS1vZi1jcmVkZW50aWFscy0wMTIzNDU=",
  DEPLOYMENT_SECRET: "canary-deployment-secret-of-more-than-32-characters",
  OPENROUTER_API_KEY: "canary-openrouter-key",
  RESEND_API_KEY: "canary-resend-key",
  RESEND_WEBHOOK_SECRET: "whsec_Y2FuYXJ5LXdlYmhvb2stc2VjcmV0LW9mLXRoZS10ZXN0cyEh",
  PARALLEL_API_KEY: "canary-parallel-key",
  EXA_API_KEY: "canary-exa-key",
  BLAND_API_KEY: "canary-bland-key",
  BLAND_WEBHOOK_SECRET: "canary-bland-webhook-secret",
  WHATSAPP_TOKEN: "canary-whatsapp-token",
  WHATSAPP_APP_SECRET: "canary-whatsapp-app-secret",
  WHATSAPP_VERIFY_TOKEN: "canary-whatsapp-verify-token",
  VAPID_PRIVATE_KEY: "a7gUSlbEB6qMV8Ema91GSMPHy_drK7lQHcKd64mI4-Y",
};

/** The public half of the key above. */
export const VAPID_PUBLIC_KEY = "BAY7i5kxpcEHuraNiutpzSFd8_7_1ksW3vD2qT8IyBIecm3RtSAMBcvFTqwsTOffdgRRz-qxGgBkGOjEMWC9qy0";
