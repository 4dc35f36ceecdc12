import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";

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
