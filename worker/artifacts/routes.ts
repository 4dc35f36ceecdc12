import type { Context, Hono } from "hono";
import * as contracts from "#shared/contracts/artifacts.ts";
import type { ArtifactConflict } from "#shared/contracts/artifacts.ts";
import { ERRORS } from "#shared/errors.ts";
import { AppError } from "../app-error.ts";
import { type AppContext, configOf } from "../env.ts";
import { ownOrigin } from "../http/origin.ts";
import { serve } from "../http/serve.ts";
import {
  changeArtifact,
  makeArtifact,
  noteOpened,
  readArtifact,
  readHistory,
  readVersion,
  removeArtifact,
  restoreVersion,
  uploadFile,
} from "./artifacts.ts";
import { keepFile, serveFile } from "./files.ts";
import { listArtifacts } from "./list/list.ts";
import { reachArtifact } from "./reach/reach.ts";
import { saveArtifact } from "./save.ts";
import { readShares, removeShare, shareArtifact } from "./sharing/sharing.ts";
import { notifyOfArtifact, notifyReaders } from "./notify.ts";

const OK = { ok: true } as const;

/** Mounts artifacts: all answer ARTIFACTS_OFF where the deployment has none. */
export function artifactRoutes(app: Hono<AppContext>): void {
  const refuseOff = async (c: Context<AppContext>, next: () => Promise<void>) => {
    if (!configOf(c.env).hasArtifacts) throw new AppError("ARTIFACTS_OFF");
    await next();
  };
  app.use("/api/artifacts", refuseOff);
  app.use("/api/artifacts/*", refuseOff);

  serve(app, contracts.listArtifacts, ({ c, caller, query }) => listArtifacts(c.var.db, caller.userId, query));

  serve(app, contracts.createArtifact, async ({ c, caller, body }) => {
    const artifact = await makeArtifact(c.env, c.var.db, { userId: caller.userId }, body);
    notify(c, artifact);
    return { id: artifact.id, artifact };
  });

  serve(app, contracts.uploadMarkdown, async ({ c, caller, body }) => {
    const artifact = await uploadFile(c.env, c.var.db, caller.userId, body);
    notify(c, artifact);
    return { artifact: { id: artifact.id, title: artifact.title }, error: null };
  });

  serve(app, contracts.getArtifact, async ({ c, caller, params }) => ({
    artifact: await readArtifact(c.env, c.var.db, caller.userId, params.id),
  }));

  serve(app, contracts.updateArtifact, async ({ c, caller, params, body }) => {
    const artifact = await changeArtifact(c.var.db, caller.userId, params.id, body);
    if (body.title !== undefined) notify(c, artifact);
    else c.executionCtx.waitUntil(notifyOfArtifact(c.env, [caller.userId], { artifactId: artifact.id, version: artifact.version }));
    return { artifact };
  });

  serve(app, contracts.putArtifactContent, async ({ c, caller, params, body }) => {
    const { content, base_version: base, is_review: isReview = false } = body;
    const input = { content, base, kind: isReview ? ("review" as const) : ("edit" as const) };
    const saved = await saveArtifact(c.env, c.var.db, { userId: caller.userId }, params.id, input);
    if (!saved.isSaved) {
      const { status, message } = ERRORS.ARTIFACT_CONFLICT;
      return c.json({ error: message, code: "ARTIFACT_CONFLICT", current: saved.current } satisfies ArtifactConflict, status);
    }
    if (saved.isNew) notify(c, { id: params.id, version: saved.version });
    return { version: saved.version, updated_at: saved.updatedAt, content: saved.content };
  });

  serve(app, contracts.listArtifactVersions, ({ c, caller, params, query }) => readHistory(c.var.db, caller.userId, params.id, query));

  serve(app, contracts.getArtifactVersion, async ({ c, caller, params, query }) => {
    const wanted = { id: params.id, version: params.version, nearest: query.nearest === "true" };
    return { version: await readVersion(c.env, c.var.db, caller.userId, wanted) };
  });

  serve(app, contracts.restoreArtifact, async ({ c, caller, params, body }) => {
    const input = { id: params.id, version: body.version };
    const { artifact, isNew } = await restoreVersion(c.env, c.var.db, { userId: caller.userId }, input);
    if (isNew) notify(c, artifact);
    return { artifact };
  });

  serve(app, contracts.deleteArtifact, async ({ c, caller, params }) => {
    const readerIds = await removeArtifact(c.env, c.var.db, caller.userId, params.id);
    c.executionCtx.waitUntil(notifyOfArtifact(c.env, readerIds, { artifactId: params.id, version: null }));
    return OK;
  });

  serve(app, contracts.openedArtifact, async ({ c, caller, params, body }) => {
    await noteOpened(c.var.db, caller.userId, params.id, body.version);
    return OK;
  });

  serve(app, contracts.listArtifactShares, ({ c, caller, params }) => readShares(c.var.db, { caller, artifactId: params.id }));

  serve(app, contracts.shareArtifact, async ({ c, caller, params, body }) => {
    const shares = await shareArtifact(c.env, c.var.db, { caller, artifactId: params.id, input: body, origin: ownOrigin(c) });
    c.executionCtx.waitUntil(notifyNewReaders(c, params.id, caller.userId));
    return shares;
  });

  serve(app, contracts.removeArtifactShare, async ({ c, caller, params }) => {
    const place = { caller, artifactId: params.id, of: "user", shareId: params.shareId } as const;
    notifyLost(c, params.id, await removeShare(c.var.db, place));
    return OK;
  });

  serve(app, contracts.removeArtifactTeamShare, async ({ c, caller, params }) => {
    const place = { caller, artifactId: params.id, of: "team", shareId: params.shareId } as const;
    notifyLost(c, params.id, await removeShare(c.var.db, place));
    return OK;
  });

  serve(app, contracts.putArtifactFile, async ({ c, caller, params, query }) => {
    const upload = { artifactId: params.id, fileId: params.fileId, name: query.name, request: c.req.raw };
    return { file: await keepFile(c.env, c.var.db, caller.userId, upload) };
  });

  serve(app, contracts.getArtifactFile, ({ c, caller, params }) =>
    serveFile(c.env, c.var.db, caller.userId, { artifactId: params.id, fileId: params.fileId }),
  );
}

/** Others' tabs show what this one changed; the answer does not wait for them. */
function notify(c: Context<AppContext>, { id, version }: { id: string; version: number }): void {
  c.executionCtx.waitUntil(notifyReaders(c.env, c.var.db, { artifactId: id, version }));
}

async function notifyNewReaders(c: Context<AppContext>, artifactId: string, userId: string): Promise<void> {
  const { row } = await reachArtifact(c.var.db, userId, artifactId);
  await notifyReaders(c.env, c.var.db, { artifactId, version: row.version });
}

/** Who still reaches it another way reads it again and finds that. */
function notifyLost(c: Context<AppContext>, artifactId: string, userIds: readonly string[]): void {
  c.executionCtx.waitUntil(notifyOfArtifact(c.env, userIds, { artifactId, version: null }));
}
