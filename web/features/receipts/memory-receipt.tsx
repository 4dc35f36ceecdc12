import type { Message } from "#shared/entities/message.ts";
import { useSettings } from "#web/features/settings/use-settings.ts";
import { ReceiptList } from "./receipt-list.tsx";
import { useSentFacts } from "./use-sent-facts.ts";
import { counted } from "#web/lib/format.ts";
import { useMemoriesOf } from "#web/features/memory/use-memories.ts";
import { wantMemory } from "#web/features/memory/wanted-memory.ts";

export type MemoryReceiptProps = { message: Message };

/** The facts that went along with a question, each with the way to where it is mended. */
export default function MemoryReceipt({ message }: MemoryReceiptProps) {
  const settings = useSettings();
  const ids = useSentFacts(message);
  const { memories } = useMemoriesOf(ids);
  const mend = (id: string) => {
    wantMemory(id);
    settings.open("memory");
  };
  const items = memories.map(({ id, text, ended }) => ({
    id,
    name: text,
    words: (
      <>
        {text}
        {ended !== null && <span className="text-ink3"> (no longer held)</span>}
      </>
    ),
    onWrong: ended === null ? () => mend(id) : null,
  }));
  return <ReceiptList label="Memory" title={`${counted(memories.length, "fact")} of your memory went along`} items={items} />;
}
