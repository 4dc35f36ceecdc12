import type { Vars } from "./dev-vars.ts";

const DEFAULT_URL = "https://openrouter.ai/api/v1";
const PATIENCE_MS = 4000;

/** A sentence when the configured aggregator does not answer, null when it does. */
export async function aggregatorWarning(vars: Vars): Promise<string | null> {
  const url = (vars["AGGREGATOR_URL"] ?? DEFAULT_URL).replace(/\/$/, "");
  const key = vars["OPENROUTER_API_KEY"];
  try {
    const response = await fetch(`${url}/models`, {
      headers: key ? { Authorization: `Bearer ${key}` } : {},
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    await response.body?.cancel();
    if (response.ok) return null;
    if (response.status === 401 || response.status === 403)
      return `The model aggregator at ${url} refuses the key in .dev.vars: check OPENROUTER_API_KEY.`;
    return `The model aggregator at ${url} answers with status ${response.status}: models are missing until it recovers.`;
  } catch {
    return `The model aggregator at ${url} does not answer: models are missing until it does. Check the connection, or AGGREGATOR_URL in .dev.vars.`;
  }
}
