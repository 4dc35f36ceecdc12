import { EditorState } from "@codemirror/state";
import { expect, test } from "vitest";
import { markedRange, markRange } from "#web/features/library/artifact-editor/open-editor.ts";

test("a part is marked without being selected, until something is typed or chosen", () => {
  const empty = EditorState.create({ doc: "There the heron nests.", extensions: [markedRange] });
  const marked = empty.update({ selection: { anchor: 10 }, effects: markRange.of({ from: 10, to: 15 }) }).state;
  expect(marked.field(markedRange).size).toBe(1);
  expect(marked.selection.main.empty).toBe(true);
  expect(marked.update({}).state.field(markedRange).size).toBe(1);
  const typed = marked.update(marked.replaceSelection("grey ")).state;
  expect(typed.doc.toString()).toBe("There the grey heron nests.");
  expect(typed.field(markedRange).size).toBe(0);
  expect(marked.update({ selection: { anchor: 0 } }).state.field(markedRange).size).toBe(0);
});
