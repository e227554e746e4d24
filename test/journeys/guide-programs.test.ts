import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { ClientRegistration } from '../../lambdas/clients/provisioning/registration-contract.ts';
import { createBrowser } from '../../ops/demo/browser.ts';
import { demonstratedMember } from '../../ops/demonstration.ts';
import { openChromium } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { answerPages, http, localFetch, memberOf, provision, register, registrationOf } from './journey.ts';
import { signIn } from './pages-browser.ts';
import { payerNpi } from './payer-client.ts';
import {
  developersMachine,
  type Program,
  type Sample,
  samplesOn,
  startProgram,
} from './published-samples.ts';

/** Runs the program of each guide as the portal shows it, in the place where its reader would run it. */

const member = () => memberOf('sandbox', 'DSNP');
const folder = mkdtempSync(join(tmpdir(), 'guide-programs-'));
const machine = developersMachine(folder);
const running: Program[] = [];
afterAll(() => {
  for (const program of running) program.end();
  rmSync(folder, { recursive: true, force: true });
});

/** Saves the programs of a page in the folder, each under the name it says. */
async function saved(page: string): Promise<readonly Required<Sample>[]> {
  const programs = (await samplesOn(`/docs/${page}`)).filter(
    (sample): sample is Required<Sample> => sample.file !== undefined && sample.command !== undefined,
  );
  for (const { file, text } of programs) writeFileSync(join(folder, file), text);
  return programs;
}

async function theProgram(page: string): Promise<Required<Sample>> {
  const [program] = await saved(page);
  if (program === undefined) throw new Error(`${page} has no program`);
  return program;
}

function run(command: string, variables: Readonly<Record<string, string>> = {}): Program {
  const program = startProgram(command, folder, { ...machine, ...variables });
  running.push(program);
  return program;
}

async function printedAtTheEnd(program: Program): Promise<readonly string[]> {
  expect(await program.ended, program.printed()).toBe(0);
  return program.printed().trim().split('\n');
}

const publicClient: Partial<ClientRegistration> = {
  grantTypes: ['authorization_code'],
  tokenEndpointAuthMethod: 'none',
  products: ['patient-access'],
};

/** The line that programs print of the Patient they have read. */
function readLine(): string {
  const [{ json } = { json: '{}' }] = member().resources;
  const { name, birthDate } = JSON.parse(json) as {
    readonly name: readonly { readonly given: readonly string[]; readonly family: string }[];
    readonly birthDate: string;
  };
  return `Read ${name[0]?.given.join(' ')} ${name[0]?.family}, born ${birthDate}`;
}

it('the single-page app reads the Patient in a browser, and leaves no code in its address', async () => {
  const port = await freePort();
  const redirectUri = `http://localhost:${port}/`;
  const app = await register(
    'sandbox',
    registrationOf('DSNP', { ...publicClient, redirectUris: [redirectUri] }),
  );
  const { file, command, text } = await theProgram('single-page-app');
  const page = text.replace('<client id>', app.clientId).replace('<subscription key>', app.subscriptionKey);
  writeFileSync(join(folder, file), page);
  const server = run(command.replace('3000', String(port)));
  const browser = await openChromium();
  try {
    const tab = await browser.newPage();
    await expect
      .poll(() =>
        fetch(redirectUri).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
    await tab.goto(redirectUri);
    await tab.getByRole('button', { name: 'Connect my plan' }).click();
    await signIn(tab, member());
    await tab.getByRole('button', { name: 'Share my data' }).click();
    await tab.waitForURL((url) => url.href.startsWith(redirectUri));
    await expect.poll(() => tab.getByRole('status').textContent()).toBe(readLine());
    expect(tab.url()).toBe(redirectUri);
    // A link that the page did not ask for is refused.
    await tab.goto(`${redirectUri}?code=stolen&state=other`);
    await expect.poll(() => tab.getByRole('status').textContent()).toContain('does not match the request');
  } finally {
    await browser.close();
    server.end();
  }
});

it.each([
  [
    'reads the Patient by the link that opens the app, and refreshes without a secret',
    'com.example.app:/callback',
    '',
  ],
  ['refuses a link that belongs to another request', 'com.example.app:/callback', 'another'],
] as const)('the mobile app %s', async (_, redirectUri, other) => {
  const app = await register(
    'sandbox',
    registrationOf('DSNP', { ...publicClient, redirectUris: [redirectUri] }),
  );
  const { command } = await theProgram('mobile-app');
  const { clientId, subscriptionKey } = app;
  const program = run(command, {
    ...{ CLIENT_ID: clientId, SUBSCRIPTION_KEY: subscriptionKey, REDIRECT_URI: redirectUri },
  });
  const address = (await program.printedMatch(/(?<=Open )\S+\n/)).trim();
  const browser = createBrowser(http, redirectUri);
  const link = await answerPages(browser, await browser.open(address), member());
  if (other !== '') link.searchParams.set('state', other);
  program.type(link.href);
  if (other !== '') {
    expect(await program.ended).toBe(1);
    expect(program.printed()).toContain('the link does not belong to the request');
    return;
  }
  const [, ...lines] = await printedAtTheEnd(program);
  expect(lines).toEqual([readLine(), 'Refreshed without a secret; a read returns 200']);
});

/** Registers a payer's application with the key that the page's first program makes, and verifies its organization. */
async function payer(): Promise<Readonly<Record<string, string>>> {
  const [keys] = await saved('backend');
  if (!existsSync(join(folder, 'jwks.json'))) await printedAtTheEnd(run(keys?.command ?? ''));
  const { clientId, subscriptionKey } = await register(
    'sandbox',
    registrationOf('DSNP', {
      grantTypes: ['client_credentials'],
      tokenEndpointAuthMethod: 'private_key_jwt',
      products: ['payer-access'],
      redirectUris: [],
      jwks: JSON.parse(readFileSync(join(folder, 'jwks.json'), 'utf8')),
    }),
  );
  const action = 'verify-organization';
  await provision('sandbox', { action, requestId: randomUUID(), clientId, organization: [payerNpi] });
  return { CLIENT_ID: clientId, SUBSCRIPTION_KEY: subscriptionKey, NPI: payerNpi.value };
}

it('the other payer matches the member of the sandbox, and reads the record', async () => {
  const variables = await payer();
  const [matched, ...counts] = await printedAtTheEnd(run((await theProgram('payer')).command, variables));
  expect(matched).toBe(`Matched Patient/${demonstratedMember().patientId}`);
  expect(counts).toContain('1 Patient');
  expect(counts.some((line) => /^\d+ ExplanationOfBenefit$/.test(line))).toBe(true);
});

it('the data team exports the members it has matched', async () => {
  const [, exporting] = await saved('data-team');
  const bodies = (await samplesOn('/docs/payer-access')).filter(({ text }) => text.includes('MemberBundle'));
  writeFileSync(join(folder, 'members.json'), bodies.at(-1)?.text ?? '');
  const lines = await printedAtTheEnd(run(exporting?.command ?? '', await payer()));
  expect(lines).toContain('Matched 1 members');
  const files = readdirSync(join(folder, 'members'));
  for (const type of ['Patient', 'ExplanationOfBenefit']) {
    const file = files.find((name) => name.startsWith(`${type}-`)) ?? 'none';
    const resources = readFileSync(join(folder, 'members', file), 'utf8')
      .trim()
      .split('\n');
    expect(lines).toContain(`${resources.length} ${type}`);
  }
});

it('the data team loads the directory once, and then waits for a new publication', async () => {
  const { command } = await theProgram('data-team');
  const first = await printedAtTheEnd(run(command));
  expect(first.some((line) => /^[1-9]\d* Practitioner$/.test(line))).toBe(true);
  expect(await printedAtTheEnd(run(command))).toEqual(['There is no new publication']);
});

it('the program for Plan Finder reads plans and providers of a contract', async () => {
  const lines = await printedAtTheEnd(run((await theProgram('plan-finder')).command));
  expect(lines.some((line) => /^[1-9]\d* PractitionerRole$/.test(line))).toBe(true);
  expect(lines.some((line) => /^H0000-\d{3}: \w/.test(line))).toBe(true);
});

it('the program with sessions signs in where another site asks, and signs out here and at the plan', async () => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const app = await register(
    'sandbox',
    registrationOf('DSNP', {
      redirectUris: [`${origin}/callback`],
      initiateLoginUri: `${origin}/login`,
      postLogoutRedirectUris: [`${origin}/signed-out`],
    }),
  );
  const { clientId, clientSecret } = app;
  const program = run((await theProgram('sign-out')).command, {
    ...{ CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, REDIRECT_URI: `${origin}/callback` },
  });
  await program.printedMatch(/Open \S+/);
  expect((await localFetch(`${origin}/login?iss=https%3A%2F%2Felsewhere.example`)).status).toBe(400);
  const plan = createBrowser(http, `${origin}/`);
  const login = await localFetch(`${origin}/login`, { redirect: 'manual' });
  const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const back = await answerPages(plan, await plan.open(login.headers.get('location') ?? ''), member());
  const signedIn = await localFetch(back.href, { headers: { cookie } });
  expect(await signedIn.text()).toBe('You are signed in.');
  const logout = await localFetch(`${origin}/logout`, { headers: { cookie }, redirect: 'manual' });
  expect(await plan.open(logout.headers.get('location') ?? '')).toEqual({
    kind: 'app',
    url: `${origin}/signed-out`,
  });
  expect((await localFetch(back.href, { headers: { cookie } })).status).toBe(400);
});
