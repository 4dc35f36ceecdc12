import type { ComponentProps } from "react";
import { CONTEXTS_PER_CHAT } from "#shared/limits.ts";
import { PickedField } from "#web/features/library/kit/picked-field.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { useKnowledge } from "./use-knowledge.ts";

type PopupProps = ComponentProps<typeof import("./knowledge-picker-popup.tsx").default>;

const Popup = lazyPart<PopupProps>(async () => (await import("./knowledge-picker-popup.tsx")).default);

type KnowledgeFieldProps = {
  /** Ids of entries. */
  value: readonly string[];
  disabled?: boolean;
  hideLabel?: boolean;
  isOptional?: boolean;
  /** What it says where nothing is picked. */
  unset: string;
  onChange: (ids: string[]) => void;
};

/** A field to pick knowledge in. */
export function KnowledgeField({ value, disabled = false, hideLabel = false, isOptional = false, unset, onChange }: KnowledgeFieldProps) {
  const { entries, data } = useKnowledge();
  const nameOf = (id: string) => entries.find((entry) => entry.id === id)?.name ?? (data ? "Knowledge that you can't use" : "…");
  const toggle = (id: string) => {
    if (value.includes(id)) onChange(value.filter((other) => other !== id));
    else if (value.length < CONTEXTS_PER_CHAT) onChange([...value, id]);
  };
  return (
    <PickedField
      label="Knowledge"
      disabled={disabled}
      hideLabel={hideLabel}
      isOptional={isOptional}
      unset={unset}
      onClear={value.length === 0 ? null : () => onChange([])}
      value={value.length === 0 ? null : value.map((id) => <Badge key={id}>{nameOf(id)}</Badge>)}
      renderPicker={(props) => <Popup {...props} chosen={value} hasManager={false} onToggle={toggle} />}
    />
  );
}
