import { COPY_CONFIRMATION_MS } from "#shared/limits.ts";

/** The public page's whole style: the product's colours and measures (design/measures.md, 'Public page'), in both themes. */
export const PAGE_STYLE = `
:root { color-scheme: light dark;
  --bg: oklch(.984 .004 120); --s3: oklch(.935 .008 125); --line: oklch(.895 .008 125); --line-strong: oklch(.63 .012 130);
  --ink: oklch(.235 .012 145); --ink2: oklch(.43 .012 140); --ink3: oklch(.51 .012 135);
  --accent: oklch(.465 .088 158); --accent-ink: oklch(.985 .01 158); --accent-soft: oklch(.925 .036 152); --accent-soft-ink: oklch(.36 .07 158);
  --focus: oklch(.56 .12 158); --tile: .905 .055; --tile-ink: .36 .085;
  --serif: "Newsreader Variable", Georgia, serif; --mono: ui-monospace, "SF Mono", Menlo, monospace; }
@media (prefers-color-scheme: dark) { :root {
  --bg: oklch(.182 .007 155); --s3: oklch(.258 .01 155); --line: oklch(.285 .008 155); --line-strong: oklch(.53 .012 150);
  --ink: oklch(.93 .008 120); --ink2: oklch(.77 .01 130); --ink3: oklch(.65 .012 135);
  --accent: oklch(.8 .105 158); --accent-ink: oklch(.205 .035 158); --accent-soft: oklch(.315 .045 158); --accent-soft-ink: oklch(.875 .075 155);
  --focus: oklch(.76 .12 158); --tile: .36 .06; --tile-ink: .88 .07; } }
* { box-sizing: border-box; } [hidden] { display: none !important; }
html { scroll-padding-bottom: 96px; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; min-height: 100dvh; display: flex; flex-direction: column; background: var(--bg); color: var(--ink);
  font: 15.5px/26px "Hanken Grotesk Variable", system-ui, sans-serif; -webkit-font-smoothing: antialiased; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 3px; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 6px; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 16px; top: 16px; background: var(--bg); padding: 4px 8px; }
.column { width: 100%; max-width: 768px; margin: 0 auto; padding: 0 24px; }
.bar { height: 64px; margin-top: env(safe-area-inset-top, 0px); display: flex; align-items: center; justify-content: space-between; } .bar nav { display: flex; margin-right: -12px; }
.plain { display: inline-flex; align-items: center; height: 36px; padding: 0 12px; border: 0; border-radius: 8px; background: none; color: var(--ink2); font: 550 13px/20px "Hanken Grotesk Variable", system-ui, sans-serif; text-decoration: none; cursor: pointer; } a.plain { color: var(--accent); } .plain:hover { background: var(--s3); }
.about { max-width: min(420px, calc(100vw - 32px)); padding: 20px 24px; border: 1px solid var(--line); border-radius: 14px; background: var(--bg); color: var(--ink2); font-size: 14px; line-height: 20px; } .about::backdrop { background: rgb(0 0 0 / .3); } .about p { margin: 12px 0 0; } .about .line { margin: 0; font: 18px/26px var(--serif); color: var(--ink); } .about a + a { margin-left: 16px; }
.wordmark { font: 18px/26px var(--serif); color: var(--ink2); text-decoration: none; } .wordmark:hover { color: var(--ink); }
main { flex: 1; padding-bottom: 48px; }
h1 { margin: 16px 0 0; font: 400 28px/34px var(--serif); text-wrap: balance; overflow-wrap: anywhere; }
.by { display: flex; align-items: center; gap: 10px; margin: 16px 0 0; padding-bottom: 20px; border-bottom: 1px solid var(--line); font-size: 14px; line-height: 20px; color: var(--ink2); }
.by b { font-weight: 550; color: var(--ink); }
.by .dot { margin: 0 4px; color: var(--ink3); }
.tile { display: inline-flex; flex: none; align-items: center; justify-content: center; font-weight: 600; background: oklch(var(--tile) var(--hue)); color: oklch(var(--tile-ink) var(--hue)); }
.person { width: 28px; height: 28px; border-radius: 50%; font-size: 12px; } .model { width: 18px; height: 18px; border-radius: 6px; font-size: 10px; }
article { margin-top: 26px; overflow-wrap: anywhere; }
.question { display: flex; justify-content: flex-end; }
.question .text { min-width: 0; max-width: 580px; padding: 9px 14px; border-radius: 14px 14px 6px 14px; background: var(--s3); } .question p { white-space: pre-line; }
.speaker { display: flex; align-items: center; gap: 8px; height: 28px; margin: 0 0 4px; font: 550 13px/20px "Hanken Grotesk Variable", system-ui, sans-serif; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.text > * { margin: 0; } .text > * + * { margin-top: 12px; }
.text :is(h3, h4, h5, h6) { font-weight: 400; } .text > :is(h3, h4, h5, h6) { margin-top: 16px; } .text > :is(h3, h4, h5, h6) + * { margin-top: 6px; }
.text > :first-child { margin-top: 0; }
.depth-1, .depth-2 { font: 400 21px/28px var(--serif); } .depth-1 { font-weight: 500; } .depth-3 { font: 400 18px/26px var(--serif); }
.text .depth-4 { font-size: 15.5px; line-height: 26px; font-weight: 600; } .text :is(.depth-5, .depth-6) { font-size: 14px; line-height: 20px; font-weight: 600; }
ul, ol { padding-inline-start: 22px; } li { margin-top: 4px; } li > * { margin: 8px 0 0; } li > :first-child { margin: 0; } li > :is(ul, ol) { margin-top: 4px; } li::marker { color: var(--ink3); }
li.task > .box + div { display: inline; } li.task { list-style: none; margin-inline-start: -22px; }
blockquote { padding-inline-start: 14px; border-inline-start: 2px solid var(--line); color: var(--ink2); } blockquote > * { margin: 12px 0 0; } blockquote > :first-child { margin-top: 0; }
hr { border: 0; border-top: 1px solid var(--line); } .raw { white-space: pre-wrap; }
code { font: .84em/1.4 var(--mono); background: var(--s3); border-radius: 6px; padding: 2px 4px; }
.code { border: 1px solid var(--line); border-radius: 12px; overflow: hidden; }
.code figcaption { height: 34px; padding: 0 14px; font-size: 12px; line-height: 34px; color: var(--ink2); border-bottom: 1px solid var(--line); }
pre { margin: 0; padding: 10px 14px; overflow-x: auto; line-height: 20px; } pre:focus-visible, .wide:focus-visible { outline-offset: -2px; } pre code { font: 13px/20px var(--mono); background: none; padding: 0; overflow-wrap: normal; }
.wide { overflow-x: auto; } table { width: 100%; border-collapse: collapse; font-size: 14px; line-height: 20px; overflow-wrap: normal; }
.formula { padding: 4px 0; overflow-y: hidden; } math { font-family: "STIX Two Math", math; font-size: 1.06em; } math[display="block"] { margin: 0; width: max-content; min-width: 100%; } article { overflow: clip; overflow-clip-margin: 8px; } p:has(math) { overflow: auto hidden; }
@supports not (math-depth: auto-add) { math, math :where([displaystyle=false], mfrac > *, :is(msub, msup, msubsup, munder, mover, munderover, mroot) > :not(:first-child)) { --fraction: .71em; } math[display=block], math [displaystyle=true] { --fraction: 1em; } mfrac { --part: var(--fraction); } mfrac > * { font-size: var(--part); } }
mfrac { padding-inline: .12em; } mtd { padding: .2em .4em; } mtable[columnspacing="0em"] mtd, mtable[columnspacing^="0em "] mtd { padding-inline: .08em; } mtable[columnalign^="right left"] mtd:nth-child(odd) { text-align: right; } mtable[columnalign^="right left"] mtd:nth-child(even), mtable[columnalign^="left"] mtd { text-align: left; }
th { height: 32px; padding: 0; padding-inline-end: 16px; text-align: start; font-size: 13px; font-weight: 550; color: var(--ink2); border-bottom: 1px solid var(--line-strong); }
td { padding: 6px 0; padding-inline-end: 16px; vertical-align: top; border-bottom: 1px solid var(--line); } :is(th, td):last-child { padding-inline-end: 0; }
.right { text-align: right; font-variant-numeric: tabular-nums; } td.right { white-space: nowrap; } .center { text-align: center; }
.mark { display: inline-block; min-width: 17px; margin: 0 2px; padding: 0 4px; border-radius: 6px; background: var(--accent-soft); color: var(--accent-soft-ink); font-size: 11px; font-weight: 600; line-height: 17px; text-align: center; text-decoration: none; vertical-align: 1px; }
.sources { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; margin: 12px 0 0; padding: 0; list-style: none; font-size: 12px; line-height: 16px; color: var(--ink2); } .sources li { display: flex; } .sources :is(li, li > *) { margin: 0; }
.sources a { display: inline-flex; align-items: center; gap: 6px; max-width: 260px; height: 26px; padding: 0 8px 0 5px; border-radius: 6px; background: var(--s3); color: var(--ink2); text-decoration: none; } .sources a:hover { color: var(--ink); }
.sources .host { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.notes { margin-top: 12px; padding-top: 12px; border-top: 1px solid var(--line); font-size: 13px; line-height: 20px; color: var(--ink2); }
sup { line-height: 0; }
.pages { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 16px; margin-top: 40px; padding-top: 16px; border-top: 1px solid var(--line); font-size: 14px; line-height: 20px; color: var(--ink2); }
.foot { position: sticky; bottom: 0; background: var(--bg); padding-bottom: env(safe-area-inset-bottom, 0px); }
.foot::before { content: ""; position: absolute; inset: auto 0 100%; height: 32px; background: linear-gradient(to top, var(--bg), transparent); pointer-events: none; }
.foot .column::before { content: ""; position: absolute; inset: 0 24px auto; border-top: 1px solid var(--line); }
.foot .column { position: relative; display: flex; align-items: center; gap: 16px; min-height: 72px; font-size: 13px; line-height: 20px; color: var(--ink2); } .foot p { flex: 1; margin: 0; } .foot form { margin: 0; }
.button { display: inline-flex; align-items: center; height: 36px; padding: 0 14px; border: 0; border-radius: 8px; background: var(--accent); color: var(--accent-ink); font: 550 13px/20px "Hanken Grotesk Variable", system-ui, sans-serif; text-decoration: none; white-space: nowrap; cursor: pointer; }
.quiet { gap: 8px; background: none; color: var(--ink2); font-weight: 400; } .quiet svg { width: 16px; height: 16px; fill: none; stroke: currentColor; stroke-width: 1.4; stroke-linecap: round; stroke-linejoin: round; } .quiet:hover { background: var(--s3); color: var(--ink); } .button:not(.quiet):hover { background: color-mix(in oklab, var(--accent), var(--ink) 14%); }
.alone { display: flex; flex-direction: column; align-items: flex-start; justify-content: center; gap: 20px; } main.alone { padding-bottom: 18dvh; } .alone h1 { margin: 0; }
@media (pointer: coarse) { .wordmark { line-height: 44px; } .sources a { height: 44px; } .plain { height: 44px; } .about a { display: inline-block; padding: 12px 0; } }
@media (max-width: 768px) { .column { padding: 0 16px; } .foot .column::before { inset-inline: 16px; } .button { height: 44px; } }
@media (max-width: 520px) { .foot p { display: none; } .foot .column { justify-content: flex-end; } .foot form, .foot a.button { flex: 1; } .foot .button { width: 100%; justify-content: center; } .foot .quiet { width: auto; } }
@media print { .foot, .bar, .skip { display: none; } .question .text { border: 1px solid var(--line); } body { background: none; } }
`;

/** Copies the page's address, where scripts run; the button stays away where they do not. */
export const COPY_SCRIPT = `
for (const button of document.querySelectorAll("[data-copy]")) {
  const label = button.querySelector("span");
  const text = label.textContent;
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(location.origin + location.pathname);
    label.textContent = "Link copied";
    setTimeout(() => { label.textContent = text; }, ${COPY_CONFIRMATION_MS});
  });
}
`;
