import type { ErrorBody } from "#shared/errors.ts";
import type { Endpoint, InputOf, ResponseOf } from "#shared/contracts/endpoint.ts";
import type { ApiScope } from "#shared/entities/library/api-key.ts";
import type { Caller } from "#worker/platform/env.ts";
import { withCaller } from "#worker/people/callers/session.ts";

/** A call that the API refused: its message is for whoever asked. */
export class Refusal extends Error {
  readonly code: string | null;

  constructor(message: string, code: string | null = null) {
    super(message);
    this.code = code;
  }
}

export type OwnApi = {
  /** Asks one call of the API, checked as any other. Throws `Refusal`. */
  ask<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<ResponseOf<E>>;
  /** The same where the answer is no JSON. Throws `Refusal`. */
  open<E extends Endpoint>(endpoint: E, input: InputOf<E>, accept?: string): Promise<Response>;
};

/** What tools work with; `origin` begins the links in what they answer, and `keyId` is whose requests are distinguished by their own ids. */
export type ToolDeps = { api: OwnApi; origin: string; scopes: readonly ApiScope[]; keyId: string };

type Parts = { params?: unknown; query?: unknown; body?: unknown };

type Deps = { caller: Caller; origin: string; network: string; send: (request: Request) => Promise<Response> | Response };

/** The product's own API in the name of a caller, asked within the Worker: every rule that holds for a browser holds here too. */
export function createOwnApi({ caller, origin, network, send }: Deps): OwnApi {
  async function open(endpoint: Endpoint, input: Parts, accept = "application/json"): Promise<Response> {
    const headers = new Headers({ origin, accept, "cf-connecting-ip": network });
    const isWritten = input.body !== undefined;
    if (isWritten) headers.set("content-type", "application/json");
    const request = new Request(addressOf(endpoint, input, origin), {
      method: endpoint.method,
      headers,
      ...(isWritten && { body: JSON.stringify(input.body) }),
    });
    const response = await send(withCaller(caller, request));
    if (response.ok) return response;
    const { error, code } = await response.json<ErrorBody>();
    throw new Refusal(error, code);
  }
  return {
    open,
    async ask(endpoint, input) {
      const response = await open(endpoint, input);
      return response.json();
    },
  };
}

function addressOf({ path }: Endpoint, { params, query }: Parts, origin: string): string {
  const values = new Map(Object.entries(params ?? {}));
  const url = new URL(
    path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values.get(name) ?? ""))),
    origin,
  );
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) url.searchParams.set(name, String(value));
  return url.href;
}
