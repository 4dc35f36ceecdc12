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
  hr { border: 0; border-top: 1px solid var(--line); margin: 24px 0; }
`;

function hidden(query: URLSearchParams): string {
  return Array.from(query, ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`).join("");
}

/** The page on which one chooses an account, or cancels. */
export function sendConsentPage(response: ServerResponse, query: URLSearchParams): void {
  const rest = new URLSearchParams(query);
  for (const name of ["email", "name", "decision"]) rest.delete(name);
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
<button name="decision" value="allow">Continue with this account</button></form>
<form action="/o/oauth2/v2/auth/decide">${fields}<button name="decision" value="deny">Cancel</button></form>`,
  });
}
