import * as z from "zod";

/** Runs one statement of SQL in the database of a deployment; answers its rows. */
export type RunSql = (statement: string) => Promise<unknown[]>;

const Row = z.object({
  id: z.string(),
  kind: z.string(),
  payload: z.string(),
  attempts: z.nullable(z.number()),
  error_name: z.nullable(z.string()),
  error_message: z.nullable(z.string()),
  failed_at: z.string(),
  stuck_at: z.nullable(z.string()),
  retry_at: z.nullable(z.string()),
});
type Row = z.infer<typeof Row>;

/** Rows that one list shows. */
const SHOWN = 200;
/** A mail address is nobody's business in a terminal. */
const ADDRESS = /[^\s"@]+@[^\s"@]+/g;

/** The jobs that failed, as lines to print: stuck ones first, the newest first. */
export async function listJobs(run: RunSql): Promise<string> {
  const rows = z
    .array(Row)
    .parse(
      await run(
        `SELECT id, kind, payload, attempts, error_name, error_message, failed_at, stuck_at, retry_at FROM failed_jobs ORDER BY stuck_at IS NULL, failed_at DESC LIMIT ${SHOWN}`,
      ),
    );
  return rows.length === 0 ? "No job is stuck." : rows.map(describe).join("\n\n");
}

/** Asks for a stuck job to be sent again; the Worker does so within five minutes. Throws where there is none of this id. */
export async function retryJob(run: RunSql, id: string): Promise<void> {
  const set = `retry_at = '${new Date().toISOString()}'`;
  await requireOne(id, await run(`UPDATE failed_jobs SET ${set} WHERE id = '${checked(id)}' AND stuck_at IS NOT NULL RETURNING id`));
}

/** Drops a stuck job for good. Throws where there is none of this id. */
export async function dropJob(run: RunSql, id: string): Promise<void> {
  await requireOne(id, await run(`DELETE FROM failed_jobs WHERE id = '${checked(id)}' AND stuck_at IS NOT NULL RETURNING id`));
}

function describe({ id, kind, payload, attempts, error_name: name, error_message: message, ...times }: Row): string {
  const state = times.retry_at !== null ? "sent anew soon" : times.stuck_at === null ? "tried again by itself" : "stuck";
  const tried = attempts === null ? "attempts unknown" : `${attempts} ${attempts === 1 ? "attempt" : "attempts"}`;
  return [
    `${id}  ${kind || "(no job)"}  ${state}, ${tried}, last ${times.failed_at}`,
    `  of     ${payload.replaceAll(ADDRESS, "...")}`,
    `  error  ${name === null ? "none noted: the Worker ended" : `${name}: ${message}`}`,
  ].join("\n");
}

/** The id goes into a statement: nothing else may. */
function checked(id: string): string {
  if (!/^[0-9a-f]{12}$/.test(id)) throw new Error(`"${id}" is no id of a job: \`npm run jobs\` lists them.`);
  return id;
}

async function requireOne(id: string, rows: unknown[]): Promise<void> {
  if (rows.length === 0) throw new Error(`No job ${id} is stuck: \`npm run jobs\` lists those that are.`);
}
