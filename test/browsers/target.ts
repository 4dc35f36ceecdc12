/** What is meant on a page: by role and name, as people and their tools meet it, or by a CSS selector. */
export type Target = {
  css?: string;
  role?: string;
  /** The whole accessible name, or what matches it. */
  name?: string | RegExp;
  /** Some of the text in it. */
  text?: string | RegExp;
  /** What it stands in. */
  within?: Target;
  /** Which of several in the page's order, from the end where it is negative. */
  nth?: number;
};

/** A target as it travels to a page. */
type Sent = { css?: string; role?: string; name?: Pattern; text?: Pattern; within?: Sent; nth?: number };
type Pattern = { source: string; flags: string };

/** The JavaScript expression of the elements that a target means and that are visible. */
export function elementsOf(target: Target): string {
  return `(${findElements.toString()})(${JSON.stringify(send(target))})`;
}

function send({ name, text, within, ...rest }: Target): Sent {
  return {
    ...rest,
    ...(name !== undefined && { name: pattern(name, true) }),
    ...(text !== undefined && { text: pattern(text, false) }),
    ...(within && { within: send(within) }),
  };
}

function pattern(wanted: string | RegExp, isComplete: boolean): Pattern {
  if (wanted instanceof RegExp) return { source: wanted.source, flags: wanted.flags };
  const source = wanted.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return { source: isComplete ? `^${source}$` : source, flags: "" };
}

/** Runs in the page, so it is whole in itself. Roles and names are as far as this product's markup needs them. */
function findElements(wanted: Sent): HTMLElement[] {
  const TAGS: Record<string, string> = {
    A: "link",
    ARTICLE: "article",
    ASIDE: "complementary",
    BUTTON: "button",
    DIALOG: "dialog",
    IMG: "img",
    LI: "listitem",
    MAIN: "main",
    NAV: "navigation",
    OL: "list",
    OPTION: "option",
    OUTPUT: "status",
    SECTION: "region",
    SELECT: "combobox",
    TABLE: "table",
    TD: "cell",
    TEXTAREA: "textbox",
    TH: "columnheader",
    TR: "row",
    UL: "list",
  };
  const INPUTS: Record<string, string> = { button: "button", checkbox: "checkbox", radio: "radio", range: "slider", search: "searchbox" };
  const ROLES_NAMED_BY_TEXT = /^(button|cell|columnheader|heading|link|menuitem\w*|option|radio|checkbox|row|switch|tab|treeitem)$/;

  const roleOf = (element: Element): string => {
    const given = element.getAttribute("role")?.trim().split(/\s+/)[0];
    if (given) return given;
    if (/^H[1-6]$/.test(element.tagName)) return "heading";
    if (element instanceof HTMLInputElement) return INPUTS[element.type] ?? "textbox";
    return TAGS[element.tagName] ?? "";
  };
  const clean = (text: string) => text.replaceAll(/\s+/g, " ").trim();
  const textOf = (node: Node): string => {
    if (node instanceof Text) return node.data;
    if (!(node instanceof Element) || node.getAttribute("aria-hidden") === "true") return "";
    if (node instanceof HTMLElement && getComputedStyle(node).display === "none") return "";
    const label = node.getAttribute("aria-label") ?? (node instanceof HTMLImageElement ? node.alt : null);
    if (label !== null) return label;
    const inner = Array.from(node.childNodes, textOf).join("");
    return node instanceof HTMLElement && getComputedStyle(node).display.startsWith("inline") ? inner : ` ${inner} `;
  };
  const contentOf = (element: Element) => clean(Array.from(element.childNodes, textOf).join(""));
  const nameOf = (element: Element): string => {
    const labelling = (element.getAttribute("aria-labelledby") ?? "").split(/\s+/).flatMap((id) => document.getElementById(id) ?? []);
    if (labelling.length > 0) return clean(labelling.map((label) => label.getAttribute("aria-label") ?? contentOf(label)).join(" "));
    const label = element.getAttribute("aria-label") ?? (element instanceof HTMLImageElement ? element.alt : null);
    if (label) return clean(label);
    const labels = "labels" in element && element.labels instanceof NodeList ? Array.from(element.labels) : [];
    if (labels.length > 0) return clean(labels.map(textOf).join(" "));
    const content = ROLES_NAMED_BY_TEXT.test(roleOf(element)) ? contentOf(element) : "";
    return content || clean(element.getAttribute("title") ?? element.getAttribute("placeholder") ?? "");
  };
  const isHidden = (element: Element) =>
    element.closest("[aria-hidden=true], [inert]") !== null || !element.checkVisibility({ visibilityProperty: true });
  const matches = ({ source, flags }: Pattern, text: string) => new RegExp(source, flags).test(text);

  const roots: ParentNode[] = wanted.within ? findElements(wanted.within) : [document];
  const found = roots
    .flatMap((root) => Array.from(root.querySelectorAll<HTMLElement>(wanted.css ?? "*")))
    .filter(
      (element) =>
        (wanted.role === undefined || roleOf(element) === wanted.role) &&
        !isHidden(element) &&
        (!wanted.name || matches(wanted.name, nameOf(element))) &&
        (!wanted.text || matches(wanted.text, clean(element.textContent))),
    );
  return wanted.nth === undefined ? found : [found.at(wanted.nth)].flatMap((element) => element ?? []);
}
