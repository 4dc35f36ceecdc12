import { relative, sep } from "node:path";
import {
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isElementAccessExpression,
  isFunctionLikeDeclaration,
  isIdentifier,
  isIfStatement,
  isJsxAttribute,
  isJsxOpeningElement,
  isJsxSelfClosingElement,
  isNewExpression,
  isParenthesizedExpression,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isRegularExpressionLiteral,
  isSourceFile,
  isStringLiteral,
  isTryStatement,
  isTypeNode,
  isTypeOfExpression,
  type Node,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast";
import { API, type Project, type Symbol as Declared } from "typescript/unstable/sync";
import { ROOT } from "../paths.ts";
import type { Lacking } from "./compat.ts";
import { cssLacking, isSuspect, ofAttribute, ofElement, ofEvent, ofGlobal, ofMember, ofPattern } from "./features.ts";
import type { Finding } from "./exceptions.ts";

/** A name that may mean something the oldest browsers lack, which its type tells. */
type Suspect = { name: string; node: Node; access: Node };

/** What the code of TypeScript's projects uses that the oldest browsers lack, unless it looks for that first. */
export function findInCode(configs: string[], isChecked: (path: string) => boolean): Finding[] {
  const api = new API({ cwd: ROOT });
  try {
    const projects = api.updateSnapshot({ openProjects: configs }).getProjects();
    return projects.flatMap((project) => {
      const names = project.program.getSourceFileNames().filter((name) => isChecked(pathOf(name)));
      return names.flatMap((name) => {
        const file = project.program.getSourceFile(name);
        return file ? findInFile(project, file) : [];
      });
    });
  } finally {
    api.close();
  }
}

function pathOf(file: string): string {
  return relative(ROOT, file).split(sep).join("/");
}

function findInFile(project: Project, file: SourceFile): Finding[] {
  const findings: Finding[] = [];
  const suspects: Suspect[] = [];
  const report = (node: Node, lacking: Lacking | null) => {
    if (lacking)
      findings.push({ ...lacking, path: pathOf(file.fileName), line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1 });
  };
  const visit = (node: Node): void => {
    if (isTypeNode(node)) return;
    if (isPropertyAccessExpression(node) && isSuspect(node.name.text, classOf(node)))
      suspects.push({ name: node.name.text, node: node.name, access: node });
    else if (isElementAccessExpression(node) && isStringLiteral(node.argumentExpression) && isSuspect(node.argumentExpression.text)) {
      suspects.push({ name: node.argumentExpression.text, node: node.argumentExpression, access: node });
    } else if (isIdentifier(node) && ofGlobal(node.text) && isValue(node)) suspects.push({ name: node.text, node, access: node });
    else if (isRegularExpressionLiteral(node)) {
      const [, source = "", flags = ""] = /^\/(.*)\/(\w*)$/s.exec(node.text) ?? [];
      report(node, ofPattern(source, flags));
    } else if (isCallExpression(node)) report(node, ofCall(node));
    else if (isJsxOpeningElement(node) || isJsxSelfClosingElement(node)) visitElement(node, report);
    node.forEachChild(visit);
  };
  visit(file);
  const symbols = suspects.length === 0 ? [] : project.checker.getSymbolAtLocation(suspects.map(({ node }) => node));
  for (const [index, { name, node, access }] of suspects.entries()) {
    const lacking = ofSymbol(symbols[index], name, access);
    if (lacking && !isGuarded(access, namesIn(access, name))) report(node, lacking);
  }
  return findings.toSorted((a, b) => a.line - b.line);
}

/** True for a name where its value is asked for, not where it is declared, or names a member. */
function isValue(node: Node): boolean {
  const { parent } = node;
  if (isPropertyAccessExpression(parent)) return parent.expression === node;
  if (isPropertyAssignment(parent)) return parent.initializer === node;
  return isNewExpression(parent) || isCallExpression(parent) || isBinaryExpression(parent) || isTypeOfExpression(parent);
}

function ofSymbol(symbol: Declared | undefined, name: string, access: Node): Lacking | null {
  const isOfLibrary = symbol?.declarations.some(({ path }) => /\/lib\.[\w.]+\.d\.ts$/.test(path));
  if (!symbol || !isOfLibrary) return null;
  const owner = symbol.getParent()?.name;
  if (owner === undefined) return ofGlobal(name);
  // The library declares a class's own members in the type of a variable, without a name.
  if (owner !== "__type") return ofMember(owner, name, owner.endsWith("Constructor"));
  return ofMember(classOf(access), name, true);
}

/** The class that a static member is asked of, by the name before it. */
function classOf(access: Node): string {
  const before = isPropertyAccessExpression(access) ? access.expression : access;
  return isPropertyAccessExpression(before) ? before.name.text : isIdentifier(before) ? before.text : "";
}

function ofCall(node: Node): Lacking | null {
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return null;
  const [first] = node.arguments;
  if (!first || !isStringLiteral(first)) return null;
  const lacking =
    node.expression.name.text === "addEventListener"
      ? ofEvent(first.text)
      : node.expression.name.text === "setProperty"
        ? cssLacking(first.text)
        : null;
  return lacking && isGuarded(node, [first.text, `on${first.text}`]) ? null : lacking;
}

function visitElement(node: Node, report: (node: Node, lacking: Lacking | null) => void): void {
  if (!isJsxOpeningElement(node) && !isJsxSelfClosingElement(node)) return;
  const tag = node.tagName.getText();
  for (const attribute of node.attributes.properties) {
    if (!isJsxAttribute(attribute)) continue;
    const name = attribute.name.getText();
    const { initializer } = attribute;
    if (name === "style" && initializer) initializer.forEachChild((value) => visitStyle(value, report));
    if (!/^[a-z]/.test(tag)) continue;
    report(attribute, ofAttribute(tag, name, initializer && isStringLiteral(initializer) ? initializer.text : null));
  }
  if (/^[a-z]/.test(tag)) report(node, ofElement(tag));
}

function visitStyle(node: Node, report: (node: Node, lacking: Lacking | null) => void): void {
  if (isPropertyAssignment(node)) report(node, cssLacking(node.name.getText()));
  node.forEachChild((child) => visitStyle(child, report));
}

/** Objects that every browser has: that one is named says nothing of what it holds. */
const EVERYWHERE = new Set(["navigator", "window", "document", "globalThis", "self", "this", "Object", "Array", "Promise", "Map", "Set"]);

/** The names by which code may look for a member first: its own, and those of the objects that it is reached by. */
function namesIn(access: Node, name: string): string[] {
  const before = isPropertyAccessExpression(access) ? (access.expression.getText().match(/[A-Za-z_$][\w$]*/g) ?? []) : [];
  return [name, ...before.filter((word) => !EVERYWHERE.has(word) && isSuspect(word))];
}

/** True where code gets there only after it looked for one of the names, or where it is made for what it gets there to fail. */
function isGuarded(access: Node, names: string[]): boolean {
  if (isLook(access)) return true;
  const file = access.getSourceFile();
  let isInside = true;
  for (let child = access, { parent } = access; !isSourceFile(child); child = parent, parent = parent.parent) {
    if (isIfStatement(parent) && child !== parent.expression && looksFor(parent.expression, names, file)) return true;
    if (isConditionalExpression(parent) && child !== parent.condition && looksFor(parent.condition, names, file)) return true;
    if (isBinaryExpression(parent) && parent.right === child && isLogical(parent) && looksFor(parent.left, names, file)) return true;
    if (isTryStatement(parent) && parent.tryBlock === child && parent.catchClause && isInside) return true;
    if (isBlock(parent) || isSourceFile(parent)) {
      const before = parent.statements.filter((statement) => statement.end <= child.pos);
      if (
        before.some(
          (statement) => isIfStatement(statement) && leaves(statement.thenStatement) && looksFor(statement.expression, names, file),
        )
      ) {
        return true;
      }
    }
    if (isFunctionLikeDeclaration(parent)) isInside = false;
    if (isSourceFile(parent)) break;
  }
  return false;
}

/** True where a member is only asked for, which gives undefined where there is none. */
function isLook(access: Node): boolean {
  const { parent } = access;
  if (
    (isCallExpression(parent) || isPropertyAccessExpression(parent) || isElementAccessExpression(parent)) &&
    parent.expression === access
  ) {
    return parent.questionDotToken !== undefined;
  }
  if (isTypeOfExpression(parent)) return true;
  if (isIdentifier(access)) return false;
  if (isIfStatement(parent)) return true;
  if (isConditionalExpression(parent)) return parent.condition === access;
  if (isPrefixUnaryExpression(parent)) return parent.operator === SyntaxKind.ExclamationToken;
  if (isParenthesizedExpression(parent)) return isLook(parent);
  return isBinaryExpression(parent) && (isLogical(parent) || /^[!=]==?$/.test(parent.operatorToken.getText()));
}

function isLogical(node: Node): boolean {
  return isBinaryExpression(node) && ["&&", "||", "??"].includes(node.operatorToken.getText());
}

function leaves(node: Node): boolean {
  if (isBlock(node)) return node.statements.some(leaves);
  return [SyntaxKind.ReturnStatement, SyntaxKind.ThrowStatement, SyntaxKind.ContinueStatement, SyntaxKind.BreakStatement].includes(
    node.kind,
  );
}

/** True where a condition names one of the names, or something that is declared in the file by one of them. */
function looksFor(condition: Node, names: string[], file: SourceFile): boolean {
  const text = condition.getText();
  if (hasWord(text, names)) return true;
  return (text.match(/[A-Za-z_$][\w$]*/g) ?? []).some((word) => hasWord(declarationOf(word, file), names));
}

function declarationOf(word: string, file: SourceFile): string {
  const name = word.replaceAll("$", "\\$");
  return new RegExp(`\\b(?:const ${name}\\b[^;]*;|function ${name}\\([^]*?\\n\\})`).exec(file.text)?.[0] ?? "";
}

function hasWord(text: string, names: string[]): boolean {
  return names.some((name) => new RegExp(`\\b${name}\\b`).test(text));
}
