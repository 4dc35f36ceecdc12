import { Inbox, MailOpen, PencilLine, Send } from "lucide-react";
import { firstText } from "../tool-input.ts";
import type { ToolPresenter } from "./tool-presenter.ts";

const LABELS = { cc: "Copy", bcc: "Blind copy", reply_to: "Answers", draft_id: "Draft" };

export const searchGmail: Partial<ToolPresenter> = {
  name: "Search Gmail",
  icon: Inbox,
  phrases: ({ input }) => ({
    doing: "Searching Gmail",
    done: "Searched Gmail",
    infinitive: "search Gmail",
    about: firstText(input, "query"),
  }),
};

export const readGmail: Partial<ToolPresenter> = {
  name: "Read Gmail",
  icon: MailOpen,
  phrases: () => ({ doing: "Reading mail in Gmail", done: "Read mail in Gmail", infinitive: "read mail in Gmail", about: null }),
};

export const draftInGmail: Partial<ToolPresenter> = {
  name: "Keep a draft in Gmail",
  icon: PencilLine,
  labels: LABELS,
  phrases: ({ input }) => ({
    doing: "Keeping a draft in Gmail",
    done: "Kept a draft in Gmail",
    infinitive: "keep a draft in Gmail",
    about: firstText(input, "subject") ?? firstText(input, "to"),
  }),
};

export const sendByGmail: Partial<ToolPresenter> = {
  name: "Send by Gmail",
  icon: Send,
  labels: LABELS,
  phrases: ({ input }) => ({
    doing: "Sending a mail from your Gmail",
    done: "Sent a mail from Gmail",
    infinitive: "send a mail from your Gmail",
    about: firstText(input, "subject") ?? firstText(input, "to"),
  }),
};
