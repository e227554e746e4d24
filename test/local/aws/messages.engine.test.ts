import { ListIdentitiesCommand, SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { account, allow, assembly, region, resource, role } from './declarations.ts';
import { type Started, started } from './started.ts';

const identityArn = `arn:aws:ses:${region}:${account}:identity/example.org`;
/** Recipients that are verified, as SES requires while the account is in its sandbox. */
const verified = ['ann', 'bob'].map(
  (name) => `arn:aws:ses:${region}:${account}:identity/${name}@example.com`,
);

describe('mail and texts', () => {
  let endpoint: Started;
  let ses: SESClient;
  let sns: SNSClient;
  beforeAll(async () => {
    endpoint = await started({
      assembly: assembly(
        role(
          allow('ses:SendEmail', [identityArn, ...verified], {
            StringEquals: { 'ses:FromAddress': 'no-reply@example.org' },
          }),
        ),
        resource('AWS::SES::EmailIdentity', 'Identity', {}, { physicalId: 'example.org', arn: identityArn }),
      ),
    });
    ses = new SESClient(endpoint.asOperator);
    sns = new SNSClient(endpoint.asOperator);
  });
  afterAll(() => endpoint.stopAndForget());
  beforeEach(() => endpoint.inbox.clear());

  const mail = (overrides: object = {}) =>
    new SendEmailCommand({
      Source: 'Member Data <no-reply@example.org>',
      Destination: { ToAddresses: ['Ann <ann@example.com>'], BccAddresses: ['bob@example.com'] },
      Message: {
        Subject: { Data: 'Your code & more' },
        Body: { Text: { Data: 'Line 1\nüñ <b>' }, Html: { Data: '<p>hi</p>' } },
      },
      ...overrides,
    });

  it('lie in the inbox as they were sent', async () => {
    const { MessageId } = await ses.send(mail());
    expect(MessageId).toMatch(/^[\w-]{36}$/);
    await sns.send(new PublishCommand({ PhoneNumber: '+12025550123', Message: 'Code 123456' }));
    expect(endpoint.inbox.list()).toMatchObject([
      { kind: 'text', to: ['+12025550123'], text: 'Code 123456' },
      {
        kind: 'email',
        from: 'Member Data <no-reply@example.org>',
        to: ['ann@example.com', 'bob@example.com'],
        subject: 'Your code & more',
        text: 'Line 1\nüñ <b>',
        html: '<p>hi</p>',
      },
    ]);
    expect(endpoint.inbox.list('ANN@example.com')).toHaveLength(1);
  });

  it.each([
    ['an address', { Destination: { ToAddresses: ['jürgen@example.com'] } }],
    ['a recipient’s name', { Destination: { ToAddresses: ['Jürgen <j@example.com>'] } }],
    ['the sender’s name', { Source: 'Mitgliederdaten für alle <no-reply@example.org>' }],
  ])('are refused where %s is not ASCII', async (_what, overrides) => {
    await expect(ses.send(mail(overrides))).rejects.toMatchObject({ name: 'InvalidParameterValue' });
    expect(endpoint.inbox.list()).toEqual([]);
  });

  it('are refused from an identity nobody verified', async () => {
    await ses.send(mail({ Source: 'a@mail.example.org' }));
    for (const Source of ['a@example.com', 'a@notexample.org', 'a@org']) {
      await expect(ses.send(mail({ Source }))).rejects.toMatchObject({ name: 'MessageRejected' });
    }
    expect(endpoint.inbox.list()).toHaveLength(1);
  });

  it('are refused without a recipient or a body, to a malformed number, and too long', async () => {
    const malformed = [
      mail({ Destination: {} }),
      mail({ Destination: { ToAddresses: ['nobody'] } }),
      mail({ Destination: { ToAddresses: Array(51).fill('a@example.com') } }),
      mail({ Message: { Subject: { Data: 'x' }, Body: {} } }),
    ];
    for (const command of malformed)
      await expect(ses.send(command)).rejects.toMatchObject({ name: 'InvalidParameterValue' });
    await expect(ses.send(mail({ ConfigurationSetName: 'missing' }))).rejects.toMatchObject({
      name: /^ConfigurationSetDoesNotExist/,
    });
    for (const [PhoneNumber, Message] of [
      ['2025550123', 'x'],
      ['+1202', 'x'],
      ['+12025550123', 'x'.repeat(1_601)],
    ]) {
      await expect(sns.send(new PublishCommand({ PhoneNumber, Message }))).rejects.toMatchObject({
        name: 'InvalidParameterException',
      });
    }
    expect(endpoint.inbox.list()).toEqual([]);
  });

  it('are refused to a role without the right, to strangers, and where nothing is made for them', async () => {
    const reader = new SESClient(endpoint.asFunction);
    await reader.send(mail());
    await expect(reader.send(mail({ Source: 'other@example.org' }))).rejects.toMatchObject({
      name: 'AccessDenied',
    });
    for (const to of ['carl@example.com', 'ann@elsewhere.example']) {
      await expect(reader.send(mail({ Destination: { ToAddresses: [to] } }))).rejects.toMatchObject({
        name: 'AccessDenied',
        message: expect.stringContaining(`identity/${to}`),
      });
    }
    await reader.send(mail({ Destination: { ToAddresses: ['someone@example.org'] } }));
    const text = new PublishCommand({ PhoneNumber: '+12025550123', Message: 'x' });
    await expect(new SNSClient(endpoint.asFunction).send(text)).rejects.toMatchObject({
      name: 'AuthorizationErrorException',
    });
    await expect(new SNSClient(endpoint.asNobody).send(text)).rejects.toMatchObject({
      name: 'InvalidClientTokenId',
    });
    await expect(ses.send(new ListIdentitiesCommand({}))).rejects.toMatchObject({
      name: 'UnknownOperationException',
    });
    // The stand-in refuses topics by name instead of ignoring them: no function publishes to a topic, only alarms do.
    await expect(
      sns.send(new PublishCommand({ TopicArn: 'arn:aws:sns:us-east-1:1:a', Message: 'x' })),
    ).rejects.toThrow('not implemented');
  });
});
