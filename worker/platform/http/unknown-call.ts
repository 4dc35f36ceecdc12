import type { Context } from "hono";
import type { AppContext } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { loadOnce } from "#worker/platform/load-once.ts";

const contracts = loadOnce(() => import("#shared/contracts/all.ts"));

/** Answers a call that no route took: 405 where the address exists for everybody with other methods, else 404. */
export async function unknownCall(c: Context<AppContext>): Promise<never> {
  const { ENDPOINTS } = await contracts();
  const methods = Object.values(ENDPOINTS).flatMap(({ method, path, access }) => {
    return access !== "admin" && matches(path, c.req.path) ? [method] : [];
  });
  if (methods.length === 0) throw new AppError("NOT_FOUND");
  throw new AppError("METHOD_NOT_ALLOWED", { headers: { allow: [...new Set(methods)].join(", ") } });
}

function matches(pattern: string, path: string): boolean {
  const parts = pattern.split("/");
  const given = path.split("/");
  return (
    parts.length === given.length && parts.every((part, index) => (part.startsWith(":") ? given[index] !== "" : part === given[index]))
  );
}
