/** Messages to members and developers, by e-mail or text message. */

export type MessageChannel = 'email' | 'sms';

/** A message, and the address or number (E.164) it goes to. */
export interface OutboundMessage {
  readonly channel: MessageChannel;
  readonly to: string;
  /** Subject line of an e-mail. */
  readonly subject: string;
  readonly text: string;
}
