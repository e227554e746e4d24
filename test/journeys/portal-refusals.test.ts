import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { portalRoutes } from '../../lambdas/portal/catalog/portal-routes.ts';
import { type ProblemCode, portalProblems } from '../../lambdas/portal/catalog/problems.ts';
import { runningSystem } from './journey.ts';
import {
  type Answer,
  aConfiguration,
  aDeveloper,
  aForm,
  alike,
  anApplication,
  anEmail,
  anOperator,
  aPhone,
  type Body,
  bodyOf,
  type Developer,
  type Door,
  portalDoor,
  type Registered,
  signIn,
  signUp,
  terms,
  type Visitor,
} from './portal-door.ts';
import { publishedApi } from './published-openapi.ts';
import { systemFile } from './system-file.ts';

/** Errors of the portal's API as deployed, through HTTP. */

let door: Door;
let dana: Developer;
let bob: Developer;
let operator: Visitor;
let newcomer: Visitor;
let application: Registered;
/** Differences between the answers of these tests and the portal's OpenAPI document. */
const undescribed: string[] = [];
beforeAll(async () => {
  const api = await publishedApi('portal-openapi.json');
  door = portalDoor(runningSystem(), (method, path, { status, headers, text }) => {
    const url = `http://portal.localhost${path}`;
    const header = (name: string) => [headers[name.toLowerCase()]].flat()[0];
    // Requests that are refused before they reach the API get no answer of the API.
    if (status < 500 && status !== 431 && headers['content-type'] !== 'text/html' && api.has(method, url)) {
      undescribed.push(...api.complaints(method, url, { status, header, text }));
    }
  });
  [dana, bob, { visitor: operator }, { visitor: newcomer }] = await Promise.all([
    aDeveloper(door),
    aDeveloper(door),
    anOperator(door, systemFile()),
    signUp(door, aForm()),
  ]);
  application = await anApplication(dana);
});

afterEach(() => {
  expect(undescribed.splice(0)).toEqual([]);
});

/** Expects the problem with this code as the table of problems defines it. */
function refused(answer: Answer, code: ProblemCode): Body {
  const body = bodyOf(answer);
  const { status, title } = portalProblems[code];
  expect(body).toMatchObject({ code, status, title, type: `${door.origin}/docs/errors#${code}` });
  expect(body.detail).toMatch(/\w/);
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toBe('application/problem+json');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(body.requestId).toBe(answer.headers['x-request-id']);
  return body;
}

const place = () => `/api/applications/${application.applicationId}`;
const version = async () => bodyOf(await dana.visitor.send('GET', place())).version ?? 0;
const wrongCode = { body: { code: '000000' } };

/** For each problem a request that causes it. */
const provoked: Partial<Record<ProblemCode, () => Promise<Answer>>> = {
  invalid_request: () => dana.visitor.send('PATCH', '/api/account', { body: { firstName: '' } }),
  invalid_json: () => dana.visitor.send('PATCH', '/api/account', { body: '{"firstName":' }),
  body_too_large: () =>
    dana.visitor.send('PATCH', '/api/account', { body: { firstName: 'x'.repeat(64 * 1024) } }),
  unsupported_media_type: () =>
    dana.visitor.send('PATCH', '/api/account', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'firstName=Eve',
    }),
  not_found: () => dana.visitor.send('GET', '/api/applications/00000000-0000-4000-8000-000000000000'),
  method_not_allowed: () => dana.visitor.send('PUT', '/api/account', { body: {} }),
  cross_site_request: () =>
    dana.visitor.send('DELETE', '/api/session', { headers: { origin: 'https://evil.example' } }),
  signed_out: () => door.knock('GET', '/api/account'),
  password_needed: () => dana.visitor.send('POST', `${place()}/credentials/sandbox`, { body: {} }),
  wrong_password: () =>
    dana.visitor.send('POST', '/api/session/password', { body: { password: 'not the password' } }),
  sign_in_refused: async () => (await signIn(door, anEmail(), 'not the password')).answer,
  account_state: () => newcomer.send('GET', '/api/applications'),
  bot_check_failed: () =>
    door.visitor().send('POST', '/api/session', {
      body: { identifier: anEmail(), password: 'x', botCheck: 'person' },
    }),
  wrong_code: () => newcomer.send('POST', '/api/account/email-code', wrongCode),
  too_many_codes: () => newcomer.send('POST', '/api/account/email-code/resend'),
  stale_version: () =>
    dana.visitor.send('PUT', `${place()}/sandbox`, {
      body: { version: 99, configuration: aConfiguration({ applicationName: 'Mine' }) },
    }),
  state_conflict: async () =>
    await dana.visitor.send('POST', `${place()}/submit`, { body: { version: await version() } }),
  terms_outdated: () =>
    dana.visitor.send('POST', '/api/account/terms', { body: { ...terms, version: '2020-01-01' } }),
  preflight_failed: async () =>
    await dana.visitor.send('POST', `${place()}/promote`, { body: { version: await version() } }),
  invitation_invalid: () =>
    dana.visitor.send('POST', '/api/team/invitations/accept', { body: { invitation: 'x'.repeat(43) } }),
  limit_reached: async () => {
    const put = (at: number) =>
      dana.visitor.send('PUT', `/api/drafts/draft-${String(at).padStart(4, '0')}`, {
        body: { screen: 'contact', values: {} },
      });
    for (let at = 0; at < 20; at += 1) await put(at);
    return await put(20);
  },
  too_many_credentials: async () => {
    const { password } = dana.form;
    await dana.visitor.send('POST', '/api/session/password', { body: { password } });
    const rotate = (requestId: string) =>
      dana.visitor.send('POST', `${place()}/credentials/sandbox/rotate-secret`, {
        body: { requestId, overlapSeconds: 3600 },
      });
    expect((await rotate('rotation-1')).status).toBe(200);
    return await rotate('rotation-2');
  },
  code_expired: async () => {
    for (let tries = 0; tries < 4; tries += 1)
      await newcomer.send('POST', '/api/account/email-code', wrongCode);
    return await newcomer.send('POST', '/api/account/email-code', wrongCode);
  },
  too_many_tries: async () => {
    const enter = () => newcomer.send('POST', '/api/account/email-code', wrongCode);
    let answer = await enter();
    // Ten tries an hour; a new hour may begin in between.
    for (let tries = 0; tries < 20 && answer.status !== 429; tries += 1) answer = await enter();
    return answer;
  },
  too_many_requests: async () => {
    const knock = () =>
      bob.visitor.send('POST', '/api/session/password', { body: { password: 'not the password' } });
    for (let tries = 0; tries < 5; tries += 1) refused(await knock(), 'wrong_password');
    // Delays begin with a second and double. A busy machine takes longer than the first ones for a try, so several tries may pass.
    for (let tries = 0; tries < 7; tries += 1) {
      const answer = await knock();
      if (answer.status === 429) return answer;
      refused(answer, 'wrong_password');
    }
    return await knock();
  },
  applications_live: async () => {
    const leaving = await aDeveloper(door);
    await anApplication(leaving);
    const { password } = leaving.form;
    return await leaving.visitor.send('POST', '/api/account/close', { body: { password } });
  },
  appeal_own_decision: async () => {
    const rejected = await aDeveloper(door);
    // A web application can't call Payer Access, so no call is required before its submission.
    const { applicationId: id } = await anApplication(rejected, { products: ['payer-access'] });
    const path = `/api/applications/${id}`;
    const act = async (name: 'promote' | 'submit' | 'appeal', more: object = {}) => {
      const { version: now } = bodyOf(await rejected.visitor.send('GET', path));
      const answer = await rejected.visitor.send('POST', `${path}/${name}`, {
        body: { version: now, ...more },
      });
      expect(answer.status, answer.text).toBe(200);
    };
    const decide = async (decision: object) => {
      const desk = `/api/operations/applications/${id}`;
      const { version: now } = bodyOf(await operator.send('GET', desk));
      return await operator.send('POST', `${desk}/decisions`, { body: { version: now, ...decision } });
    };
    await act('promote');
    await act('submit');
    const against = { criterion: 'security-risk', field: 'privacyUri', reason: 'A test.' };
    const answer = await decide({ act: 'reject', ...against });
    expect(answer.status, answer.text).toBe(200);
    await act('appeal', { words: 'Please look again.' });
    return await decide({ act: 'approve' });
  },
  account_suspended: async () => {
    const { form, accountId } = await aDeveloper(door);
    const decision = { act: 'suspend', version: 4, reason: 'A test.' };
    const path = `/api/operations/accounts/${accountId}`;
    const { version: now } = bodyOf(await operator.send('GET', path));
    await operator.send('POST', `${path}/decisions`, { body: { ...decision, version: now } });
    return (await signIn(door, form.email, form.password)).answer;
  },
};

/** Problems that no request can cause on this machine, and the test that shows them. */
const elsewhere: Partial<Record<ProblemCode, string>> = {
  account_locked:
    'twenty failures wait for half an hour together: test/portal/accounts/sign-in.engine.test.ts',
  owners_only: 'a team of several is here: test/portal/accounts/team.engine.test.ts',
  four_eyes: 'a setting of the deployment: test/journeys/portal-four-eyes.test.ts',
  environment_unavailable:
    'the environments are here: test/portal/adapters/application-lifecycle.engine.test.ts',
  authenticator_needed: 'a setting of the deployment: test/portal/http/handler.test.ts',
  job_ended: 'jobs are of Payer Access: test/journeys/portal-jobs.test.ts',
  act_pending: 'the environments are here: test/portal/adapters/application-recovery.engine.test.ts',
  unavailable: 'the store is here: test/faults/portal-accounts.engine.test.ts',
  defect: 'there is none to find: test/portal/http/handler.test.ts',
};

describe('each problem', () => {
  it.each(Object.entries(provoked))('%s is told as the table has it', async (code, provoke) => {
    const body = refused(await provoke(), code as ProblemCode);
    if (code === 'wrong_code') expect(body.triesLeft).toBe(4);
    if (['too_many_codes', 'too_many_tries', 'too_many_requests'].includes(code))
      expect(body.retryAfter).toBeGreaterThan(0);
    if (code === 'stale_version') {
      expect(body).toMatchObject({ changed: ['applicationName'], current: { name: 'Sunrise Health' } });
      expect(bodyOf(await dana.visitor.send('GET', place()))).toMatchObject({ name: 'Sunrise Health' });
    }
    if (code === 'state_conflict') {
      expect(body).toMatchObject({ state: 'registered_in_sandbox', allowed: ['promote', 'withdraw'] });
    }
  });

  it('is brought about here, or it is said where', () => {
    expect([...Object.keys(provoked), ...Object.keys(elsewhere)].sort()).toEqual(
      Object.keys(portalProblems).sort(),
    );
  });
});

describe('another team’s things', () => {
  const missing = '00000000-0000-4000-8000-000000000000';
  const bodies: Record<string, object> = {
    'PUT /sandbox': { version: 1, configuration: aConfiguration() },
    'PUT /production': { version: 1, configuration: aConfiguration() },
    'PUT /change': { version: 1, configuration: aConfiguration() },
    'POST /appeal': { version: 1, words: 'Please.' },
    'POST /attestation': { version: 1, textVersion: '2026-11-22', scrolledToEnd: true, accepted: true },
    rotate: { requestId: 'rotation-9', overlapSeconds: 0 },
    stop: { requestId: 'stop-0009', createdAt: '2026-11-20T00:00:00.000Z' },
  };
  const ofApplications = Object.values(portalRoutes).filter(({ path }) =>
    path.startsWith('/api/applications/{applicationId}'),
  );

  it.each(ofApplications)('are as if they did not exist: $method $path', async ({ method, path }) => {
    const rest = path.replace('/api/applications/{applicationId}', '').replace('{environment}', 'sandbox');
    const usual = path.includes('/credentials/{environment}') ? {} : { version: 1 };
    const ofCredential = rest.includes('rotate')
      ? bodies.rotate
      : rest.includes('stop')
        ? bodies.stop
        : undefined;
    const body = method === 'GET' ? {} : { body: ofCredential ?? bodies[`${method} ${rest}`] ?? usual };
    const ask = async (id: string) => await bob.visitor.send(method, `/api/applications/${id}${rest}`, body);
    const [others, none] = [await ask(application.applicationId), await ask(missing)];
    refused(others, 'not_found');
    expect(alike(others)).toBe(alike(none));
    expect(bodyOf(await dana.visitor.send('GET', place())).applicationId).toBe(application.applicationId);
  });

  it('are neither listed, nor joined, nor removed', async () => {
    expect(bodyOf(await bob.visitor.send('GET', '/api/applications'))).toEqual({ applications: [] });
    expect(bodyOf(await bob.visitor.send('GET', '/api/drafts'))).toEqual({ drafts: [] });
    const invited = bodyOf(
      await dana.visitor.send('POST', '/api/team/invitations', { body: { email: anEmail() } }),
    );
    for (const path of [`invitations/${invited.invitationId}`, `members/${dana.accountId}`]) {
      const other = await bob.visitor.send('DELETE', `/api/team/${path}`);
      refused(other, 'not_found');
      const none = await bob.visitor.send('DELETE', `/api/team/${path.replace(/[^/]+$/, missing)}`);
      expect(alike(other)).toBe(alike(none));
    }
  });

  it('and operators’ routes are not there for developers, nor developers’ for operators', async () => {
    for (const { method, path, access } of Object.values(portalRoutes)) {
      const at = path.replaceAll(/\{\w+\}/g, missing);
      const body = method === 'GET' ? {} : { body: {} };
      if (access === 'operator') {
        refused(await dana.visitor.send(method, at, body), 'not_found');
        refused(await newcomer.send(method, at, body), 'not_found');
        refused(await door.visitor().send(method, at, body), 'signed_out');
      } else if (access === 'developer' && /^\/api\/(applications|drafts|team|sandbox)/.test(path)) {
        refused(await operator.send(method, at, body), 'not_found');
        refused(await newcomer.send(method, at, body), 'account_state');
      }
    }
  });
});

describe('an address', () => {
  it.each([
    '/api/applications/../operations/queue',
    '/api/applications/%2e%2e/operations/queue',
    '/api//operations/queue',
    '/api/operations/queue/',
    '/api/Operations/queue',
    '/API/operations/queue',
    '/api/operations%2Fqueue',
    '/api/account/../operations/queue',
    '/api/account;role=operator',
    '/api/applications/..%2foperations%2fqueue',
  ])('of another spelling leads to nothing: %s', async (path) => {
    const answer = await dana.visitor.send('GET', path);
    expect(answer.status).toBe(404);
    expect(answer.text).not.toContain('"items"');
  });

  it('with an id longer than the store has keys is one of nothing', async () => {
    const long = 'x'.repeat(3_000);
    refused(await dana.visitor.send('DELETE', `/api/team/invitations/${long}`), 'not_found');
    refused(await dana.visitor.send('DELETE', `/api/team/members/${long}`), 'not_found');
    refused(await operator.send('GET', `/api/operations/accounts/${long}`), 'not_found');
  });

  it('of a page of calls from before the log goes back has none', async () => {
    const answer = await dana.visitor.send('GET', `${place()}/calls/sandbox?next=0.x`);
    expect([answer.status, answer.text]).toEqual([200, '{"calls":[]}']);
  });

  it.each([
    ['PUT', '/api/account', 'GET, PATCH'],
    ['HEAD', '/api/account', 'GET, PATCH'],
    ['OPTIONS', '/api/session', 'POST, DELETE'],
    ['GET', '/api/session', 'POST, DELETE'],
  ])('tells the methods it takes: %s %s', async (method, path, allow) => {
    const answer = await dana.visitor.send(method, path);
    expect([answer.status, answer.headers.allow]).toEqual([405, allow]);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('takes no method by another way', async () => {
    const headers = {
      'x-http-method-override': 'DELETE',
      'x-method-override': 'DELETE',
      'x-http-method': 'DELETE',
    };
    refused(await dana.visitor.send('GET', '/api/session', { headers }), 'method_not_allowed');
    const body = { ...terms, _method: 'DELETE' };
    refused(
      await dana.visitor.send('POST', '/api/session?_method=DELETE', { headers, body }),
      'invalid_request',
    );
    expect((await dana.visitor.send('GET', '/api/account')).status).toBe(200);
  });
});

describe('a body', () => {
  const patch = async (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    await dana.visitor.send('PATCH', '/api/account', { body, headers });

  it.each([
    ['names a field twice', '{"firstName":"A","lastName":"B","lastName":"C"}'],
    [
      'names one that JavaScript gives a meaning',
      '{"firstName":"A","lastName":"B","__proto__":{"role":"operator"}}',
    ],
    ['is a list', '[]'],
    ['is deep', `{"firstName":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
    ['is half a character', '{"firstName":"\\ud800","lastName":"B"}'],
    ['is no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['is empty', ''],
  ])('that %s is no JSON of ours', async (_what, body) => {
    refused(await patch(body), 'invalid_json');
  });

  it('of a form, of text or of no type is not read', async () => {
    const body = '{"firstName":"A","lastName":"B"}';
    for (const type of [
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      '',
    ])
      refused(await patch(body, { 'content-type': type }), 'unsupported_media_type');
    expect(bodyOf(await dana.visitor.send('GET', '/api/account')).firstName).toBe('Dana');
  });

  it('may have 64 KB, whatever is around it', async () => {
    const whole = `{"firstName":"Dana","lastName":"Okafor"${' '.repeat(64 * 1024 - 40)}}`;
    expect(whole.length).toBe(64 * 1024);
    expect((await patch(whole)).status).toBe(200);
    refused(await patch(`${whole} `), 'body_too_large');
  });

  it('with headers of a size no browser has is refused before it is read', async () => {
    const answer = await patch({}, { 'x-large': 'x'.repeat(40_000) });
    expect([400, 413, 431, 494]).toContain(answer.status);
  });
});

describe('a request from elsewhere', () => {
  it.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://portal.localhost' },
    { origin: 'http://portal.localhost.evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { referer: 'https://evil.example/' },
    {},
  ])('does nothing: %o', async (headers) => {
    const cookie = [...dana.visitor.cookies].map((pair) => pair.join('=')).join('; ');
    const knock = { headers: { cookie, 'content-type': 'application/json', ...headers }, body: {} };
    refused(await door.knock('DELETE', '/api/sessions', knock), 'cross_site_request');
    refused(await door.knock('POST', '/api/session', knock), 'cross_site_request');
    expect((await dana.visitor.send('GET', '/api/account')).status).toBe(200);
  });

  it('says the same to a page of the portal only', async () => {
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    const knock = { headers, body: { identifier: 'x', password: 'x', botCheck: 'x' } };
    refused(await door.knock('POST', '/api/session', knock), 'bot_check_failed');
  });
});

describe('a number that is sent texts', () => {
  it.each([
    ['of Canada', '416-555-0123', 'not_us_number'],
    ['of Jamaica', '876-555-0123', 'not_us_number'],
    ['that costs', '900-555-0123', 'not_us_number'],
    ['toll free', '800-555-0199', 'not_us_number'],
    ['of the United Kingdom', '+44 20 7946 0958', 'invalid'],
    ['too short', '911', 'invalid'],
    ['with another behind it', '202-555-0123,202-555-0124', 'invalid'],
    ['with a line break', '202-555-0123\r\n900-555-0123', 'invalid'],
  ])('is none %s', async (_what, phone, code) => {
    const { password } = dana.form;
    const body = refused(
      await dana.visitor.send('POST', '/api/account/phone', { body: { phone, password } }),
      'invalid_request',
    );
    expect(body.errors).toEqual([expect.objectContaining({ pointer: '/phone', code })]);
  });

  it('gets five an hour, whichever account asks, and one a minute for each', async () => {
    const phone = aPhone();
    const askers = [dana, ...(await Promise.all(Array.from({ length: 5 }, () => aDeveloper(door))))];
    const statuses: number[] = [];
    for (const { visitor, form } of askers) {
      const body = { phone: phone.slice(2), password: form.password };
      statuses.push((await visitor.send('POST', '/api/account/phone', { body })).status);
    }
    // If a new hour begins in between, more codes are sent.
    expect(statuses.filter((status) => status === 202).length).toBeGreaterThanOrEqual(5);
    await expect
      .poll(async () => (await door.messagesTo(phone)).length)
      .toBe(statuses.filter((status) => status === 202).length);
    const last = askers.at(-1);
    const again = { phone: aPhone().slice(2), password: last?.form.password };
    if (statuses.at(-1) === 202)
      refused(
        (await last?.visitor.send('POST', '/api/account/phone', { body: again })) as Answer,
        'too_many_codes',
      );
    else expect(statuses.at(-1)).toBe(429);
  });
});
