import { formatOfName, FORMATS } from "#shared/attachment-rules.ts";
import { deleteAttachment, putAttachment } from "#shared/contracts/chat/attachments.ts";
import { ERRORS } from "#shared/errors.ts";
import { ATTACHMENT_BYTES, ATTACHMENT_NAME_LENGTH, ATTACHMENTS_PER_MESSAGE, IMAGE_BYTES } from "#shared/limits.ts";
import { toReadyFile, readDraftFiles, writeDraftFiles, type DraftFile } from "#web/features/conversation/composer/draft-files.ts";
import { outbox } from "#web/features/conversation/sending/outbox.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { upload } from "#web/lib/upload.ts";
import { toast } from "#web/ui/toast/toast.tsx";

/** Models look at no more pixels than these on the longer side. */
const LONGEST_SIDE = 2_576;
const QUALITY = 0.9;

/** A JPEG, PNG or WebP that models would refuse for its size, made small enough; any other file, and one that cannot be drawn, as it is. */
async function shrinkPicture(file: File): Promise<File> {
  if (file.size <= IMAGE_BYTES || !/\.(jpe?g|png|webp)$/i.test(file.name)) return file;
  try {
    const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
    const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale));
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    const small = await canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
    return new File([small], file.name.replace(/\.\w+$/, ".jpg"), { type: "image/jpeg" });
  } catch {
    // The server then says what is wrong with it.
    return file;
  }
}

/** A part smaller than this is not worth drawing the chips again. */
const PROGRESS_STEP = 0.02;

/** Refusals that another try may get past. */
const RETRIABLE: ReadonlySet<string> = new Set(["UPLOAD_BROKEN", "RATE_LIMITED"]);

/** The files themselves, which no storage of the browser's keeps, and their way off the network. */
const sources = new Map<string, { file: File; preview: string | null; abort: AbortController }>();

/** Attaches files to a draft: each is checked here first, then uploaded. */
export function attachFiles(draftKey: string, files: readonly File[]): void {
  const room = ATTACHMENTS_PER_MESSAGE - readDraftFiles(draftKey).files.length;
  if (files.length > room) {
    toast({
      title: `A message takes at most ${ATTACHMENTS_PER_MESSAGE} files`,
      description: "Send these first, then attach more.",
      tone: "warning",
    });
  }
  for (const file of files.slice(0, Math.max(0, room))) void attach(draftKey, file);
}

async function attach(draftKey: string, file: File): Promise<void> {
  const id = crypto.randomUUID();
  const draft = { id, name: file.name, size: file.size };
  const refusal = refusalOf(file);
  const source = { file, preview: isPicture(file.name) ? URL.createObjectURL(file) : null, abort: new AbortController() };
  if (refusal === null) sources.set(id, source);
  writeDraftFiles(draftKey, (files) => [
    ...files,
    refusal === null ? { ...draft, kind: "uploading", progress: 0 } : { ...draft, kind: "failed", message: refusal, canRetry: false },
  ]);
  if (refusal !== null) return;
  source.file = await shrinkPicture(file);
  await send(draftKey, id);
}

/** Why a file is not even tried, in the specification's words; the server asks the same. */
function refusalOf({ name, size }: File): string | null {
  const format = formatOfName(name);
  if (format === null) return ERRORS.FILE_TYPE.message;
  if (name.length > ATTACHMENT_NAME_LENGTH) return "That file name is too long.";
  if (size > ATTACHMENT_BYTES) return ERRORS.FILE_TOO_LARGE.message;
  return FORMATS[format].type === "image/gif" && size > IMAGE_BYTES ? ERRORS.PICTURE_TOO_LARGE.message : null;
}

async function send(draftKey: string, id: string): Promise<void> {
  const source = sources.get(id);
  // Removed before it began.
  if (!source || !isAttached(draftKey, id)) return;
  const { chatId } = readDraftFiles(draftKey);
  let shown = 0;
  try {
    const { attachment } = await upload(
      putAttachment,
      { params: { id: chatId, attachmentId: id }, query: { name: source.file.name } },
      {
        body: source.file,
        signal: source.abort.signal,
        onProgress(progress) {
          if (progress - shown < PROGRESS_STEP && progress < 1) return;
          shown = progress;
          update(draftKey, id, (file) => ({ ...file, kind: "uploading", progress }));
        },
      },
    );
    forget(id);
    // Removed when it was all but there.
    if (!isAttached(draftKey, id)) return withdraw(chatId, id);
    update(draftKey, id, () => toReadyFile(attachment));
  } catch (error) {
    if (source.abort.signal.aborted) return;
    if (!isAttached(draftKey, id)) return forget(id);
    const message = error instanceof ApiError ? error.message : "Upload failed";
    const canRetry = !(error instanceof ApiError) || error.status === 0 || error.status >= 500 || RETRIABLE.has(error.code);
    update(draftKey, id, ({ name, size }) => ({ id, name, size, kind: "failed", message, canRetry }));
  }
}

/** Tries a failed upload again, under the same id. */
export function retryFile(draftKey: string, id: string): void {
  update(draftKey, id, ({ name, size }) => ({ id, name, size, kind: "uploading", progress: 0 }));
  void send(draftKey, id);
}

/** Takes a file off a draft: what is on its way is called off, what has arrived is deleted. */
export function removeFile(draftKey: string, id: string): void {
  const { chatId, files } = readDraftFiles(draftKey);
  const file = files.find((one) => one.id === id);
  writeDraftFiles(draftKey, (all) => all.filter((one) => one.id !== id));
  if (file?.kind === "ready") return withdraw(chatId, id);
  // The last byte is out, and nobody can tell whether it arrived: the answer will.
  if (file?.kind === "uploading" && file.progress === 1) return;
  sources.get(id)?.abort.abort();
  forget(id);
}

/** Deletes a file that was uploaded for nothing; what is not reached now goes with the night's. */
function withdraw(chatId: string, id: string): void {
  // Another tab has sent it, and the server does not know yet.
  if (outbox.all().some(({ attachments }) => attachments?.some((file) => file.id === id))) return;
  void call(deleteAttachment, { params: { id: chatId, attachmentId: id } }, { keepalive: true }).catch(() => {});
}

function isAttached(draftKey: string, id: string): boolean {
  return readDraftFiles(draftKey).files.some((file) => file.id === id);
}

/** Where a picture at the composer can be seen: in this browser while it is on its way, then at its own address; null for other files. */
export function previewOf(file: DraftFile): string | null {
  if (file.kind === "ready") return file.attachment.kind === "image" ? file.attachment.url : null;
  return sources.get(file.id)?.preview ?? null;
}

function forget(id: string): void {
  const preview = sources.get(id)?.preview;
  if (preview) URL.revokeObjectURL(preview);
  sources.delete(id);
}

function isPicture(name: string): boolean {
  const format = formatOfName(name);
  return format !== null && FORMATS[format].kind === "image";
}

function update(draftKey: string, id: string, change: (file: DraftFile) => DraftFile): void {
  writeDraftFiles(draftKey, (files) => files.map((file) => (file.id === id ? change(file) : file)));
}
