import type { LinkedKind } from "#shared/sharing/share-links.ts";
import { ApiError } from "#web/lib/api.ts";

type Asked = { isPending: boolean; error: Error | null; data?: unknown };

/** Why something shared cannot be shown, in the server's words where it answered; null where it can, or is still on its way. */
export function loadFailure(kind: LinkedKind, { isPending, error, data }: Asked): string | null {
  if (error) return error instanceof ApiError && error.status > 0 ? error.message : `Failed to load shared ${kind}`;
  return isPending || data ? null : `Shared ${kind} not found`;
}
