import type { SESClient } from '@aws-sdk/client-ses';
import type { SNSClient } from '@aws-sdk/client-sns';
import { createMessageSender } from '../../platform/aws/messages.ts';
import type { Log } from '../../platform/runtime/log.ts';
import type { Messages } from '../accounts/developer-services.ts';
import type { MailEntry, OutboxResult } from '../api/outbox.ts';

/** Creates the sender of the portal's mails (SES) and texts (SNS). Logs a message that the service did not accept. */
export function createPortalMessages(
  clients: { readonly ses: SESClient; readonly sns: SNSClient },
  from: string,
  log: Log,
): Messages {
  const send = createMessageSender(clients, from);
  const sent = async (message: Parameters<typeof send>[0]): Promise<boolean> => {
    const done = await send(message);
    if (!done) log('warn', 'message_not_sent', { reason: message.channel });
    return done;
  };
  return {
    mail: async ({ to, subject, text }) => await sent({ channel: 'email', to, subject, text }),
    text: async (to, text) => await sent({ channel: 'sms', to, subject: '', text }),
  };
}

/** Makes the carrier of the outbox's mails. */
export function createMailCarrier({ mail }: Pick<Messages, 'mail'>) {
  return async (entry: MailEntry): Promise<OutboxResult> => ((await mail(entry)) ? 'done' : 'later');
}
