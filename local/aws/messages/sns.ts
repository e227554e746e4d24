/** Local SNS: its operations. */

import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { PublishMetric } from '../../cloudwatch/metrics.ts';
import type { Inbox } from '../../inbox/message.ts';
import { AwsError } from '../protocol/aws-error.ts';
import { operation, type Service } from '../protocol/service.ts';

/** Attributes of a text message. Source: SNS developer guide, "Publishing SMS messages". */
const attribute = z.strictObject({
  Name: z.enum([
    'AWS.SNS.SMS.SMSType',
    'AWS.SNS.SMS.SenderID',
    'AWS.SNS.SMS.MaxPrice',
    'AWS.MM.SMS.OriginationNumber',
  ]),
  Value: z.strictObject({ DataType: z.string(), StringValue: z.string() }),
});

/** SNS: text messages to phone numbers, delivered to the inbox. */
export function sns(inbox: Inbox, publish: PublishMetric = () => {}): Service {
  return {
    operations: {
      Publish: operation(
        z.strictObject({
          PhoneNumber: z.string(),
          Message: z.string(),
          MessageAttributes: z.optional(z.array(attribute)),
        }),
        {
          action: 'sns:Publish',
          // A text message has no resource of the account, so only a policy on `*` allows it.
          resource: () => '*',
          run({ PhoneNumber, Message }) {
            checkText(PhoneNumber, Message);
            inbox.add({ kind: 'text', to: [PhoneNumber], text: Message });
            for (const metric of ['NumberOfMessagesPublished', 'NumberOfNotificationsDelivered'])
              publish('AWS/SNS', metric, { PhoneNumber: 'PhoneNumberDirect' }, 1);
            return { MessageId: randomUUID() };
          },
        },
        'InvalidParameter',
      ),
    },
  };
}

/** Checks that the number is E.164, and that the message has at most 1,600 characters (SNS API reference, Publish). */
function checkText(phoneNumber: string, message: string): void {
  if (!/^\+[1-9]\d{6,14}$/.test(phoneNumber)) {
    throw new AwsError('InvalidParameter', 'Invalid parameter: PhoneNumber Reason: not valid to publish to');
  }
  if (message === '' || message.length > 1_600) {
    throw new AwsError('InvalidParameter', 'Invalid parameter: Message Reason: empty or too long');
  }
}
