/** A message sent by SES or SNS. It stays on this machine, in the inbox. */
export interface Message {
  readonly kind: 'email' | 'text';
  /** The sender's address; a text has none. */
  readonly from?: string;
  /** E-mail addresses, or one phone number in E.164. */
  readonly to: readonly string[];
  readonly subject?: string;
  readonly text?: string;
  readonly html?: string;
}

export interface StoredMessage extends Message {
  readonly id: number;
  /** ISO 8601. */
  readonly sentAt: string;
}

/** The inbox: messages, newest first. */
export interface Inbox {
  /** Stores a message; it is on disk when this returns. */
  add(message: Message): StoredMessage;
  /** @param to exact recipient, without regard to case; everybody's messages where absent. */
  list(to?: string): readonly StoredMessage[];
  clear(): void;
}
