/** A message sent through SES or SNS. It stays in the inbox of this machine. */
export interface Message {
  readonly kind: 'email' | 'text';
  /** The sender's address; absent for a text message. */
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
  /** Stores a message, which is on disk when the function returns. */
  add(message: Message): StoredMessage;
  /**
   * Lists messages.
   *
   * @param to exact recipient, in any case; absent for all recipients.
   */
  list(to?: string): readonly StoredMessage[];
  clear(): void;
}
