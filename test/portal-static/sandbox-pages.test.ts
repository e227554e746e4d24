import type { Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible } from '../support/accessible-page.ts';
import { account, openedAccount } from './accounts.ts';
import { openPortalBrowser, type PortalBrowser } from './applications-browser.ts';
import { aConfiguration, anApplication } from './applications-fixtures.ts';
import { addresses, credentials, members } from './applications-fixtures-more.ts';

let portal: PortalBrowser;
beforeAll(async () => {
  portal = await openPortalBrowser();
});
afterAll(() => portal.close());
beforeEach(() => {
  portal.site.reset();
  portal.site.answer('account', { body: openedAccount() });
  portal.site.answer('application', { body: anApplication() });
  portal.site.answer('testMembers', { body: { members } });
  portal.site.answer('addresses', { body: addresses(portal.site.origin) });
  portal.site.answer('credentials', { body: credentials });
  portal.site.answer('preflight', { body: { checks: [] } });
});
afterEach(async () => {
  await portal.leave();
  expect(portal.complaints.splice(0)).toEqual([]);
});

/** Status, body and headers of an answer. */
type Answered = [status: number, json: object, headers?: Record<string, string>];

interface Sent {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

/** Answers for the environment's hosts: the authorization server redirects at once with a code, and other hosts answer as the test says. */
async function environment(page: Page, answers: Record<string, (turn: number) => Answered>) {
  const sent: Sent[] = [];
  await page.route('**/fhir-oauth2/sec/**', (route) => {
    const asked = new URL(route.request().url()).searchParams;
    const back = `${asked.get('redirect_uri')}?code=the-code&state=${asked.get('state')}`;
    return route.fulfill({ status: 302, headers: { location: back } });
  });
  const answer = async (route: Route) => {
    const request = route.request();
    const path = new URL(request.url()).pathname;
    sent.push({ path, headers: request.headers(), body: request.postData() });
    const name = Object.keys(answers).find((one) => path.includes(one)) ?? '';
    const turn = sent.filter((one) => one.path.includes(name)).length;
    const [status, json, headers = {}] = answers[name]?.(turn) ?? [500, {}];
    await route.fulfill({ status, json, headers: { 'content-type': 'application/json', ...headers } });
  };
  for (const pattern of ['**/fhir-oauth2/pub/**', '**/token/v2', '**/extfhir*/**']) {
    await page.route(pattern, answer);
  }
  return sent;
}

const token = () =>
  [200, { access_token: 'token-1', patient: members[0]?.patientId, expires_in: 1800 }] as [number, object];
const patient = { resourceType: 'Patient', birthDate: '1956-00-00' };

describe('the sandbox page', () => {
  it('tells who each test member is, and their credentials', async () => {
    const page = await portal.open('/sandbox');
    await page.getByText('unknown birth month and day; one address; two enrollments').waitFor();
    await page.getByText('Copper-maple-harbor-1170').waitFor();
    await page.getByRole('button', { name: 'Copy password of Felix Testwood' }).waitFor();
    const mhbe = page.getByRole('row', { name: /^MHBE/ });
    await expect.poll(() => mhbe.getByText('Not offered').count()).toBe(1);
    await expectAccessible(page, 'sandbox');
  });

  it('says on the button that a value was copied, and shows it selected where there is no clipboard', async () => {
    const page = await portal.open('/sandbox');
    const button = page.getByRole('button', { name: 'member ID of Adaeze Sampleton' });
    await page.evaluate('navigator.clipboard.writeText = () => Promise.resolve()');
    await button.click();
    await expect.poll(() => button.innerText()).toContain('Copied');
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject()');
    await button.click();
    await expect.poll(() => button.innerText()).toContain('Could not copy');
    const field = page.getByLabel(/does not let the page copy/);
    await expect.poll(() => page.evaluate('String(getSelection())')).toBe(members[0]?.memberId);
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    await expectAccessible(page, 'copy-by-hand');
    await page.keyboard.press('Tab');
    await field.waitFor({ state: 'detached' });
  });
});

describe('the guided first call', () => {
  it('goes by the real pages to the real answer, and shows the code for it', async () => {
    const page = await portal.open('/applications/app-1/try');
    const sent = await environment(page, { '/token': token, '/Patient/': () => [200, patient] });
    await page.getByRole('heading', { name: '4. Sign in as Adaeze Sampleton' }).waitFor();
    await expectAccessible(page, 'try');
    await page.getByRole('button', { name: 'Continue to sign-in page' }).click();
    await page.getByRole('heading', { name: /2. Read the Patient/ }).waitFor();
    await page.getByRole('link', { name: 'Make another call' }).waitFor();
    await expect.poll(() => portal.site.calls.some(({ route }) => route === 'preflight')).toBe(true);
    // The address no longer has the code, and the page has no token until it is shown.
    expect(new URL(page.url()).search).toBe('');
    expect(await page.content()).not.toContain('token-1');
    const [exchange, read] = sent;
    expect(exchange?.headers.authorization).toBe(
      `Basic ${Buffer.from('client-sandbox-1:new-secret-value').toString('base64')}`,
    );
    expect(JSON.parse(exchange?.body ?? '')).toMatchObject({
      grant_type: 'authorization_code',
      code: 'the-code',
    });
    expect(read?.headers).toMatchObject({
      authorization: 'Bearer token-1',
      'x-api-subscription-key': 'subscription-key-value',
    });
    await page.getByText('This call as code: Read the Patient').click();
    await page.getByLabel('Language').selectOption('Kotlin');
    await page.getByText('HttpClient.newHttpClient()').waitFor();
    expect(await page.content()).not.toMatch(/token-1|subscription-key-value/);
    await expectAccessible(page, 'try-answer');
    // After a reload the page shows the same calls without their secrets, and sends nothing.
    const before = sent.length;
    await page.reload();
    await page.getByRole('heading', { name: /2. Read the Patient/ }).waitFor();
    await page.getByText('You made these calls before you reloaded the page.').waitFor();
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toMatch(
      /token-1|subscription-key-value|new-secret-value|the-code/,
    );
    expect(sent).toHaveLength(before);
    // The shown code has names in place of secrets.
    await page.getByText('This call as code: Read the Patient').click();
    await page.getByText('Bearer YOUR_ACCESS_TOKEN').waitFor();
    await page.getByText('x-api-subscription-key: YOUR_SUBSCRIPTION_KEY').waitFor();
    await expectAccessible(page, 'try-reloaded');
  });

  it.each([
    [
      'Expired token',
      { '/token': token, '/Patient/': () => [401, {}] as [number, object] },
      'An expired token returns 401',
    ],
    [
      'Revoked grant',
      {
        '/token': token,
        '/revoke': () => [200, {}] as [number, object],
        '/Patient/': (turn: number) => (turn === 1 ? [200, patient] : [401, {}]) as [number, object],
      },
      'its grant has ended',
    ],
    [
      'Throttling',
      {
        '/token': token,
        '/Patient/': (turn: number) => (turn > 60 ? [429, {}] : [200, patient]) as [number, object],
      },
      'The gateway returned 429 after 100 simultaneous calls',
    ],
    [
      'Category not shared',
      {
        '/token': token,
        '/DocumentReference': () => [403, { resourceType: 'OperationOutcome' }] as [number, object],
      },
      'The member did not share documents',
    ],
    [
      'Partial birth date',
      { '/token': token, '/Patient/': () => [200, patient] as [number, object] },
      'as FHIR requires. This response has',
    ],
  ])('shows %s and explains it', async (lesson, answers, words) => {
    const page = await portal.open('/applications/app-1/try');
    const sent = await environment(page, answers);
    await page.getByLabel(lesson).press('Space');
    if (lesson === 'Partial birth date') {
      await page.getByRole('heading', { name: '4. Sign in as Felix Testwood' }).waitFor();
    }
    await page.getByRole('button', { name: 'Continue to sign-in page' }).click();
    await page.getByText(words).waitFor();
    if (lesson === 'Expired token') expect(sent[0]?.body).toContain('"expires_in":"1"');
    if (lesson === 'Partial birth date') {
      expect(sent.slice(1).map(({ headers }) => headers.accept)).toEqual([
        'application/json',
        'application/fhir+json',
      ]);
    }
  });

  it('makes more calls with the token, follows a reference, makes one fail, and keeps them over a reload', async () => {
    const page = await portal.open('/applications/app-1/try');
    const coverage = { resourceType: 'Coverage', payor: [{ reference: 'Organization/o-1' }] };
    const sent = await environment(page, {
      '/token': token,
      '/Patient/': () => [200, patient],
      '/Coverage': (turn) => (turn === 1 ? [200, coverage] : [403, { resourceType: 'OperationOutcome' }]),
      '/Organization/o-1': () => [200, { resourceType: 'Organization' }],
    });
    await page.getByRole('button', { name: 'Continue to sign-in page' }).click();
    await page.getByRole('heading', { name: 'Make more calls' }).waitFor();
    await page.getByLabel('Path and query').fill('https://elsewhere.example/');
    await page.getByRole('button', { name: 'Send' }).press('Enter');
    await page.getByText('Enter the path below the base only').waitFor();
    await page.getByLabel('Path and query').fill('Coverage');
    await page.getByLabel('Path and query').press('Enter');
    await page.getByRole('heading', { name: '3. GET Coverage 200' }).waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toContain('GET Coverage');
    await page.getByRole('button', { name: '"Organization/o-1"' }).press('Enter');
    await page.getByRole('heading', { name: '4. GET Organization/o-1 200' }).waitFor();
    await page.getByLabel('Send it').selectOption({ label: 'With a wrong subscription key' });
    await page.getByRole('button', { name: 'Send' }).press('Enter');
    await page.getByText('The gateway does not know the subscription key').waitFor();
    expect(sent.at(-1)?.headers['x-api-subscription-key']).toBe('a-subscription-key-nobody-has-0000');
    await expectAccessible(page, 'workbench');
    await page.reload();
    await page
      .getByRole('heading', { name: /^5. GET Coverage, with a wrong subscription key 403/ })
      .waitFor();
    expect(await page.content()).not.toContain('token-1');
    expect(await page.getByRole('heading', { name: 'Make more calls' }).isVisible()).toBe(false);
    // One press signs in again. The calls and what was in the form stay.
    await page.getByRole('button', { name: 'Get a fresh code' }).click();
    await page.getByRole('heading', { name: /^7. Read the Patient/ }).waitFor();
    await page.getByRole('heading', { name: /^5. GET Coverage, with a wrong/ }).waitFor();
    await expect.poll(() => page.getByLabel('Path and query').inputValue()).toBe('Coverage');
    await expectAccessible(page, 'workbench-again');
    await page.getByRole('button', { name: 'Clear these calls' }).click();
    await expect.poll(() => page.getByRole('heading', { name: /Read the Patient/ }).count()).toBe(0);
  });

  it('renews the token, lets it expire and revokes its grant, with one press each', async () => {
    const page = await portal.open('/applications/app-1/try');
    const issued = (turn: number): Answered => [
      200,
      { access_token: `token-${turn}`, patient: members[0]?.patientId, refresh_token: `refresh-${turn}` },
    ];
    const sent = await environment(page, {
      '/token': issued,
      '/revoke': () => [200, {}],
      '/Patient/': (turn) => (turn === 1 ? [200, patient] : [401, { resourceType: 'OperationOutcome' }]),
    });
    await page.getByRole('button', { name: 'Continue to sign-in page' }).click();
    await page.getByRole('button', { name: 'Renew the token' }).click();
    await page.getByText('The refresh token brought a new access token').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Renew the access token');
    expect(JSON.parse(sent.at(-1)?.body ?? '')).toMatchObject({ refresh_token: 'refresh-1' });
    await page.getByRole('button', { name: 'Let the token expire' }).click();
    await page.getByText('The token was valid for one second').waitFor();
    expect(JSON.parse(sent.at(-1)?.body ?? '')).toMatchObject({
      refresh_token: 'refresh-2',
      expires_in: '1',
    });
    await page.getByLabel('Path and query').fill('Patient/{patient}');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('heading', { name: /^5. GET Patient.* 401/ }).waitFor();
    expect(sent.at(-1)?.headers.authorization).toBe('Bearer token-3');
    await page.getByRole('button', { name: 'Revoke the grant' }).click();
    await page.getByText('The grant and all its tokens have ended').waitFor();
    expect(new URLSearchParams(sent.at(-1)?.body ?? '').get('token')).toBe('token-3');
  });

  it('shows beside a refusal its line in the log of calls, and the page of the error', async () => {
    const line = {
      at: '2026-11-27T10:00:00Z',
      host: 'dsnp.api.sandbox.localhost',
      method: 'GET',
      route: '/extfhirpatientaccess/v1/Patient/{id}',
      status: 401,
      responseType: 'ACCESS_DENIED',
      reason: 'token_expired',
      requestId: 'request-7',
      latencyMs: 12,
    };
    const shown = [{ calls: [] }, { calls: [line] }];
    portal.site.answer('calls', () => ({ body: shown.shift() ?? { calls: [line] } }));
    const page = await portal.open('/applications/app-1/try');
    const diagnostics = 'The access token is missing, invalid or expired.';
    await environment(page, {
      '/token': token,
      '/Patient/': () => [
        401,
        { resourceType: 'OperationOutcome', issue: [{ diagnostics }] },
        { 'x-request-id': 'request-7' },
      ],
    });
    await page.getByRole('button', { name: 'Continue to sign-in page' }).click();
    const error = page.getByRole('link', { name: 'What this error means' });
    expect(await error.getAttribute('href')).toMatch(/^\/docs\/errors#/);
    await page.getByText('Line in the call log: Read the Patient').click();
    await page.getByText('The log does not have request').waitFor();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('token_expired').waitFor();
    await page.getByText('12 ms', { exact: true }).waitFor();
    await expectAccessible(page, 'log-line');
  });

  it('starts a job of a payer, asks until it is complete, and says how a file is downloaded', async () => {
    const page = await openTry({
      ...{ applicationType: 'service', grantType: 'client_credentials', responseType: 'none' },
      products: ['payer-access'],
      linesOfBusiness: ['DSNP'],
    });
    const base = `${portal.site.origin}/dsnp/extfhirpayeraccess/v1`;
    const file = `${base}/jobs/job-1/files/Patient-0.ndjson`;
    const sent = await environment(page, {
      '/token/v2': () => [200, { access_token: 'machine-token' }],
      'Group/$bulk-member-match': () => [202, {}, { 'content-location': `${base}/jobs/job-1` }],
      '/jobs/job-1/files/': () => [303, {}, { location: 'https://elsewhere.example/file' }],
      '/jobs/job-1': (turn) =>
        turn === 1 ? [202, {}, { 'retry-after': '1' }] : [200, { output: [{ url: file }] }],
      '/Group': () => [200, { resourceType: 'Bundle' }],
    });
    await page.getByRole('button', { name: 'Get a token and call' }).click();
    await page.getByLabel('Example').selectOption('POST Group/$bulk-member-match');
    await expect.poll(() => page.getByLabel('Body').inputValue()).toContain('MemberBundle');
    await expectAccessible(page, 'workbench-payer');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('button', { name: 'Ask until the job is complete' }).click();
    await page.getByText('The job is complete after 2 requests').waitFor();
    expect(sent.find(({ path }) => path.endsWith('$bulk-member-match'))?.headers.prefer).toBe(
      'respond-async',
    );
    await page.getByRole('button', { name: file }).click();
    await page.getByText('The response is a redirect to the signed address of the file').waitFor();
  });

  it('asks for the password again when the five minutes are over, and says a refusal of the member', async () => {
    portal.site.answer('account', { body: account() });
    portal.site.answer('passwordAgain', { status: 204 });
    const page = await portal.open('/applications/app-1/try');
    await environment(page, { '/token': () => [400, { error: 'invalid_grant' }] });
    // The password is asked for before the redirect, since the code would expire while it is entered.
    await page.getByLabel('Your password').fill('correct horse battery staple');
    // The one press opens the secrets and leaves.
    await page.getByRole('button', { name: 'Continue to sign-in page' }).click();
    // The redirect loaded a new document, which takes the session's state from the API.
    await page.getByLabel('Your password').fill('correct horse battery staple');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The token endpoint refused the request.').waitFor();
    await page.goto(`${portal.site.origin}/try/callback?error=access_denied&state=forged`);
    await page.getByRole('heading', { name: 'No call in progress' }).waitFor();
  });

  it('gets a token of its own for a back-end service, then calls each product', async () => {
    const page = await openTry({
      ...{ applicationType: 'service', grantType: 'client_credentials', responseType: 'none' },
      products: ['provider-directory', 'payer-access'],
    });
    const sent = await environment(page, {
      '/token/v2': () => [200, { access_token: 'machine-token' }],
      '/extfhirproviderdir': () => [200, { resourceType: 'Bundle' }],
      '/extfhirpayeraccess': () => [403, { resourceType: 'OperationOutcome' }],
    });
    await page.getByRole('button', { name: 'Get a token and call' }).click();
    await page.getByRole('heading', { name: /3. Search the groups of your matched members/ }).waitFor();
    await page.getByText('once an operator has verified your organization').waitFor();
    expect(sent[0]?.body).toContain('scope=sandbox-data%2F.default+system%2F*.rs');
    expect(sent.map(({ path }) => path)).toEqual([
      '/token/v2',
      '/dsnp/extfhirproviderdir/v1/Organization',
      '/dsnp/extfhirpayeraccess/v1/Group',
    ]);
  });

  it('begins with the call that a link of the reference names, for the members its examples find', async () => {
    const configuration: typeof aConfiguration = { ...aConfiguration, linesOfBusiness: ['MAPD', 'DSNP'] };
    const view = anApplication({ sandbox: { clientId: 'client-sandbox-1', configuration } });
    portal.site.answer('application', { body: view });
    portal.site.answer('applications', { body: { applications: [view] } });
    const query = 'interface=patient-access&method=POST&path=Patient/{patient}/$everything&body=_count=2';
    const page = await portal.open(`/try?${query}`);
    // The only application is opened at once.
    await page.waitForURL('**/applications/app-1/try?**');
    const sent = await environment(page, { '/token': token, '/Patient/': () => [200, patient] });
    await page.getByText('The workbench below the first call begins with').waitFor();
    await page.getByRole('heading', { name: '4. Sign in as Adaeze Sampleton' }).waitFor();
    await page.getByRole('button', { name: 'Continue to sign-in page' }).click();
    const path = `Patient/${members[0]?.patientId}/$everything`;
    await expect.poll(() => page.getByLabel('Path and query').inputValue()).toBe(path);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('heading', { name: `3. POST ${path} 200` }).waitFor();
    expect(sent.at(-1)).toMatchObject({ body: '_count=2', path: expect.stringContaining(path) });
  });

  it('says that an application cannot make the call of a link, and what can', async () => {
    const page = await portal.open('/applications/app-1/try?interface=payer-access&path=Group');
    await page.getByText('Group is a call of Payer Access, which needs a back-end service.').waitFor();
    await expectAccessible(page, 'try-cannot');
  });

  it('runs the call of a link by the demonstration for a visitor, and says what one of payers needs', async () => {
    portal.site.answer('account', { problem: 'signed_out' });
    const page = await portal.open('/docs');
    const sent = await environment(page, {
      '/token': token,
      '/Coverage': () => [200, { resourceType: 'Bundle' }],
    });
    await page.goto(
      `${portal.site.origin}/try?interface=patient-access&path=Coverage?patient=Patient/{patient}`,
    );
    await page.getByText('"Bundle"').waitFor();
    expect(sent.at(-1)?.path).toBe('/dsnp/extfhirpatientaccess/v1/Coverage');
    await expectAccessible(page, 'try-visitor');
    expect(
      await page.getByRole('link', { name: 'Sign in', exact: true }).last().getAttribute('href'),
    ).toContain(encodeURIComponent('/try?interface=patient-access'));
    await page.goto(`${portal.site.origin}/try?interface=payer-access&path=Group`);
    await page.getByText('This call needs an application of another payer').waitFor();
    await page.goto(`${portal.site.origin}/try`);
    await page.getByText('makes each request of the authorization server').waitFor();
  });

  it('calls the Provider Directory by the key alone for an application without member data', async () => {
    const page = await openTry({ products: ['provider-directory'] });
    const sent = await environment(page, { '/extfhirproviderdir': () => [200, { resourceType: 'Bundle' }] });
    await page.getByRole('button', { name: 'Call the Provider Directory' }).click();
    await page.getByText('The key identifies your application.').waitFor();
    await expectAccessible(page, 'try-directory');
    expect(sent.map(({ path }) => path)).toEqual(['/dsnp/extfhirproviderdir/v1/Organization']);
  });

  it('says of an application with members that only services call Payer Access', async () => {
    const page = await openTry({ products: ['payer-access'] });
    await page.getByText('Only back-end services can call Payer Access').waitFor();
  });
});

/** Opens the page of the first call for an application with this configuration. */
async function openTry(changes: Partial<typeof aConfiguration>): Promise<Page> {
  const configuration = { ...aConfiguration, ...changes };
  portal.site.answer('application', {
    body: anApplication({ sandbox: { clientId: 'client-sandbox-1', configuration } }),
  });
  return await portal.open('/applications/app-1/try');
}
