/** What a job that sends a push asks of its user's hub: what to send, unless it need not be sent, and afterwards that it was. */
export type PushInput = { do: "take" | "delivered"; key: string; id: string; deviceId: string };
