/** What came back about a mail that a chat sent: which one, by the mail service's id or its Message-ID, and whom it did not reach. */
export type MailReturn = {
  kind: "bounced" | "complained";
  providerId: string | null;
  messageId: string | null;
  /** In lower case; empty where it is unknown which of its receivers. */
  addresses: string[];
  /** False for what may pass: then it is said, and further mail is sent. */
  isForGood: boolean;
  /** The server's own words. */
  reason: string | null;
};
