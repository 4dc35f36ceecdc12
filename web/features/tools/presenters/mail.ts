import { Mails, Send } from "lucide-react";
import { firstText } from "../tool-input.ts";
import type { ToolPresenter } from "./tool-presenter.ts";

export const readMails: Partial<ToolPresenter> = {
  name: "List emails",
  icon: Mails,
  words: () => ({ doing: "Reading the chat's mails", done: "Read the chat's mails", wish: "read the chat's mails", about: null }),
};

export const sendMail: Partial<ToolPresenter> = {
  name: "Send email",
  icon: Send,
  words: ({ input }) => ({ doing: "Sending a mail", done: "Sent a mail", wish: "send a mail", about: firstText(input, "subject") }),
};
