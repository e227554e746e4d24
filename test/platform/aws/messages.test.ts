import { GenerateMacCommand, KMSClient } from '@aws-sdk/client-kms';
import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { beforeEach, describe, expect, it } from 'vitest';
import { createCodeDigest } from '../../../lambdas/platform/aws/code-digest.ts';
import { createMessageSender } from '../../../lambdas/platform/aws/messages.ts';
import { mockClient } from '../../support/client-doubles.ts';

const region = { region: 'us-east-1' };
const ses = mockClient(SESClient);
const sns = mockClient(SNSClient);
const kms = mockClient(KMSClient);
const clients = { ses: new SESClient(region), sns: new SNSClient(region) };
const send = createMessageSender(clients, 'no-reply@example.org');
const email = {
  channel: 'email',
  to: 'rosa@example.com',
  subject: 'Your code',
  text: '123456 ¡hola!',
} as const;
const text = { ...email, channel: 'sms', to: '+12025550123' } as const;

beforeEach(() => {
  for (const double of [ses, sns, kms]) double.reset();
});

function failure(name: string, httpStatusCode?: number): Error {
  return Object.assign(new Error(name), { name, $metadata: { httpStatusCode } });
}

describe('messages to members', () => {
  it('go by e-mail from the environment’s sender to one address', async () => {
    ses.on(SendEmailCommand).resolves({ MessageId: 'm1' });
    expect(await send(email)).toBe(true);
    expect(ses.commandCalls(SendEmailCommand)[0]?.args[0].input).toEqual({
      Source: 'no-reply@example.org',
      Destination: { ToAddresses: ['rosa@example.com'] },
      Message: {
        Subject: { Data: 'Your code', Charset: 'UTF-8' },
        Body: { Text: { Data: '123456 ¡hola!', Charset: 'UTF-8' } },
      },
    });
  });

  it('go as transactional texts to one number', async () => {
    sns.on(PublishCommand).resolves({ MessageId: 'm1' });
    expect(await send(text)).toBe(true);
    expect(sns.commandCalls(PublishCommand)[0]?.args[0].input).toEqual({
      PhoneNumber: '+12025550123',
      Message: '123456 ¡hola!',
      MessageAttributes: {
        'AWS.SNS.SMS.SMSType': { DataType: 'String', StringValue: 'Transactional' },
      },
    });
  });

  it.each([
    ['MessageRejected', 400],
    ['AccessDenied', 403],
    ['Throttling', 429],
    ['InternalFailure', 500],
    ['TimeoutError', undefined],
    ['AbortError', undefined],
  ])('that meet %s are not handed over, and nothing breaks', async (name, status) => {
    ses.on(SendEmailCommand).rejects(failure(name, status));
    sns.on(PublishCommand).rejects(failure(name, status));
    expect([await send(email), await send(text)]).toEqual([false, false]);
  });

  it.each([
    'ENOTFOUND',
    'ECONNREFUSED',
    'EAI_AGAIN',
  ])('that find no service (%s) are not handed over', async (code) => {
    ses.on(SendEmailCommand).rejects(Object.assign(new Error('connect'), { code }));
    sns.on(PublishCommand).rejects(Object.assign(new Error('connect'), { code }));
    expect([await send(email), await send(text)]).toEqual([false, false]);
  });

  it('that fail for another reason are a defect', async () => {
    ses.on(SendEmailCommand).rejects(new TypeError('undefined is not a function'));
    await expect(send(email)).rejects.toThrow(TypeError);
  });
});

describe('the digest of a code', () => {
  it('is made by the key in KMS', async () => {
    kms.on(GenerateMacCommand).resolves({ Mac: new Uint8Array([251, 255, 1]) });
    expect(await createCodeDigest('arn:key', new KMSClient(region))('sign-in 1')).toBe('-_8B');
    expect(kms.commandCalls(GenerateMacCommand)[0]?.args[0].input).toEqual({
      KeyId: 'arn:key',
      MacAlgorithm: 'HMAC_SHA_256',
      Message: new TextEncoder().encode('sign-in 1'),
    });
  });

  it('is nothing where KMS gives none: no code is compared with it', async () => {
    kms.on(GenerateMacCommand).resolves({});
    await expect(createCodeDigest('arn:key', new KMSClient(region))('x')).rejects.toThrow('no MAC');
  });
});
