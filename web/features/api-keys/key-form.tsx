import { useState, type ReactNode } from "react";
import type { ApiKey } from "#shared/entities/library/api-key.ts";
import { API_KEY_BUDGET_MAX, API_KEY_NAME_LENGTH } from "#shared/limits.ts";
import { Button } from "#web/ui/button.tsx";
import { focusOnMount } from "#web/ui/focus-on-mount.ts";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { SCOPES } from "./scopes.ts";
import type { KeyFields } from "./use-api-keys.ts";

type KeyFormProps = {
  /** The key to be changed; a new one without. */
  held?: ApiKey;
  busy: boolean;
  error: Error | null;
  onSave: (fields: KeyFields) => void;
  onCancel: () => void;
};

/** A key's name, what it may do and what it may spend. */
export function KeyForm({ held, busy, error, onSave, onCancel }: KeyFormProps) {
  const [name, setName] = useState(held?.name ?? "");
  const [scopes, setScopes] = useState(held?.scopes ?? []);
  const [budget, setBudget] = useState(held?.budget?.toString() ?? "");
  const dollars = parseBudget(budget);
  const problem = dollars === undefined ? `Give an amount from $0.01 to $${API_KEY_BUDGET_MAX.toLocaleString("en")}, or nothing.` : null;
  const canSave = name.trim() !== "" && scopes.length > 0 && dollars !== undefined;
  return (
    <form
      noValidate
      className="rounded-12 border border-line bg-s1 p-16"
      onSubmit={(event) => {
        event.preventDefault();
        if (canSave && !busy) onSave({ name, scopes, budget: dollars });
      }}
    >
      <TextField
        label="Name"
        name="key-name"
        ref={focusOnMount}
        autoComplete="off"
        placeholder="What will use it, e.g. Code editor"
        maxLength={API_KEY_NAME_LENGTH}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <fieldset className="mt-16">
        <legend className="text-13 font-medium text-ink2">It may</legend>
        {SCOPES.map(({ scope, label }) => (
          <Checkbox
            key={scope}
            label={label}
            checked={scopes.includes(scope)}
            onChange={({ target }) => setScopes(target.checked ? [...scopes, scope] : scopes.filter((other) => other !== scope))}
          />
        ))}
      </fieldset>
      <TextField
        label="Budget a month, in dollars"
        name="key-budget"
        inputMode="decimal"
        autoComplete="off"
        placeholder="No limit but your credits"
        className="mt-8"
        value={budget}
        error={problem ?? undefined}
        onChange={(event) => setBudget(event.target.value)}
      />
      {error !== null && <Problem>{error.message}</Problem>}
      <div className="mt-16 flex justify-end gap-8">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={busy} disabled={!canSave}>
          {held ? "Save" : "Create key"}
        </Button>
      </div>
    </form>
  );
}

function Problem({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="mt-12 text-13 text-danger">
      {children}
    </p>
  );
}

/** A budget as it was typed: dollars, null for an empty field, undefined for what is no amount. */
function parseBudget(text: string): number | null | undefined {
  const amount = text.trim().replace(/^\$\s*/, "");
  if (amount === "") return null;
  if (!/^\d{1,6}(?:[.,]\d{1,2})?$/.test(amount)) return undefined;
  const dollars = Number(amount.replace(",", "."));
  return dollars >= 0.01 && dollars <= API_KEY_BUDGET_MAX ? dollars : undefined;
}
