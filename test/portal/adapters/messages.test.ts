import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as words from '../../../lambdas/portal/accounts/account-messages.ts';
import { createMailCarrier, createPortalMessages } from '../../../lambdas/portal/adapters/messages.ts';
import { mockClient } from '../../support/client-doubles.ts';

const ses = mockClient(SESClient);
const sns = mockClient(SNSClient);
const log = vi.fn();
const messages = createPortalMessages(
  { ses: new SESClient({}), sns: new SNSClient({}) },
  'no-reply@plan.example',
  log,
);
beforeEach(() => {
  ses.reset();
  sns.reset();
  log.mockReset();
});

const origin = 'https://developer.example.org';
const to = 'dana@example.org';
const mails = [
  words.codeMail(to, '123456', origin),
  words.addressInUseMail(to, origin),
  words.noAccountMail(to, origin),
  words.lockedMail(to, origin),
  words.passwordChangedMail(to, origin),
  words.emailChangedMail(to, origin),
  words.phoneChangedMail(to, origin),
  words.closedMail(to),
  words.invitationMail(to, { name: 'A\r\nBcc: x@evil.example', team: 'T' }, `${origin}/invitation#t`),
  words.verifiedMail(to, origin),
  words.refusedMail(to, 'A reason'),
  words.suspendedMail(to, 'A reason'),
  words.resumedMail(to, origin),
];

describe('the portal’s messages', () => {
  it('have a subject of one short line and a text, to one address', () => {
    for (const mail of mails) {
      expect(mail.to).toBe(to);
      expect(mail.subject).toMatch(/^[ -~]{10,78}$/);
      expect(mail.text.trim().length).toBeGreaterThan(40);
    }
  });

  it('carry what a person typed in no header, and as no link', () => {
    const mail = words.invitationMail(to, { name: 'https://evil.example/x', team: 'a@b.c' }, 'https://link');
    expect(mail.subject).not.toContain('evil');
    expect(mail.text).toContain('https evil example x');
    expect(mail.text.match(/https:\/\//g)).toHaveLength(1);
  });

  it('that are texts fit in one: 160 characters of the GSM alphabet', () => {
    const text = words.codeTextMessage('123456');
    expect(text.length).toBeLessThanOrEqual(160);
    expect(text).toMatch(/^[A-Za-z0-9 .,]+$/);
  });

  it('go out by SES and SNS', async () => {
    ses.on(SendEmailCommand).resolves({});
    sns.on(PublishCommand).resolves({});
    expect(await messages.mail(words.codeMail(to, '123456', origin))).toBe(true);
    expect(await messages.text('+12025550123', 'Hello')).toBe(true);
    expect(ses.commandCalls(SendEmailCommand)[0]?.args[0].input).toMatchObject({
      Source: 'no-reply@plan.example',
      Destination: { ToAddresses: [to] },
    });
    expect(sns.commandCalls(PublishCommand)[0]?.args[0].input).toMatchObject({ PhoneNumber: '+12025550123' });
  });

  it('that could not be handed over stay in the outbox, and are a line in the log without the address', async () => {
    ses
      .on(SendEmailCommand)
      .rejects(Object.assign(new Error('no'), { name: 'Throttling', $metadata: { httpStatusCode: 400 } }));
    const carry = createMailCarrier(messages);
    expect(await carry(words.closedMail(to))).toBe('later');
    expect(log).toHaveBeenCalledWith('warn', 'message_not_sent', { reason: 'email' });
  });
});
