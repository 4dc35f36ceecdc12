import type { Context } from "hono";
import { APP_NAME } from "#shared/app.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { smallPage } from "./small-page.ts";

/** What a person reads who opened a call's address, e.g. of a file to download, and was refused: the same words as a page. */
export async function refusalPage(c: Context<AppContext>, message: string): Promise<string> {
  const body = c.get("caller") ? "" : `<p><a href="/auth/login?returnUrl=%2F">Sign in</a></p>`;
  const { html, policy } = await smallPage({ title: APP_NAME, text: message, body });
  c.header("content-security-policy", policy);
  c.header("content-type", "text/html; charset=utf-8");
  return html;
}
