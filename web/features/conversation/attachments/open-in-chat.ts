import { NEW_CHAT, flushDrafts, writeDraft } from "#web/features/conversation/composer/drafts.ts";

/** Begins a chat with a document attached to it as a file, and what to say about it, if anything, in the composer. */
export async function openInChat(
  { title, content, text = "" }: { title: string; content: string; text?: string },
  navigate: (path: string) => unknown,
): Promise<void> {
  const { attachFiles } = await import("#web/features/conversation/attachments/attach-files.ts");
  const name = `${
    title
      .replaceAll(/[\\/:*?"<>|]+/g, " ")
      .trim()
      .slice(0, 100) || "Artifact"
  }.md`;
  if (text !== "") {
    writeDraft(NEW_CHAT, text);
    flushDrafts();
  }
  void navigate("/");
  attachFiles(NEW_CHAT, [new File([content === "" ? " " : content], name, { type: "text/markdown" })]);
}
