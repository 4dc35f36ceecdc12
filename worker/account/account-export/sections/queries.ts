/** What an export reads of a person's rows. Secrets are named nowhere here: each query names its columns, or leaves out what must not be read. */
import { and, asc, count, eq, gt, isNull } from "drizzle-orm";
import type { Database } from "#worker/platform/db/client.ts";
import { additionalEmails } from "#worker/platform/db/schema/additional-emails.ts";
import { artifactFiles, artifactMarks, artifacts, artifactVersions } from "#worker/platform/db/schema/artifacts.ts";
import { chats } from "#worker/platform/db/schema/chats.ts";
import { knowledgeDriveFolders } from "#worker/platform/db/schema/drive.ts";
import { knowledge, knowledgeArtifacts, knowledgeFiles } from "#worker/platform/db/schema/knowledge.ts";
import { mcpConnections } from "#worker/platform/db/schema/mcp-connections.ts";
import { callSettings } from "#worker/platform/db/schema/outbound.ts";
import { personas, personaVersions } from "#worker/platform/db/schema/personas.ts";
import { prompts, promptUses } from "#worker/platform/db/schema/prompts.ts";
import { teamMembers, teams } from "#worker/platform/db/schema/teams.ts";
import { toolSettings } from "#worker/platform/db/schema/tool-settings.ts";
import { users } from "#worker/platform/db/schema/users.ts";

/** What a user set up, and who they are. */
export async function selectProfile(db: Database, userId: string) {
  const [rows, addresses, tools, calls, connections, membership] = await db.batch([
    db.select().from(users).where(eq(users.id, userId)),
    db
      .select({ email: additionalEmails.email, verified_at: additionalEmails.verified_at })
      .from(additionalEmails)
      .where(eq(additionalEmails.user_id, userId))
      .orderBy(asc(additionalEmails.verified_at)),
    db.select().from(toolSettings).where(eq(toolSettings.user_id, userId)).orderBy(asc(toolSettings.tool_id)),
    db.select().from(callSettings).where(eq(callSettings.user_id, userId)),
    db
      .select({
        id: mcpConnections.id,
        name: mcpConnections.name,
        description: mcpConnections.description,
        server_url: mcpConnections.server_url,
        enabled: mcpConnections.enabled,
        trusted: mcpConnections.trusted,
        auth_type: mcpConnections.auth_type,
        created_at: mcpConnections.created_at,
      })
      .from(mcpConnections)
      .where(eq(mcpConnections.user_id, userId))
      .orderBy(asc(mcpConnections.created_at)),
    db
      .select({ id: teams.id, name: teams.name, description: teams.description, role: teamMembers.role, joined_at: teamMembers.created_at })
      .from(teamMembers)
      .innerJoin(teams, eq(teams.id, teamMembers.team_id))
      .where(and(eq(teamMembers.user_id, userId), isNull(teams.deleted_at)))
      .orderBy(asc(teams.name)),
  ]);
  return { row: rows[0], addresses, tools, calls: calls[0], connections, membership };
}

/** A user's own personas, each with its earlier versions, oldest first. */
export async function selectOwnPersonas(db: Database, userId: string) {
  const [own, versions] = await db.batch([
    db.select().from(personas).where(eq(personas.user_id, userId)).orderBy(asc(personas.created_at), asc(personas.id)),
    db
      .select({ version: personaVersions })
      .from(personaVersions)
      .innerJoin(personas, eq(personas.id, personaVersions.persona_id))
      .where(eq(personas.user_id, userId))
      .orderBy(asc(personaVersions.persona_id), asc(personaVersions.version)),
  ]);
  return own.map(({ user_id: _owner, is_untrusted: _isUntrusted, ...persona }) => ({
    ...persona,
    versions: versions.flatMap(({ version: { persona_id: of, is_untrusted: _wasUntrusted, ...version } }) =>
      of === persona.id ? [version] : [],
    ),
  }));
}

/** A user's own prompts in their order, each with how often they used it. */
export async function selectOwnPrompts(db: Database, userId: string) {
  const rows = await db
    .select({ prompt: prompts, uses: promptUses.uses, last_used_at: promptUses.last_used_at })
    .from(prompts)
    .leftJoin(promptUses, and(eq(promptUses.prompt_id, prompts.id), eq(promptUses.user_id, userId)))
    .where(eq(prompts.user_id, userId))
    .orderBy(asc(prompts.position), asc(prompts.id));
  return rows.map(({ prompt, uses, last_used_at }) => {
    const { user_id: _owner, beginning: _beginning, length: _length, steps: _steps, fields: _fields, ...own } = prompt;
    return { ...own, uses: uses ?? 0, last_used_at };
  });
}

const isOwnChat = (userId: string) => and(eq(chats.user_id, userId), isNull(chats.deleted_at));

export async function countOwnChats(db: Database, userId: string): Promise<number> {
  const row = await db.select({ n: count() }).from(chats).where(isOwnChat(userId)).get();
  return row?.n ?? 0;
}

/** A user's own chat that follows one in the order of their ids. */
export async function nextOwnChat(db: Database, { userId, after }: { userId: string; after: string }) {
  return db
    .select({ id: chats.id, title: chats.title, public: chats.public, team_id: chats.team_id, created_at: chats.created_at })
    .from(chats)
    .where(and(isOwnChat(userId), gt(chats.id, after)))
    .orderBy(asc(chats.id))
    .limit(1)
    .get();
}

/** How many knowledge entries a user has of their own. */
export async function countOwnKnowledge(db: Database, userId: string): Promise<number> {
  const row = await db.select({ n: count() }).from(knowledge).where(eq(knowledge.user_id, userId)).get();
  return row?.n ?? 0;
}

const FILE_COLUMNS = {
  id: knowledgeFiles.id,
  file_name: knowledgeFiles.file_name,
  file_type: knowledgeFiles.file_type,
  file_size: knowledgeFiles.file_size,
  file_source: knowledgeFiles.file_source,
  created_at: knowledgeFiles.created_at,
  is_stored: knowledgeFiles.is_stored,
  object_key: knowledgeFiles.object_key,
};

/** A user's own knowledge entry that follows one in the order of their ids, or with `isSame` that one, with its files and what else it holds. */
export async function nextOwnKnowledge(db: Database, { userId, after, isSame }: { userId: string; after: string; isSame: boolean }) {
  const place = isSame ? eq(knowledge.id, after) : gt(knowledge.id, after);
  const entry = await db
    .select()
    .from(knowledge)
    .where(and(eq(knowledge.user_id, userId), place))
    .orderBy(asc(knowledge.id))
    .limit(1)
    .get();
  if (!entry) return null;
  const [files, held, folders] = await db.batch([
    db.select(FILE_COLUMNS).from(knowledgeFiles).where(eq(knowledgeFiles.context_id, entry.id)).orderBy(asc(knowledgeFiles.id)),
    db
      .select({ id: knowledgeArtifacts.artifact_id })
      .from(knowledgeArtifacts)
      .where(eq(knowledgeArtifacts.context_id, entry.id))
      .orderBy(asc(knowledgeArtifacts.created_at)),
    db
      .select({ id: knowledgeDriveFolders.folder_id, name: knowledgeDriveFolders.name })
      .from(knowledgeDriveFolders)
      .where(eq(knowledgeDriveFolders.context_id, entry.id)),
  ]);
  return { entry, files, artifacts: held.map(({ id }) => id), folders };
}

export async function countOwnArtifacts(db: Database, userId: string): Promise<number> {
  const row = await db.select({ n: count() }).from(artifacts).where(eq(artifacts.user_id, userId)).get();
  return row?.n ?? 0;
}

/** A user's own artifact that follows one in the order of their ids, or with `isSame` that one, with its history and its pictures. */
export async function nextOwnArtifact(db: Database, { userId, after, isSame }: { userId: string; after: string; isSame: boolean }) {
  const place = isSame ? eq(artifacts.id, after) : gt(artifacts.id, after);
  const artifact = await db
    .select()
    .from(artifacts)
    .where(and(eq(artifacts.user_id, userId), place))
    .orderBy(asc(artifacts.id))
    .limit(1)
    .get();
  if (!artifact) return null;
  const [versions, files, marks] = await db.batch([
    db
      .select()
      .from(artifactVersions)
      .where(and(eq(artifactVersions.artifact_id, artifact.id), isNull(artifactVersions.replaced_at)))
      .orderBy(asc(artifactVersions.version)),
    db.select().from(artifactFiles).where(eq(artifactFiles.artifact_id, artifact.id)).orderBy(asc(artifactFiles.id)),
    db
      .select({ is_pinned: artifactMarks.is_pinned })
      .from(artifactMarks)
      .where(and(eq(artifactMarks.artifact_id, artifact.id), eq(artifactMarks.user_id, userId))),
  ]);
  return { artifact, versions, files, isPinned: marks[0]?.is_pinned ?? false };
}
