/** Sends e-mail by SES and text messages by SNS, to members and developers. */

import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import type { OutboundMessage } from '../kernel/outbound-message.ts';
import { sdkRetries } from '../runtime/sdk-retries.ts';

/** Maximum milliseconds of a call to SES or SNS, so that the page can still answer before the function's timeout. */
const attemptTimeoutMs = 3_000;

/**
 * Sends messages with SES and SNS. Text messages are transactional, which gives them priority, and delivers them to people who have opted
 * out of marketing.
 *
 * @param from the sender of e-mail, an address of the environment's verified identity.
 * @see https://docs.aws.amazon.com/sns/latest/dg/sms_publish-to-phone.html
 */
export function createMessageSender(
  { ses, sns }: { readonly ses: SESClient; readonly sns: SNSClient },
  from: string,
): (message: OutboundMessage) => Promise<boolean> {
  return async ({ channel, to, subject, text }) => {
    const options = { abortSignal: AbortSignal.timeout(attemptTimeoutMs) };
    try {
      if (channel === 'email') await ses.send(email(from, to, subject, text), options);
      else await sns.send(textMessage(to, text), options);
      return true;
    } catch (error) {
      if (isRefusal(error)) return false;
      throw error;
    }
  };
}

/** Makes the SDK clients. Called when the first message is sent, because most sign-ins send none. */
export function createMessageClients(): { readonly ses: SESClient; readonly sns: SNSClient } {
  return {
    ses: new SESClient({ retryStrategy: sdkRetries }),
    sns: new SNSClient({ retryStrategy: sdkRetries }),
  };
}

function email(from: string, to: string, subject: string, text: string): SendEmailCommand {
  return new SendEmailCommand({
    Source: from,
    Destination: { ToAddresses: [to] },
    Message: {
      Subject: { Data: subject, Charset: 'UTF-8' },
      Body: { Text: { Data: text, Charset: 'UTF-8' } },
    },
  });
}

function textMessage(to: string, text: string): PublishCommand {
  const transactional = { DataType: 'String', StringValue: 'Transactional' };
  return new PublishCommand({
    PhoneNumber: to,
    Message: text,
    MessageAttributes: { 'AWS.SNS.SMS.SMSType': transactional },
  });
}

/**
 * Whether the service refused the message or did not answer. Missing permission counts as a refusal: SES in its sandbox answers 403 for an
 * unverified recipient, and the caller's log line raises an alarm. A connection error has Node's `code` (`ECONNREFUSED`, `EAI_AGAIN`) and
 * no status.
 */
function isRefusal(error: unknown): boolean {
  const { name, code, $metadata } = error as {
    readonly name?: string;
    readonly code?: unknown;
    readonly $metadata?: { readonly httpStatusCode?: number };
  };
  if ($metadata?.httpStatusCode !== undefined) return true;
  return name === 'TimeoutError' || name === 'AbortError' || typeof code === 'string';
}
