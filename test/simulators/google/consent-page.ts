import type { ServerResponse } from "node:http";
import { escapeHtml } from "../escape-html.ts";
import { sendPage } from "../page.ts";
import type { Person } from "./tokens.ts";

/** The test accounts that the page offers. */
export const accounts: readonly Person[] = [
  { email: "ines.okafor@example.com", name: "Ines Okafor" },
  { email: "teo.brandt@example.com", name: "Teo Brandt" },
];

const STYLE = `
  main { max-width: 440px; }
  form { display: grid; gap: 12px; margin-bottom: 24px; }
  label { display: grid; gap: 4px; font-size: 14px; font-weight: 600; }
  label input { font-weight: 400; font-size: 16px; }
  fieldset { display: grid; gap: 8px; border: 1px solid var(--line); border-radius: 8px; padding: 12px; }
  fieldset label, label.box { display: flex; gap: 8px; align-items: baseline; font-weight: 400; }
  fieldset input, .box input { flex: none; width: auto; height: auto; min-height: 0; margin: 0; padding: 0; }
  hr { border: 0; border-top: 1px solid var(--line); margin: 24px 0; }
`;

/** What Google's page says of a scope. */
const SCOPE_LABELS: Record<string, string> = {
  "https://www.googleapis.com/auth/gmail.readonly": "View your email messages and settings",
  "https://www.googleapis.com/auth/gmail.compose": "Manage drafts and send emails",
  "https://www.googleapis.com/auth/gmail.send": "Send email on your behalf",
  "https://www.googleapis.com/auth/drive.readonly": "See and download all your Google Drive files",
  "https://www.googleapis.com/auth/drive.file": "See the Google Drive files that you use with this app",
};

function hidden(query: URLSearchParams): string {
  return Array.from(query, ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`).join("");
}

/** The page on which one chooses an account, or cancels. */
export function sendConsentPage(response: ServerResponse, query: URLSearchParams): void {
  const rest = new URLSearchParams(query);
  for (const name of ["email", "name", "decision"]) rest.delete(name);
  const asked = (query.get("scope") ?? "").split(" ").filter((scope) => scope.startsWith("https://"));
  if (asked.length > 0) return sendGrantPage(response, { rest, asked });
  const fields = hidden(rest);
  const choices = accounts.map(
    ({ email, name }, index) => `<form action="/o/oauth2/v2/auth/decide">${fields}
<input type="hidden" name="email" value="${escapeHtml(email)}"><input type="hidden" name="name" value="${escapeHtml(name)}">
<button${index === 0 ? ' class="main"' : ""} name="decision" value="allow">Continue as ${escapeHtml(name)}</button></form>`,
  );
  sendPage(response, {
    title: "Simulated Google sign-in",
    style: STYLE,
    body: `<h1>Simulated Google sign-in</h1>
<p class="quiet">This page stands in for Google on this computer. No account is real, and no password is asked for.</p>
${choices.join("\n")}
<hr>
<form action="/o/oauth2/v2/auth/decide">${fields}
<label>Email <input name="email" type="email" required autocomplete="off"></label>
<label>Name <input name="name" required autocomplete="off"></label>
<label class="box"><input type="checkbox" name="hosted" value="">The address is run by somebody else than Google</label>
<button name="decision" value="allow">Continue with this account</button></form>
<form action="/o/oauth2/v2/auth/decide">${fields}<button name="decision" value="deny">Cancel</button></form>`,
  });
}

/** The page on which one chooses an account and what of it the app may use. */
function sendGrantPage(response: ServerResponse, { rest, asked }: { rest: URLSearchParams; asked: string[] }): void {
  const hint = rest.get("login_hint");
  const known = accounts.some(({ email }) => email === hint);
  const offered = hint !== null && !known ? [{ email: hint, name: hint }, ...accounts] : accounts;
  const people = offered.map(({ email, name }, index) => {
    const isFirst = hint === null ? index === 0 : email === hint;
    const value = escapeHtml(email);
    return `<label><input type="radio" name="email" value="${value}"${isFirst ? " checked" : ""}>${escapeHtml(name)}, ${value}</label>`;
  });
  const boxes = asked.map(
    (scope) =>
      `<label><input type="checkbox" name="ticked" value="${escapeHtml(scope)}" checked>${escapeHtml(SCOPE_LABELS[scope] ?? scope)}</label>`,
  );
  sendPage(response, {
    title: "Simulated Google consent",
    style: STYLE,
    body: `<h1>Simulated Google consent</h1>
<p class="quiet">This page stands in for Google on this computer. Each account has mail and files that exist only here.</p>
<form action="/o/oauth2/v2/auth/decide">${hidden(rest)}<input type="hidden" name="boxes" value="1">
<fieldset><legend>Account</legend>${people.join("\n")}</fieldset>
<fieldset><legend>The app may</legend>${boxes.join("\n")}</fieldset>
<button class="main" name="decision" value="allow">Continue</button>
<button name="decision" value="deny">Cancel</button></form>`,
  });
}
