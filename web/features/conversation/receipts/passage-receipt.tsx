import type { Message } from "#shared/entities/message.ts";
import { openManage } from "#web/features/library/kit/manage-store.ts";
import { useKnowledge } from "#web/features/library/knowledge/use-knowledge.ts";
import { ReceiptList } from "./receipt-list.tsx";
import { counted } from "#web/lib/format.ts";
import PassageButton from "#web/features/library/passages/passage-button.tsx";
import { passagesOf } from "./passages-of.ts";

export type PassageReceiptProps = Pick<Message, "citations" | "knowledge">;

/** What of the chat's knowledge a model was given, by file and page, each with the way to the entry that holds it. */
export default function PassageReceipt({ citations, knowledge }: PassageReceiptProps) {
  const { entries } = useKnowledge();
  const { passages, wholes } = passagesOf({ citations, knowledge });
  const wayTo = (entryId: string) =>
    entries.some(({ id }) => id === entryId) ? () => openManage("knowledge", { kind: "edit", id: entryId }) : null;
  const items = [
    ...wholes.map(({ entryId, name }) => ({
      id: `${entryId} ${name}`,
      name,
      content: `${name}, read whole`,
      onWrong: wayTo(entryId),
    })),
    ...passages.map(({ place, title }) => ({
      id: `${place.documentId} ${place.start}`,
      name: title,
      content: (
        <PassageButton
          place={place}
          title={title}
          label={title}
          className="text-left underline decoration-line-strong underline-offset-3 touch:min-h-44"
        >
          {title}
        </PassageButton>
      ),
      onWrong: wayTo(place.entryId),
    })),
  ];
  const parts = [
    wholes.length > 0 ? counted(wholes.length, "file") : null,
    passages.length > 0 ? counted(passages.length, "passage") : null,
  ].filter((part) => part !== null);
  return <ReceiptList label="Knowledge" title={`${parts.join(" and ")} of knowledge went along`} items={items} />;
}
