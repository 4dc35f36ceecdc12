import {
  AlignmentType,
  BorderStyle,
  Document,
  ExternalHyperlink,
  HeadingLevel,
  ImageRun,
  type IRunOptions,
  LevelFormat,
  Packer,
  Paragraph,
  type ParagraphChild,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from "docx";
import type { PhrasingContent, RootContent, Table as MarkdownTable } from "mdast";
import { parseDocument } from "#shared/markdown/bounded-document.ts";
import { collectReferences, type References } from "#shared/markdown/references.ts";
import { safeUrl } from "#shared/markdown/safe-url.ts";
import { noPictures, type Pictures } from "./load-pictures.ts";

const HEADINGS = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
] as const;
const ALIGNMENTS = { left: AlignmentType.LEFT, right: AlignmentType.RIGHT, center: AlignmentType.CENTER } as const;
/** A twentieth of a point each. */
const INDENT = 360;
/** Pixels between the margins of a page. */
const PAGE_PX = 600;
/** As deep as lists go in the numbering of a document. */
const LEVELS = 9;

type Context = {
  references: References;
  pictures: Pictures;
  lists: number;
  level: number;
  isQuoted: boolean;
  numbered: Map<number, number>;
};
type Block = Paragraph | Table;

/** An artifact as a Word document: headings, lists, tables, links and code as what they are there. */
export async function toDocx(title: string, markdown: string, pictures: Pictures = noPictures): Promise<Blob> {
  const nodes = parseDocument(markdown).map(({ node }) => node);
  const context: Context = { references: collectReferences(nodes), pictures, lists: 0, level: -1, isQuoted: false, numbered: new Map() };
  const body = blocks(nodes, context);
  const notes = context.references.footnotes.flatMap(({ children }, index) => [
    new Paragraph({ children: [new TextRun({ text: `${index + 1}.`, bold: true })], spacing: { before: 160 } }),
    ...blocks(children, context),
  ]);
  return Packer.toBlob(
    new Document({
      title,
      numbering: { config: [...context.numbered].map(([list, start]) => ({ reference: `list-${list}`, levels: levelsFrom(start) })) },
      sections: [{ children: [new Paragraph({ text: title, heading: HeadingLevel.TITLE }), ...body, ...notes] }],
    }),
  );
}

function levelsFrom(start: number) {
  return Array.from({ length: LEVELS }, (_, level) => ({
    level,
    format: LevelFormat.DECIMAL,
    text: `%${level + 1}.`,
    alignment: AlignmentType.START,
    start: level === 0 ? start : 1,
    style: { paragraph: { indent: { left: INDENT * (level + 2), hanging: INDENT } } },
  }));
}

function blocks(nodes: readonly RootContent[], context: Context): Block[] {
  return nodes.flatMap((node) => block(node, context));
}

function block(node: RootContent, context: Context): Block[] {
  const quoted = context.isQuoted
    ? { indent: { left: INDENT }, border: { left: { style: BorderStyle.SINGLE, size: 8, color: "B8BDB4" } } }
    : {};
  const spacing = { after: 120 };
  switch (node.type) {
    case "paragraph":
      return [new Paragraph({ ...quoted, spacing, children: runs(node.children, context) })];
    case "heading":
      return [new Paragraph({ heading: HEADINGS[node.depth - 1] ?? HeadingLevel.HEADING_6, children: runs(node.children, context) })];
    case "list": {
      const list = context.lists + 1;
      context.lists = list;
      if (node.ordered) context.numbered.set(list, node.start ?? 1);
      const level = Math.min(context.level + 1, LEVELS - 1);
      return node.children.flatMap(({ children, checked }) =>
        children.flatMap((child, index): Block[] => {
          const inner = { ...context, level };
          if (child.type !== "paragraph") {
            const made = block(child, inner);
            context.lists = Math.max(context.lists, inner.lists);
            return made;
          }
          const mark = index === 0 && checked != null ? [new TextRun(checked ? "\u2611 " : "\u2610 ")] : [];
          const itemRuns = [...mark, ...runs(child.children, context)];
          if (index > 0) return [new Paragraph({ spacing, indent: { left: INDENT * (level + 2) }, children: itemRuns })];
          return [
            new Paragraph({
              children: itemRuns,
              ...(node.ordered ? { numbering: { reference: `list-${list}`, level } } : { bullet: { level } }),
            }),
          ];
        }),
      );
    }
    case "table":
      return [table(node, context), new Paragraph({})];
    case "code":
    case "math":
      return node.value
        .split("\n")
        .map((line) => new Paragraph({ ...quoted, children: [new TextRun({ text: line, font: "Courier New", size: 20 })] }));
    case "blockquote":
      return blocks(node.children, { ...context, isQuoted: true });
    case "thematicBreak":
      return [new Paragraph({ border: { bottom: { style: BorderStyle.SINGLE, size: 6, color: "B8BDB4" } } })];
    case "html":
      return [new Paragraph({ spacing, children: [new TextRun(node.value)] })];
    default:
      return [];
  }
}

function table({ children, align }: MarkdownTable, context: Context): Table {
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    rows: children.map(
      ({ children: cells }, row) =>
        new TableRow({
          tableHeader: row === 0,
          children: cells.map((cell, column) => {
            const side = align?.[column];
            const cellRuns = runs(cell.children, context, row === 0 ? { bold: true } : {});
            return new TableCell({ children: [new Paragraph({ children: cellRuns, ...(side && { alignment: ALIGNMENTS[side] }) })] });
          }),
        }),
    ),
  });
}

function runs(nodes: readonly PhrasingContent[], context: Context, look: IRunOptions = {}): ParagraphChild[] {
  return nodes.flatMap((node): ParagraphChild[] => {
    switch (node.type) {
      case "text":
        return [new TextRun({ ...look, text: node.value.replaceAll("\n", " ") })];
      case "strong":
        return runs(node.children, context, { ...look, bold: true });
      case "emphasis":
        return runs(node.children, context, { ...look, italics: true });
      case "delete":
        return runs(node.children, context, { ...look, strike: true });
      case "inlineCode":
      case "inlineMath":
        return [new TextRun({ ...look, text: node.value, font: "Courier New" })];
      case "break":
        return [new TextRun({ break: 1 })];
      case "link":
        return linked(node.url, runs(node.children, context, { ...look, style: "Hyperlink" }));
      case "linkReference":
        return linked(context.references.definitions.get(node.identifier)?.url ?? "", runs(node.children, context, look));
      case "image":
        return [image(node.url, node.alt, context, look)];
      case "imageReference":
        return [image(context.references.definitions.get(node.identifier)?.url ?? "", node.alt, context, look)];
      case "html":
        return [new TextRun({ ...look, text: node.value })];
      case "footnoteReference": {
        const number = context.references.footnotes.findIndex(({ identifier }) => identifier === node.identifier) + 1;
        return number === 0 ? [] : [new TextRun({ ...look, text: String(number), superScript: true })];
      }
      default:
        return [];
    }
  });
}

function image(url: string, alt: string | null | undefined, { pictures }: Context, look: IRunOptions): ParagraphChild {
  const picture = pictures.get(url);
  if (!picture) return new TextRun({ ...look, text: alt || "Image" });
  const { type, data, width, height } = picture;
  const scale = Math.min(1, PAGE_PX / width);
  return new ImageRun({
    type,
    data,
    transformation: { width: Math.round(width * scale), height: Math.round(height * scale) },
    altText: { name: alt || "Image", description: alt ?? "" },
  });
}

function linked(url: string, children: ParagraphChild[]): ParagraphChild[] {
  const link = safeUrl(url);
  return link ? [new ExternalHyperlink({ link, children })] : children;
}
