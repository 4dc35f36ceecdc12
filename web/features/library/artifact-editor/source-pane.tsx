import { useEffect, useEffectEvent, useRef } from "react";
import { type OpenEditor, openEditor } from "./open-editor.ts";
import type { TextSource } from "#web/features/library/artifacts/text-source.ts";

export type SourcePaneProps = {
  source: TextSource;
  isReadOnly: boolean;
  /** True for a document that was just made: its text is where one goes on. */
  takesFocus: boolean;
  onFiles: (files: File[], editor: OpenEditor) => boolean;
  onSave: () => void;
  /** The editor as soon as it is open, and null when it goes. */
  onEditor: (editor: OpenEditor | null) => void;
};

/** The markdown of an artifact, to be typed in. */
export default function SourcePane({ source, isReadOnly, takesFocus, onFiles, onSave, onEditor }: SourcePaneProps) {
  const box = useRef<HTMLDivElement>(null);
  const editorRef = useRef<OpenEditor>(null);
  const takeFiles = useEffectEvent((files: File[]) => (editorRef.current ? onFiles(files, editorRef.current) : false));
  const save = useEffectEvent(onSave);
  const notify = useEffectEvent(onEditor);
  const start = useEffectEvent((parent: HTMLElement) => {
    const editor = openEditor({
      parent,
      text: source.read(),
      isReadOnly,
      onTyped: source.typed,
      onFiles: (files) => takeFiles(files),
      onSave: () => save(),
    });
    if (takesFocus) editor.focus();
    return editor;
  });
  useEffect(() => {
    if (!box.current) return undefined;
    const editor = start(box.current);
    editorRef.current = editor;
    const detach = source.attach(editor);
    notify(editor);
    return () => {
      detach();
      editorRef.current = null;
      notify(null);
      editor.close();
    };
  }, [source]);
  useEffect(() => editorRef.current?.setReadOnly(isReadOnly), [isReadOnly]);
  return <div ref={box} className="h-full min-h-0 min-w-0" />;
}
