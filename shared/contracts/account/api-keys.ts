import * as z from "zod/mini";
import { Ok } from "./auth.ts";
import { asName } from "#shared/contracts/as-name.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";
import { ApiKey, ApiScope } from "#shared/entities/library/api-key.ts";
import { Id } from "#shared/entities/ids.ts";
import { API_KEY_BUDGET_MAX, API_KEY_NAME_LENGTH, FRESH_OWN_MIN } from "#shared/limits.ts";

const KeyParams = z.object({ id: Id });

const KeyName = z
  .string()
  .check(
    asName,
    z.minLength(1, "Name the key after what will use it."),
    z.maxLength(API_KEY_NAME_LENGTH, `A name may have ${API_KEY_NAME_LENGTH} characters at most.`),
  );

const Scopes = z.array(ApiScope).check(
  z.minLength(1, "Allow the key at least one thing."),
  z.refine((scopes) => new Set(scopes).size === scopes.length, "Something is allowed twice."),
);

const Budget = z.nullable(
  z
    .number()
    .check(
      z.minimum(0.01, "A budget is at least $0.01; leave it empty for none."),
      z.maximum(API_KEY_BUDGET_MAX, `A budget is at most $${API_KEY_BUDGET_MAX.toLocaleString("en")}.`),
    ),
);

export const listApiKeys = endpoint("GET", "/api/keys", {
  summary: "The caller's keys for other programs, oldest first",
  access: "account",
  response: z.object({ keys: z.array(ApiKey) }),
});

export const createApiKey = endpoint("POST", "/api/keys", {
  summary:
    "Make a key, which needs a sign-in of the last 60 minutes. Its secret is told once; the same id again answers the same for ten minutes, unless it was used, and then `secret` is null",
  access: "account",
  freshMinutes: FRESH_OWN_MIN,
  repeat: "id",
  body: z.object({ id: Id, name: KeyName, scopes: Scopes, budget: Budget }),
  response: z.object({ key: ApiKey, secret: z.nullable(z.string()) }),
  status: 201,
});

export const updateApiKey = endpoint("PATCH", "/api/keys/:id", {
  summary: "Change a key's name, what it may do, or its budget; needs a sign-in of the last 60 minutes",
  access: "account",
  freshMinutes: FRESH_OWN_MIN,
  params: KeyParams,
  body: z.partial(z.object({ name: KeyName, scopes: Scopes, budget: Budget })),
  response: z.object({ key: ApiKey }),
});

export const deleteApiKey = endpoint("DELETE", "/api/keys/:id", {
  summary: "Revoke a key: it is refused from now on, and answers on their way to it end",
  access: "account",
  params: KeyParams,
  response: Ok,
});
