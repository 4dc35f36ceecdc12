import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    canaries: Record<string, string>;
  }
}

/** Secrets of the tests' deployment, by variable, that must turn up nowhere: in no answer, no log, no mail. */
export const CANARIES = inject("canaries");

/** One of them. */
export function canary(variable: string): string {
  const secret = CANARIES[variable];
  if (!secret) throw new Error(`The tests have no secret ${variable}`);
  return secret;
}
