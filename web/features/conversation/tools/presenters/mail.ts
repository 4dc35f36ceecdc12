import { AlarmClock, Mails, Send } from "lucide-react";
import { firstText, listOf } from "../tool-input.ts";
import type { ToolPresenter } from "./tool-presenter.ts";

export const readMails: Partial<ToolPresenter> = {
  name: "List emails",
  icon: Mails,
  phrases: () => ({ doing: "Reading the chat's mails", done: "Read the chat's mails", infinitive: "read the chat's mails", about: null }),
};

export const sendMail: Partial<ToolPresenter> = {
  name: "Send email",
  icon: Send,
  brief: (input) => {
    const copies = listOf(input, "cc");
    const to = `to ${listOf(input, "to").join(", ")}`;
    return {
      about: copies.length === 0 ? to : `${to}, cc ${copies.join(", ")}`,
      lead: firstText(input, "subject"),
      text: firstText(input, "body") ?? "",
    };
  },
  phrases: ({ input }) => ({ doing: "Sending a mail", done: "Sent a mail", infinitive: "send a mail", about: firstText(input, "subject") }),
};

export const remindOfMail: Partial<ToolPresenter> = {
  name: "Remind if unanswered",
  icon: AlarmClock,
  phrases: ({ input }) =>
    firstText(input, "by") === null
      ? { doing: "Calling a reminder off", done: "Called a reminder off", infinitive: "call a reminder off", about: null }
      : { doing: "Setting a reminder", done: "Set a reminder", infinitive: "set a reminder", about: "in case nobody answers" },
};
