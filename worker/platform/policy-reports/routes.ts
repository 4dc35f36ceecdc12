/** What browsers report of pages that tried what their policy forbids: a line in the log, without what the address or the page says. */
import type { Hono } from "hono";
import * as z from "zod/mini";
import type { AppContext } from "#worker/platform/env.ts";
import { networkOf } from "#worker/platform/requests/network-of.ts";
import { pathToLog } from "#worker/platform/requests/path-to-log.ts";
import { countIfAllowed, hourly } from "#worker/platform/http/rate-limit.ts";
import { POLICY_REPORTS } from "#worker/platform/http/security-headers.ts";
import { log } from "#worker/platform/log.ts";

/** Reports of one network in an hour that are written down. */
const REPORTS_PER_HOUR = 60;

const Text = z.optional(z.string());
/** Content Security Policy 3, 5.3. */
const Report = z.object({
  "csp-report": z.object({
    "effective-directive": Text,
    "violated-directive": Text,
    "blocked-uri": Text,
    "document-uri": Text,
    "source-file": Text,
  }),
});

export function policyReportRoutes(app: Hono<AppContext>): void {
  app.post(POLICY_REPORTS, async (c) => {
    const sent: unknown = await c.req.json().catch(() => null);
    const report = Report.safeParse(sent).data?.["csp-report"];
    const network = networkOf(c.req.header("cf-connecting-ip") ?? "local");
    if (report && (await countIfAllowed(c.env, `policy-reports:${network}`, hourly(REPORTS_PER_HOUR)))) {
      log.warn("a page tried what its policy forbids", {
        directive: /^[a-z-]{1,40}/.exec(report["effective-directive"] ?? report["violated-directive"] ?? "")?.[0] ?? null,
        blocked: placeOf(report["blocked-uri"]),
        page: pathOf(report["document-uri"], c.req.url),
        source: pathOf(report["source-file"], c.req.url),
      });
    }
    return c.body(null, 204);
  });
}

/** Of an address its origin alone, as the rest may carry what a chat says; else the word for it: `inline`, `eval`. */
function placeOf(blocked: string | undefined): string | null {
  const url = URL.parse(blocked ?? "");
  if (!url) return /^[a-z-]{1,40}$/.exec(blocked ?? "")?.[0] ?? null;
  return url.origin === "null" ? url.protocol : url.origin;
}

/** A page or script of ours by its path; of others their origin. */
function pathOf(address: string | undefined, own: string): string | null {
  const url = URL.parse(address ?? "");
  if (!url) return null;
  return url.host === new URL(own).host ? pathToLog(url.pathname).slice(0, 200) : placeOf(address);
}
