import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSystem, startRunningSystem } from '../support/running-system.ts';
import { localFetch } from './journey.ts';
import {
  type Answer,
  aDeveloper,
  anApplication,
  anOperator,
  type Body,
  bodyOf,
  type Developer,
  type Door,
  ops,
  portalDoor,
  type Visitor,
} from './portal-door.ts';

/** A portal configured so that two operators must approve: from the submission to the first call that production admits. */

let running: RunningSystem;
let door: Door;
let developer: Developer;
let olga: Visitor;
let omar: Visitor;
beforeAll(async () => {
  running = await startRunningSystem({ context: { 'portal.fourEyes': 'true' } });
  door = portalDoor(running.system);
  developer = await aDeveloper(door);
  [{ visitor: olga }, { visitor: omar }] = [await anOperator(door, file()), await anOperator(door, file())];
});
afterAll(async () => {
  await running?.stop();
});

const file = () => join(running.stateDirectory, 'system.json');
const place = (id: string) => `/api/applications/${id}`;
const desk = (id: string) => `/api/operations/applications/${id}`;
const view = async (id: string) => bodyOf(await developer.visitor.send('GET', place(id)));
const timeline = async (id: string) =>
  ((await view(id)).timeline as { readonly act: string }[]).map(({ act }) => act);
/** A mail that is not sent with the decision is sent later from the outbox. */
const patience = { timeout: 90_000 };
const mailsOf = async () => (await door.messagesTo(developer.form.email)).map(({ subject }) => subject);

async function decide(operator: Visitor, id: string, act: string, more: object = {}): Promise<Answer> {
  const { version } = bodyOf(await operator.send('GET', desk(id)));
  return await operator.send('POST', `${desk(id)}/decisions`, { body: { act, version, ...more } });
}

async function queued(id: string) {
  const { items } = bodyOf(await olga.send('GET', '/api/operations/queue'));
  return (items as { readonly id: string; readonly approvedBy?: string }[]).find((item) => item.id === id);
}

/** Requests a token for a back-end service in an environment. @returns the status */
async function token(id: string, environment: 'sandbox' | 'production'): Promise<number> {
  const { password } = developer.form;
  const shown = bodyOf(
    await developer.visitor.send('POST', `${place(id)}/credentials/${environment}`, { body: { password } }),
  ) as Body & {
    readonly secrets: readonly { readonly value: string }[];
    readonly subscriptionKeys: readonly { readonly value: string }[];
  };
  const secret = Buffer.from(`${shown.clientId}:${shown.secrets[0]?.value}`).toString('base64');
  const answer = await localFetch(`http://token.${environment}.localhost:${running.system.port}/token/v2`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${secret}`,
      'x-api-subscription-key': shown.subscriptionKeys[0]?.value ?? '',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: String(shown.machineScope) }),
  });
  return answer.status;
}

/** Registers a back-end service, calls the sandbox with it, promotes and submits it. */
async function submitted(): Promise<string> {
  const { applicationId: id } = await anApplication(developer, {
    applicationType: 'service',
    grantType: 'client_credentials',
    responseType: 'none',
    loginRedirectUris: ['https://sunrise-health.org/callback'],
  });
  expect(await token(id, 'sandbox')).toBe(200);
  for (const act of ['promote', 'submit']) {
    const { version } = await view(id);
    const answer = await developer.visitor.send('POST', `${place(id)}/${act}`, { body: { version } });
    expect([act, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([act, 200, '']);
  }
  return id;
}

describe('an application that two operators must approve', () => {
  let id: string;
  beforeAll(async () => {
    id = await submitted();
  });

  it('waits after the first, who is told so, and production lets nothing in', async () => {
    const first = await decide(olga, id, 'approve');
    const body = bodyOf(first);
    expect([first.status, body.code]).toEqual([409, 'four_eyes']);
    expect(body.title).toBe('A second operator must confirm this decision.');
    expect(body.detail).toContain('Your decision is saved');
    expect(body.current).toMatchObject({ state: 'awaiting_operator_approval', approvedBy: 'Olga Operator' });
    expect((await view(id)).state).toBe('awaiting_operator_approval');
    expect(await queued(id)).toMatchObject({ approvedBy: 'Olga Operator' });
    expect(await token(id, 'production')).not.toBe(200);
    expect(await mailsOf()).not.toContain('Your application is approved');
  });

  it('is not approved by the same operator again, in another session either', async () => {
    const before = await view(id);
    for (let again = 0; again < 2; again += 1) {
      const refused = await decide(olga, id, 'approve');
      expect([refused.status, bodyOf(refused).code]).toEqual([409, 'four_eyes']);
    }
    expect(await view(id)).toEqual(before);
    expect((await timeline(id)).filter((act) => act === 'first_approval')).toHaveLength(1);
  });

  it('is not approved on the command line, whatever name is given, which says where it is', async () => {
    const before = await view(id);
    for (const options of [
      [],
      ['--operator', 'Olga Operator'],
      ['--operator', 'Somebody Else'],
      ['--dry-run'],
    ]) {
      const refused = ops(file(), 'apps', 'approve', id, ...options);
      await expect(refused).rejects.toThrow(
        /ended with 1[\s\S]*A second operator must confirm[\s\S]*on the console/,
      );
    }
    expect(await view(id)).toEqual(before);
    expect(await ops(file(), 'apps', 'queue')).toMatch(/Olga Operator/);
    expect(await ops(file(), 'apps', 'show', id)).toMatch(/Olga Operator/);
  });

  it('is approved by the second, and works in production', async () => {
    const second = await decide(omar, id, 'approve', { note: 'Looked at twice.' });
    expect([second.status, bodyOf(second).state]).toEqual([200, 'approved']);
    expect(await queued(id)).toBeUndefined();
    const acts = (await timeline(id)).filter((act) => act !== 'view_credentials');
    expect(acts.slice(-3)).toEqual(['submit', 'first_approval', 'approve']);
    await expect.poll(mailsOf, patience).toContain('Your application is approved');
    // The gateway caches its refusal of the key for half a minute.
    const works = { timeout: 90_000, interval: 3_000 };
    await expect.poll(() => token(id, 'production'), works).toBe(200);
  });

  it('is stopped by one, on the command line too: only what opens needs two', async () => {
    expect(await ops(file(), 'apps', 'suspend', id, '--reason', 'A test.')).toContain('done: suspended');
    expect(await token(id, 'production')).not.toBe(200);
  });
});

describe('an approval by one', () => {
  it('ends with an edit: what the second looks at is new, and needs two again', async () => {
    const id = await submitted();
    expect(bodyOf(await decide(olga, id, 'approve')).code).toBe('four_eyes');
    const { version } = await view(id);
    const recalled = await developer.visitor.send('POST', `${place(id)}/recall`, { body: { version } });
    expect(recalled.status).toBe(200);
    const again = await developer.visitor.send('POST', `${place(id)}/submit`, {
      body: { version: (await view(id)).version },
    });
    expect(again.status).toBe(200);
    expect((await queued(id))?.approvedBy).toBeUndefined();
    expect(bodyOf(await decide(omar, id, 'approve')).code).toBe('four_eyes');
    expect((await view(id)).state).toBe('awaiting_operator_approval');
    expect((await decide(olga, id, 'approve')).status).toBe(200);
  });

  it('of two at the very same time is the first of one and the second of the other', async () => {
    const id = await submitted();
    const { version } = bodyOf(await olga.send('GET', desk(id)));
    const body = { act: 'approve', version };
    const both = await Promise.all(
      [olga, omar].map((one) => one.send('POST', `${desk(id)}/decisions`, { body })),
    );
    expect(both.map((answer) => bodyOf(answer).code).sort()).toEqual(['four_eyes', 'stale_version']);
    expect((await view(id)).state).toBe('awaiting_operator_approval');
  });

  it('is of a configuration nobody else may have looked at: the one on the screen of the second', async () => {
    const id = await submitted();
    const { version } = bodyOf(await olga.send('GET', desk(id)));
    await decide(olga, id, 'approve');
    const stale = await omar.send('POST', `${desk(id)}/decisions`, { body: { act: 'approve', version } });
    expect([stale.status, bodyOf(stale).code]).toEqual([409, 'stale_version']);
  });
});
