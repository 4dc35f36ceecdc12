type Sample = { language: string; pattern: RegExp; title: string; code: string; notes: readonly string[] };

const samples: readonly Sample[] = [
  {
    language: "ts",
    pattern: /typescript|javascript|\bts\b|\bjs\b|debounce|react|node/i,
    title: "Wait until the typing stops",
    code: `/** Calls \`run\` once, \`waitMs\` after the last of a burst of calls. */
export function debounce<Args extends unknown[]>(run: (...args: Args) => void, waitMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;

  const debounced = (...args: Args): void => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...args), waitMs);
  };
  debounced.cancel = () => clearTimeout(timer);
  return debounced;
}`,
    notes: [
      "The generic keeps the arguments' types for the caller.",
      "`cancel` matters when a component goes away: a late call would write into nothing.",
    ],
  },
  {
    language: "python",
    pattern: /python|pandas|django|flask|\bpy\b/i,
    title: "Group rows without loading them all",
    code: `from collections import Counter
from pathlib import Path
import csv


def totals_by(path: Path, key: str, amount: str) -> Counter[str]:
    """Sum one column by another, a row at a time."""
    totals: Counter[str] = Counter()
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            totals[row[key]] += round(float(row[amount]) * 100)
    return totals


for name, cents in totals_by(Path("orders.csv"), "city", "amount").most_common(3):
    print(f"{name:<12} {cents / 100:>10,.2f}")`,
    notes: ["Money is summed in cents, so that no fraction is lost.", "The file is read a row at a time: its size does not matter."],
  },
  {
    language: "sql",
    pattern: /\bsql\b|postgres|sqlite|database|query|index/i,
    title: "The next page, without counting",
    code: `-- Keyset pagination: as quick on page 1,000 as on the first.
SELECT id, title, updated_at
FROM chats
WHERE owner_id = :owner
  AND (updated_at, id) < (:last_updated_at, :last_id)
ORDER BY updated_at DESC, id DESC
LIMIT 50;

CREATE INDEX chats_by_owner ON chats (owner_id, updated_at DESC, id DESC);`,
    notes: [
      "The pair of columns is compared as one value, which needs the index in the same order.",
      "`OFFSET` would read and drop every earlier row.",
    ],
  },
  {
    language: "bash",
    pattern: /bash|shell|terminal|command line|script|\bcli\b/i,
    title: "The ten largest files that git tracks",
    code: `#!/usr/bin/env bash
set -euo pipefail

git ls-files -z \\
  | xargs -0 du -k \\
  | sort -rn \\
  | head -n "\${1:-10}" \\
  | while read -r size path; do
      printf '%8d KB  %s\\n' "$size" "$path"
    done`,
    notes: ["`-z` and `-0` keep names with spaces whole.", "`set -euo pipefail` stops at the first thing that fails."],
  },
  {
    language: "rust",
    pattern: /rust|cargo|borrow/i,
    title: "Count words, borrowing where one can",
    code: `use std::collections::HashMap;

/// Counts the words of a text without copying any of them.
fn count_words(text: &str) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word.trim_matches(|c: char| !c.is_alphanumeric())).or_insert(0) += 1;
    }
    counts
}

fn main() {
    let counts = count_words("the river and the bridge, the river again");
    let mut words: Vec<_> = counts.into_iter().collect();
    words.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    println!("{words:?}");
}`,
    notes: [
      "The map's keys borrow from the text; the compiler sees to it that the text lives longer.",
      "`entry` looks a word up once, whether it is there or not.",
    ],
  },
  {
    language: "json",
    pattern: /\bjson\b|schema|config/i,
    title: "A small schema that refuses what it does not know",
    code: `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "required": ["id", "title"],
  "additionalProperties": false,
  "properties": {
    "id": { "type": "string", "format": "uuid" },
    "title": { "type": "string", "minLength": 1, "maxLength": 200 },
    "tags": { "type": "array", "items": { "type": "string" }, "uniqueItems": true }
  }
}`,
    notes: [
      "`additionalProperties: false` turns a misspelt field into an error.",
      "Limits belong in the schema: both sides then share them.",
    ],
  },
];

/** A piece of working code in the language the prompt names, else one chosen by `variant`. */
export function codeAnswer(prompt: string, variant: number): string {
  const sample = samples.find(({ pattern }) => pattern.test(prompt)) ?? samples[variant % samples.length] ?? samples[0];
  if (!sample) return "";
  return `### ${sample.title}\n\n\`\`\`${sample.language}\n${sample.code}\n\`\`\`\n\nTwo things to notice:\n\n${sample.notes.map((note) => `- ${note}`).join("\n")}`;
}
