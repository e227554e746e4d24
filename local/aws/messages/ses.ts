/** Local SES: `SendEmail`, which delivers to the inbox. */

import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Assembly, Resource } from '../../assembly/resources.ts';
import type { PublishMetric } from '../../cloudwatch/metrics.ts';
import type { Inbox } from '../../inbox/message.ts';
import { AwsError } from '../protocol/aws-error.ts';
import { operation, type Service } from '../protocol/service.ts';

const content = z.strictObject({ Data: z.string(), Charset: z.optional(z.string()) });
const addresses = z._default(z.array(z.string()), []);
const sendEmail = z.strictObject({
  Source: z.string(),
  Destination: z.strictObject({ ToAddresses: addresses, CcAddresses: addresses, BccAddresses: addresses }),
  Message: z.strictObject({
    Subject: content,
    Body: z.strictObject({ Text: z.optional(content), Html: z.optional(content) }),
  }),
  ReplyToAddresses: z.optional(z.array(z.string())),
  ConfigurationSetName: z.optional(z.string()),
});
type SendEmail = z.infer<typeof sendEmail>;

/** "A message may not include more than 50 recipients" (SES API reference, SendEmail). */
const recipientLimit = 50;

/**
 * SES, version 1 of its API: SendEmail from an identity of the templates, delivered to the inbox. The account is in the SES sandbox like a
 * new account, with every recipient's address verified, so that the rights on the recipients' identities are required too.
 */
export function ses(assembly: Assembly, inbox: Inbox, publish: PublishMetric = () => {}): Service {
  const identities = assembly.ofType('AWS::SES::EmailIdentity');
  const configurationSets = assembly.ofType('AWS::SES::ConfigurationSet').map(({ physicalId }) => physicalId);

  /** The identity of an address: the address itself, else its domain or a parent domain, because subdomains inherit verification. */
  function declared(address: string): Resource | undefined {
    const domain = address.slice(address.indexOf('@') + 1);
    const verified = (name: string) => identities.find(({ physicalId }) => physicalId.toLowerCase() === name);
    const domains = domain.split('.').map((_, index, labels) => labels.slice(index).join('.'));
    for (const name of [address, ...domains]) {
      const identity = verified(name);
      if (identity !== undefined) return identity;
    }
    return undefined;
  }

  function senderOf(source: string): Resource {
    const address = addressIn(source);
    const identity = declared(address);
    if (identity !== undefined) return identity;
    throw new AwsError(
      'MessageRejected',
      `Email address is not verified. The following identities failed the check: ${address}`,
    );
  }

  return {
    operations: {
      SendEmail: operation(
        sendEmail,
        {
          action: 'ses:SendEmail',
          resource: (input) => {
            const { arn, region, account } = senderOf(input.Source);
            const recipients = recipientsOf(input).map(
              (address) => declared(address)?.arn ?? `arn:aws:ses:${region}:${account}:identity/${address}`,
            );
            return [arn, ...recipients];
          },
          context: (input) => ({
            'ses:fromaddress': [addressIn(input.Source)],
            'ses:recipients': recipientsOf(input),
          }),
          run(input) {
            const { ConfigurationSetName: set, Message } = input;
            if (set !== undefined && !configurationSets.includes(set)) {
              throw new AwsError(
                'ConfigurationSetDoesNotExist',
                `Configuration set <${set}> does not exist.`,
              );
            }
            inbox.add({
              kind: 'email',
              from: input.Source,
              to: recipientsOf(input),
              subject: Message.Subject.Data,
              ...bodyOf(Message.Body),
            });
            for (const metric of ['Send', 'Delivery']) publish('AWS/SES', metric, {}, 1);
            return { MessageId: randomUUID() };
          },
        },
        'InvalidParameterValue',
      ),
    },
  };
}

function bodyOf({ Text, Html }: SendEmail['Message']['Body']): { text?: string; html?: string } {
  if (Text === undefined && Html === undefined) {
    throw new AwsError('InvalidParameterValue', 'Message body is required.');
  }
  return {
    ...(Text === undefined ? {} : { text: Text.Data }),
    ...(Html === undefined ? {} : { html: Html.Data }),
  };
}

function recipientsOf({ Destination }: SendEmail): string[] {
  const all = [...Destination.ToAddresses, ...Destination.CcAddresses, ...Destination.BccAddresses].map(
    addressIn,
  );
  if (all.length > 0 && all.length <= recipientLimit) return all;
  throw new AwsError(
    'InvalidParameterValue',
    `Recipient count is ${all.length}; it must be 1 to ${recipientLimit}.`,
  );
}

/**
 * The address in `Name <address>` or alone, in lower case. SES does not support SMTPUTF8: outside of ASCII a domain must be in Punycode and
 * a name a MIME encoded-word, and the local part must be ASCII (SES API reference, SendEmail).
 */
function addressIn(text: string): string {
  if (/[^\x20-\x7e]/.test(text)) {
    throw new AwsError('InvalidParameterValue', 'Local address contains control or whitespace');
  }
  const address = (/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text).trim().toLowerCase();
  if (/^[^\s@<>,;]+@[a-z0-9.-]+$/.test(address)) return address;
  throw new AwsError('InvalidParameterValue', 'Missing or malformed e-mail address');
}
