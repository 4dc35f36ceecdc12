import type { Message } from "#shared/entities/message.ts";
import { useSettings } from "#web/features/people/settings/use-settings.ts";
import { ReceiptList } from "./receipt-list.tsx";
import { counted } from "#web/lib/format.ts";
import { useMemoriesOf } from "#web/features/library/memory/use-memories.ts";
import { wantMemory } from "#web/features/library/memory/wanted-memory.ts";
import { useQuery } from "@tanstack/react-query";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import { call } from "#web/lib/api.ts";
import { keys } from "#web/lib/query.ts";

const NONE: readonly string[] = [];

/** The ids of the facts that went along with a question. An answer that came while this page stood does not carry them, so it is read for them. */
function useSentFacts({ id, chat_id: chatId, memory_ids: known }: Message): readonly string[] {
  const { data } = useQuery({
    queryKey: keys.sentFacts(id),
    queryFn: async ({ signal }) => {
      const { messages } = await call(listMessages, { params: { id: chatId }, query: { around: id, limit: 2 } }, { signal });
      return messages.find((message) => message.id === id)?.memory_ids ?? NONE;
    },
    enabled: known === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return known ?? data ?? NONE;
}

export type MemoryReceiptProps = { message: Message };

/** The facts that went along with a question, each with the way to where it is mended. */
export default function MemoryReceipt({ message }: MemoryReceiptProps) {
  const settings = useSettings();
  const ids = useSentFacts(message);
  const { memories } = useMemoriesOf(ids);
  const openMemory = (id: string) => {
    wantMemory(id);
    settings.open("memory");
  };
  const items = memories.map(({ id, text, ended }) => ({
    id,
    name: text,
    content: (
      <>
        {text}
        {ended !== null && <span className="text-ink3"> (no longer held)</span>}
      </>
    ),
    onWrong: ended === null ? () => openMemory(id) : null,
  }));
  return <ReceiptList label="Memory" title={`${counted(memories.length, "fact")} of your memory went along`} items={items} />;
}
