const MODELS = ["anthropic/claude-sonnet-4.5", "openai/gpt-5-mini", "google/gemini-2.5-flash"];
const DAYS = 40;
const DAY_MS = 86_400_000;

type Database<S> = { prepare(query: string): { bind(...values: unknown[]): S }; batch(statements: S[]): Promise<unknown> };

/** Gives an account closed days of spending, as its hub would have reported them. */
export async function spendDays<S>(database: Database<S>, email: string): Promise<void> {
  const insert = database.prepare("INSERT INTO usage_days SELECT id, ?, '', ?, ?, ?, ?, 1 FROM users WHERE email = ?");
  const days = Array.from({ length: DAYS }, (_, ago) => new Date(Date.now() - (ago + 1) * DAY_MS).toISOString().slice(0, 10));
  const spent = days.flatMap((day, ago) =>
    MODELS.map((model, n) => {
      const calls = 1 + ((ago * 7 + n * 3) % 11);
      return insert.bind(day, model, calls, calls * 4_100, calls * (9_000 - n * 3_500), email);
    }),
  );
  await database.batch(spent);
}
