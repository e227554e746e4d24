/** Messages to members and developers, by e-mail or text message. */

export type MessageChannel = 'email' | 'sms';

/** A message, with the e-mail address or phone number (E.164) that it is sent to. */
export interface OutboundMessage {
  readonly channel: MessageChannel;
  readonly to: string;
  /** Subject line of an e-mail. */
  readonly subject: string;
  readonly text: string;
}
