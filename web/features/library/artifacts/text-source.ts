import { createListeners } from "#web/lib/store.ts";

/** Where a text is typed. */
export type TextEditor = { read: () => string; write: (text: string) => void };

/** The text of an open artifact: held by its editor while there is one, passed to all who show it. */
export type TextSource = {
  read: () => string;
  /** Puts another text in its place: what others wrote. Nobody typed it. */
  write: (text: string) => void;
  /** Called by the editor alone: somebody typed. */
  typed: () => void;
  /** Takes an editor for the place where the text is; returns how to let go of it. */
  attach: (editor: TextEditor) => () => void;
  /** Hears of every change, `isTyped` for those made here. */
  subscribe: (listener: (isTyped: boolean) => void) => () => void;
};

/** Makes the source of a text. A long text is put together only when somebody asks for it. */
export function createTextSource(initial: string): TextSource {
  let text = initial;
  let isStale = false;
  let editor: TextEditor | null = null;
  const { notify, subscribe } = createListeners<[isTyped: boolean]>();
  const read = () => {
    if (isStale && editor) text = editor.read();
    isStale = false;
    return text;
  };
  return {
    read,
    write(next) {
      if (next === read()) return;
      editor?.write(next);
      text = next;
      isStale = false;
      notify(false);
    },
    typed() {
      isStale = true;
      notify(true);
    },
    attach(next) {
      editor = next;
      return () => {
        read();
        editor = null;
      };
    },
    subscribe,
  };
}
