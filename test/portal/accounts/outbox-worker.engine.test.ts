import { randomUUID } from 'node:crypto';
import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSignedTable } from '../../../lambdas/platform/table/signed-table.ts';
import { createPortalOutbox, outboxWrite } from '../../../lambdas/portal/adapters/outbox.ts';
import { mockClient } from '../../support/client-doubles.ts';
import { startTestEngine, type TestEngine, testCredentials } from '../../support/engine.ts';

let engine: TestEngine;
let runOutboxWorker: (payload: unknown) => Promise<{ readonly done: number; readonly left: number }>;
const ses = mockClient(SESClient);
const lines: string[] = [];

beforeAll(async () => {
  engine = await startTestEngine();
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: testCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: testCredentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
    TABLE_NAME: engine.tableName,
    PORTAL_ORIGIN: 'https://developer.example.org',
    MESSAGE_SENDER: 'no-reply@plan.example',
    DEVELOPER_POOL_ID: 'us-east-1_developers',
    DEVELOPER_POOL_CLIENT_ID: 'developers-client',
    PROVISIONING_FUNCTIONS: JSON.stringify({ sandbox: 's', production: 'p' }),
    ENVIRONMENT_ADDRESSES: JSON.stringify({
      environments: Object.fromEntries(
        ['sandbox', 'production'].map((name) => [
          name,
          {
            auth: `https://auth.${name}.example.org`,
            token: `https://token.${name}.example.org`,
            apiTemplate: `https://{lob}.api.${name}.example.org`,
            resourceId: '11111111-2222-4333-8444-555555555555',
          },
        ]),
      ),
      tryItRedirectUri: 'https://developer.example.org/try/callback',
    }),
    PORTAL_TIERS: JSON.stringify(
      Object.fromEntries(
        ['sandbox', 'production'].map((name) => [
          name,
          { name: 'standard', requestsPerSecond: 10, burst: 20, requestsPerDay: 1_000 },
        ]),
      ),
    ),
  });
  vi.spyOn(console, 'log').mockImplementation((line) => lines.push(String(line)));
  const module = await import('../../../lambdas/portal/portal-outbox-worker.handler.ts');
  runOutboxWorker = module.handler;
});
afterAll(async () => {
  vi.restoreAllMocks();
  await engine.stop();
});
beforeEach(() => {
  ses.reset();
});

const table = () => createSignedTable(engine);
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe('the outbox worker', () => {
  it('sends mails that were left behind, once, and leaves what is fresh to whoever wrote it', async () => {
    ses.on(SendEmailCommand).resolves({});
    const mail = { kind: 'mail', to: 'dana@example.org', subject: 'A subject', text: 'A text' } as const;
    const old = outboxWrite(mail, minutesAgo(2), randomUUID());
    const fresh = outboxWrite({ ...mail, subject: 'Fresh' }, minutesAgo(0), randomUUID());
    await table().transact([old.write, fresh.write]);
    expect(await runOutboxWorker({})).toEqual({ done: 1, left: 0 });
    expect(await runOutboxWorker({})).toEqual({ done: 0, left: 0 });
    const sent = ses.commandCalls(SendEmailCommand).map(({ args }) => args[0].input.Message?.Subject?.Data);
    expect(sent).toEqual(['A subject']);
  });

  it('keeps what cannot be handed over, carries the rest out, and says how much is left without whose', async () => {
    const refusal = Object.assign(new Error('busy'), {
      name: 'Throttling',
      $metadata: { httpStatusCode: 400 },
    });
    ses.on(SendEmailCommand).rejectsOnce(refusal).resolves({});
    const entries = [4, 3].map((minutes) =>
      outboxWrite(
        { kind: 'mail', to: `m${minutes}@example.org`, subject: `Subject ${minutes}`, text: 'A text' },
        minutesAgo(minutes),
        randomUUID(),
      ),
    );
    await table().transact(entries.map(({ write }) => write));
    expect(await runOutboxWorker({})).toEqual({ done: 1, left: 1 });
    expect(lines.join('\n')).toContain('outbox_entries_left');
    expect(lines.join('\n')).not.toContain('m4@example.org');
    expect(await runOutboxWorker({})).toEqual({ done: 1, left: 0 });
  });

  it('tells of a mail of a change that was not sent at once: the change is made all the same', async () => {
    const outbox = createPortalOutbox(
      table(),
      { mail: async () => 'later', provisioning: async () => 'later' },
      Date.now,
    );
    const entry = outboxWrite(
      { kind: 'mail', to: 'x@example.org', subject: 'S', text: 'T' },
      minutesAgo(1),
      randomUUID(),
    );
    await table().transact([entry.write]);
    await outbox.carryOut([entry.id]);
    ses.on(SendEmailCommand).resolves({});
    expect(await runOutboxWorker({})).toEqual({ done: 1, left: 0 });
  });
});
