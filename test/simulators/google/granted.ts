import { randomBytes } from "node:crypto";
import type { Person } from "./tokens.ts";

/** What one person granted the client. */
type Granted = {
  person: Person;
  scopes: Set<string>;
  refreshTokens: Set<string>;
  /** When each ends, in epoch milliseconds, and what it is for. */
  accessTokens: Map<string, { until: number; scopes: ReadonlySet<string> }>;
  refreshes: number;
  /** Seconds that new access tokens last. */
  lastsS: number;
  /** What goes wrong with the next renewals. */
  fault: RefreshFault | null;
};

export const refreshFaults = ["token-500", "token-hang"] as const;
export type RefreshFault = (typeof refreshFaults)[number];

export type Issued = { access_token: string; expires_in: number; scope: string; token_type: "Bearer"; refresh_token?: string };

/** The grants that live, by the person's address. */
export type Grants = ReturnType<typeof createGranted>;

const HOUR_S = 3599;

/** No grants yet. */
export function createGranted() {
  const all = new Map<string, Granted>();

  function of(person: Person): Granted {
    const known = all.get(person.email);
    if (known) return known;
    const made = {
      person,
      scopes: new Set<string>(),
      refreshTokens: new Set<string>(),
      accessTokens: new Map<string, { until: number; scopes: ReadonlySet<string> }>(),
      refreshes: 0,
      lastsS: HOUR_S,
      fault: null,
    };
    all.set(person.email, made);
    return made;
  }

  function issue(granted: Granted, scopes: readonly string[]): Issued {
    const token = `ya29.${randomBytes(32).toString("base64url")}`;
    granted.accessTokens.set(token, { until: Date.now() + granted.lastsS * 1000, scopes: new Set(scopes) });
    return { access_token: token, expires_in: granted.lastsS, scope: scopes.join(" "), token_type: "Bearer" };
  }

  function holderOf(token: string): Granted | undefined {
    return [...all.values()].find(({ refreshTokens, accessTokens }) => refreshTokens.has(token) || accessTokens.has(token));
  }

  return {
    /** Takes a person's consent; `asked` is in the order of the answer, and what was granted before may be added. */
    consent(person: Person, { scopes, isOffline, addsEarlier }: { scopes: string[]; isOffline: boolean; addsEarlier: boolean }): Issued {
      const granted = of(person);
      const listed = addsEarlier ? [...new Set([...scopes, ...granted.scopes])] : scopes;
      for (const scope of scopes) granted.scopes.add(scope);
      const issued = issue(granted, listed);
      if (!isOffline) return issued;
      const refresh = `1//${randomBytes(32).toString("base64url")}`;
      granted.refreshTokens.add(refresh);
      return { ...issued, refresh_token: refresh };
    },
    /** True where a person granted all of these before. */
    covers(email: string, scopes: readonly string[]): boolean {
      return scopes.every((scope) => all.get(email)?.scopes.has(scope));
    },
    /** New tokens by a refresh token; a fault where one is set, and null for a token that is none any more. */
    refresh(token: string): Issued | RefreshFault | null {
      const granted = holderOf(token);
      if (!granted?.refreshTokens.has(token)) return null;
      granted.refreshes += 1;
      return granted.fault ?? issue(granted, [...granted.scopes]);
    },
    /** Ends a grant by any of its tokens; false for one that is none. */
    revoke(token: string): boolean {
      const granted = holderOf(token);
      if (granted) all.delete(granted.person.email);
      return granted !== undefined;
    },
    /** Whose account an access token opens, and for what; null for one that is none any more. */
    read(token: string): { person: Person; scopes: ReadonlySet<string> } | null {
      const granted = holderOf(token);
      const accessToken = granted?.accessTokens.get(token);
      return granted && accessToken && accessToken.until > Date.now() ? { person: granted.person, scopes: accessToken.scopes } : null;
    },
    /** Changes a person's grant: ends its access tokens, or all of it as they would in their account, or sets what comes. */
    change(
      email: string,
      change: { do?: "expire" | "revoke" | undefined; lastsS?: number | undefined; fault?: RefreshFault | null | undefined },
    ) {
      const granted = of({ email, name: email });
      if (change.do === "expire") granted.accessTokens.clear();
      if (change.do === "revoke") {
        granted.accessTokens.clear();
        granted.refreshTokens.clear();
        granted.scopes.clear();
      }
      if (change.lastsS !== undefined) granted.lastsS = change.lastsS;
      if (change.fault !== undefined) granted.fault = change.fault;
    },
    /** How a person's grant stands. */
    describe(email: string) {
      const granted = all.get(email);
      return {
        scopes: [...(granted?.scopes ?? [])],
        refreshes: granted?.refreshes ?? 0,
        isLive: (granted?.refreshTokens.size ?? 0) > 0,
      };
    },
  };
}
