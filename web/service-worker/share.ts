import { ATTACHMENT_BYTES, ATTACHMENTS_PER_MESSAGE } from "#shared/limits.ts";
import { pathWithText, SHARE_TARGET, sharedParts, sharedText } from "#shared/sharing/share-target.ts";
import { putShared } from "../lib/shared-inbox.ts";

/** The answer to what the system shares with the installed application; null for every other request. */
export function answerShare({ request }: FetchEvent): Promise<Response> | null {
  return request.method === "POST" && new URL(request.url).pathname === SHARE_TARGET ? openNewChat(request) : null;
}

/** Keeps the text and files for a new chat's page, and goes there. Nothing is sent by that: any site may post here, and its visitor's press there decides. */
async function openNewChat(request: Request): Promise<Response> {
  // What cannot be read shares nothing, and its sender still comes to a new chat.
  const form = await request.formData().catch(() => new FormData());
  const text = sharedText(sharedParts(form));
  const files = form.getAll("files").filter((field): field is File => field instanceof File && field.name !== "");
  const kept = files.filter(({ size }) => size <= ATTACHMENT_BYTES).slice(0, ATTACHMENTS_PER_MESSAGE);
  try {
    const read = async (file: File) => ({ name: file.name, type: file.type, bytes: await file.arrayBuffer() });
    const id = await putShared({ text, files: await Promise.all(kept.map(read)), at: Date.now(), leftOut: files.length - kept.length });
    return Response.redirect(`/new?shared=${id}`, 303);
  } catch {
    // No room, or no database: the text still comes along.
    return Response.redirect(pathWithText(text), 303);
  }
}
