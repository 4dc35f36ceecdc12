/** The page's whole style: the product's colours and measures (design/interface.md) without its fonts, as nothing is loaded from elsewhere. */
export const PAGE_STYLE = `
:root { color-scheme: light dark;
  --bg: oklch(.984 .004 120); --s1: oklch(.96 .006 120); --line: oklch(.895 .008 125);
  --ink: oklch(.235 .012 145); --ink2: oklch(.43 .012 140); --accent: oklch(.465 .088 158);
  --accent-soft: oklch(.925 .036 152); --accent-soft-ink: oklch(.36 .07 158); --focus: oklch(.56 .12 158); }
@media (prefers-color-scheme: dark) { :root {
  --bg: oklch(.182 .007 155); --s1: oklch(.155 .007 155); --line: oklch(.285 .008 155);
  --ink: oklch(.93 .008 120); --ink2: oklch(.77 .01 130); --accent: oklch(.8 .105 158);
  --accent-soft: oklch(.315 .045 158); --accent-soft-ink: oklch(.875 .075 155); --focus: oklch(.76 .12 158); } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--ink); font: 15.5px/26px "Hanken Grotesk Variable", system-ui, sans-serif; }
a { color: var(--accent); text-underline-offset: 3px; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 6px; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 16px; top: 16px; }
.frame { max-width: 1120px; margin: 0 auto; padding: 40px 24px 72px; display: grid; grid-template-columns: 208px minmax(0, 1fr); gap: 48px; }
nav { position: sticky; top: 40px; align-self: start; font-size: 14px; line-height: 20px; }
nav ul { list-style: none; margin: 0; padding: 0; } nav a { display: block; padding: 8px 0; color: var(--ink2); text-decoration: none; }
nav a:hover { color: var(--ink); text-decoration: underline; }
h1, h2 { font-family: "Newsreader Variable", Georgia, serif; font-weight: 400; margin: 0; }
h1 { font-size: 28px; line-height: 34px; } h2 { font-size: 21px; line-height: 28px; margin: 48px 0 8px; }
h3 { font-size: 14px; line-height: 20px; font-weight: 600; margin: 32px 0 0; display: flex; flex-wrap: wrap; gap: 8px; align-items: baseline; }
h4 { font-size: 13px; line-height: 20px; font-weight: 550; color: var(--ink2); margin: 12px 0 0; }
p { margin: 8px 0; max-width: 70ch; } .meta { color: var(--ink2); font-size: 13px; line-height: 20px; }
code { font: 13px/20px "Geist Mono Variable", ui-monospace, Menlo, monospace; overflow-wrap: anywhere; }
.method { font-size: 12px; line-height: 20px; padding: 0 8px; border-radius: 6px; background: var(--accent-soft); color: var(--accent-soft-ink); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; min-width: 560px; table-layout: fixed; font-size: 14px; line-height: 20px; }
th:nth-child(1) { width: 40%; } th:nth-child(3) { width: 88px; } th { text-align: left; font-size: 12px; font-weight: 550; color: var(--ink2); } th, td { padding: 6px 16px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:last-child, th:last-child { padding-right: 0; white-space: nowrap; color: var(--ink2); }
@media (max-width: 768px) { .frame { grid-template-columns: minmax(0, 1fr); gap: 24px; padding: 24px 16px 48px; } nav { position: static; }
  nav ul { display: flex; flex-wrap: wrap; gap: 0 20px; } nav a { padding: 12px 0; } }
@media print { nav { display: none; } .frame { display: block; } }
`;
