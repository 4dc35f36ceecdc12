import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { markdown, markdownLanguage } from "@codemirror/lang-markdown";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  placeholder,
} from "@codemirror/view";
import { singleChange } from "#web/features/library/artifacts/merge-texts.ts";
import { tags } from "@lezer/highlight";

/** The editor in the product's own colours and type; buttons and fields as everywhere. */
const editorTheme = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--color-bg)", color: "var(--color-ink)", fontSize: "13px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "20px", overscrollBehavior: "contain" },
  ".cm-content": { padding: "12px 0 96px", caretColor: "var(--color-ink)" },
  ".cm-line": { padding: "0 16px 0 8px" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--color-ink3)", border: "none", minWidth: "44px" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 8px 0 12px", minWidth: "44px" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "var(--color-s1)" },
  ".cm-cursor": { borderLeftColor: "var(--color-ink)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--color-accent-soft)",
  },
  ".cm-markedRange": { backgroundColor: "var(--color-signal-soft)" },
  ".cm-placeholder": { color: "var(--color-ink3)" },
  ".cm-selectionMatch": { backgroundColor: "var(--color-s3)" },
  ".cm-searchMatch": { backgroundColor: "var(--color-signal-soft)", outline: "1px solid var(--color-signal)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--color-accent-soft)" },
  ".cm-panels": { backgroundColor: "var(--color-s1)", color: "var(--color-ink)", borderBottom: "1px solid var(--color-line)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--color-line)" },
  ".cm-panel.cm-search": {
    padding: "8px 40px 8px 12px",
    fontFamily: "var(--font-sans)",
    fontSize: "13px",
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    gap: "6px",
  },
  ".cm-panel.cm-search br": { flexBasis: "100%" },
  ".cm-panel.cm-search label": { display: "inline-flex", alignItems: "center", gap: "4px", fontSize: "13px" },
  ".cm-textfield": {
    height: "32px",
    margin: "0",
    padding: "0 10px",
    fontSize: "13px",
    borderRadius: "8px",
    border: "1px solid var(--color-line-strong)",
    backgroundColor: "var(--color-s2)",
    color: "var(--color-ink)",
  },
  ".cm-button": {
    height: "32px",
    margin: "0",
    padding: "0 10px",
    fontSize: "13px",
    borderRadius: "8px",
    border: "none",
    backgroundImage: "none",
    backgroundColor: "var(--color-s3)",
    color: "var(--color-ink)",
    "&:active": { backgroundImage: "none", backgroundColor: "var(--color-s4)" },
  },
  ".cm-panel.cm-search [name=close]": {
    top: "8px",
    right: "8px",
    width: "32px",
    height: "32px",
    fontSize: "20px",
    color: "var(--color-ink2)",
  },
  "@media (pointer: coarse)": { ".cm-textfield, .cm-button": { height: "44px", fontSize: "16px" } },
});

/** Markdown's parts in the six hues of code. */
const editorHighlight = HighlightStyle.define([
  { tag: tags.heading, color: "var(--color-code-keyword)", fontWeight: "600" },
  { tag: tags.strong, fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: [tags.link, tags.url], color: "var(--color-code-title)" },
  { tag: tags.monospace, color: "var(--color-code-string)" },
  { tag: [tags.processingInstruction, tags.contentSeparator], color: "var(--color-ink3)" },
  { tag: tags.quote, color: "var(--color-ink2)" },
  { tag: tags.keyword, color: "var(--color-code-keyword)" },
  { tag: [tags.string, tags.character], color: "var(--color-code-string)" },
  { tag: tags.number, color: "var(--color-code-number)" },
  { tag: [tags.typeName, tags.tagName], color: "var(--color-code-type)" },
  { tag: tags.attributeName, color: "var(--color-code-attr)" },
  { tag: tags.comment, color: "var(--color-ink3)" },
]);

export type OpenEditor = {
  read: () => string;
  /** Puts another text in its place, touching only what differs, so the caret stays. */
  write: (text: string) => void;
  /** Puts a picture or the like where the caret is. */
  insertBlock: (text: string) => void;
  replaceOnce: (text: string, by: string) => void;
  focus: () => void;
  /** Puts the caret there and shows it. */
  goTo: (offset: number) => void;
  /** Marks a part, and puts it in the middle with the caret before it. */
  showRange: (range: { start: number; end: number }) => void;
  find: () => void;
  setReadOnly: (isReadOnly: boolean) => void;
  close: () => void;
};

type Wanted = {
  parent: HTMLElement;
  text: string;
  isReadOnly: boolean;
  onTyped: () => void;
  /** Files that were pasted or dropped; true where they were taken. */
  onFiles: (files: File[]) => boolean;
  onSave: () => void;
};

/** The search panel's words, written as everywhere. */
const PHRASES = {
  next: "Next",
  previous: "Previous",
  all: "Select all",
  "match case": "Match case",
  regexp: "Regular expression",
  "by word": "Whole words",
  replace: "Replace",
  "replace all": "Replace all",
  close: "Close search",
};

/** Marks what nobody typed here. */
const fromElsewhere = Annotation.define<boolean>();

/** Opens an editor of markdown in an element. */
export function openEditor({ parent, text, isReadOnly, onTyped, onFiles, onSave }: Wanted): OpenEditor {
  const access = new Compartment();
  const accessOf = (isLocked: boolean) => [EditorState.readOnly.of(isLocked), EditorView.editable.of(!isLocked)];
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        dropCursor(),
        highlightActiveLine(),
        EditorState.allowMultipleSelections.of(true),
        EditorView.lineWrapping,
        markdown({ base: markdownLanguage, completeHTMLTags: false }),
        syntaxHighlighting(editorHighlight),
        search({ top: true }),
        EditorState.phrases.of(PHRASES),
        placeholder("Write in markdown"),
        access.of(accessOf(isReadOnly)),
        EditorView.contentAttributes.of({
          "aria-label": "Artifact text",
          spellcheck: "true",
          autocorrect: "on",
          autocapitalize: "sentences",
        }),
        // Tab goes on to what comes next, as everywhere: nobody is caught in here.
        keymap.of([
          {
            key: "Mod-s",
            run: () => {
              onSave();
              return true;
            },
          },
          ...searchKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorView.domEventHandlers({
          paste: (event) => takeFiles(event, event.clipboardData, onFiles),
          drop(event, editor) {
            const at = editor.posAtCoords({ x: event.clientX, y: event.clientY });
            const hasFiles = event.dataTransfer?.types.includes("Files") === true;
            // What is dropped stands where it was let go.
            if (hasFiles && at !== null) editor.dispatch({ selection: { anchor: at } });
            return takeFiles(event, event.dataTransfer, onFiles);
          },
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !update.transactions.some((made) => made.annotation(fromElsewhere))) onTyped();
        }),
        markedRange,
        editorTheme,
      ],
    }),
  });
  return {
    read: () => view.state.doc.toString(),
    write(next) {
      const change = singleChange(view.state.doc.toString(), next);
      if (change) view.dispatch({ changes: change, annotations: fromElsewhere.of(true) });
    },
    insertBlock(part) {
      const { from, to } = view.state.selection.main;
      const line = view.state.doc.lineAt(from);
      // Before a line's words it stands on its own; within them, as in a table's cell, it stays among them.
      const isBefore = from === line.from && to < line.to;
      const insert = isBefore ? `${part}\n\n` : part;
      view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length } });
    },
    replaceOnce(part, by) {
      const from = view.state.doc.toString().indexOf(part);
      if (from >= 0) view.dispatch({ changes: { from, to: from + part.length, insert: by } });
    },
    focus: () => view.focus(),
    goTo(offset) {
      const at = Math.min(offset, view.state.doc.length);
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "start", yMargin: 24 }) });
      view.focus();
    },
    showRange({ start, end }) {
      const most = view.state.doc.length;
      const [from, to] = [Math.min(start, most), Math.min(end, most)];
      const inSight = EditorView.scrollIntoView(from, { y: "center" });
      view.dispatch({ selection: { anchor: from }, effects: from < to ? [markRange.of({ from, to }), inSight] : inSight });
    },
    find: () => void openSearchPanel(view),
    setReadOnly: (isLocked) => view.dispatch({ effects: access.reconfigure(accessOf(isLocked)) }),
    close: () => view.destroy(),
  };
}

function takeFiles(event: Event, data: DataTransfer | null, onFiles: (files: File[]) => boolean): boolean {
  const files = [...(data?.files ?? [])];
  if (files.length === 0 || !onFiles(files)) return false;
  event.preventDefault();
  // The window's own way with dropped files is the composer's.
  event.stopPropagation();
  return true;
}

/** Marks a part of the text, which must not be empty. */
export const markRange = StateEffect.define<{ from: number; to: number }>();

const MARK = Decoration.mark({ class: "cm-markedRange" });

/** A part that is marked and not selected, so nothing typed replaces it; gone with the first change and the next place of the caret. */
export const markedRange = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, made) {
    const asked = made.effects.find((effect) => effect.is(markRange));
    if (asked) return Decoration.set(MARK.range(asked.value.from, asked.value.to));
    return made.docChanged || made.selection ? Decoration.none : marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});
