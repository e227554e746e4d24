import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type DocumentationPageName,
  documentationPages,
} from '../../lambdas/portal/catalog/documentation-pages.ts';
import { createBrowser } from '../../ops/demo/browser.ts';
import {
  exampleClientId,
  examplePatient,
  exampleVerifier,
} from '../../portal-static/build/documents/member-examples.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import { freePort } from '../support/free-port.ts';
import { type App, memberToken } from './app-calls.ts';
import { answerPages, http, memberOf, register, registrationOf } from './journey.ts';
import {
  developersMachine,
  openTerminal,
  type Sample,
  samplesOn,
  startProgram,
  type Terminal,
} from './published-samples.ts';

/** Runs every code sample of the documentation as the portal shows it, with nothing but the pages. */

/** The elements of a claim that the programs print. */
interface ShownClaim {
  readonly use: string;
  readonly status: string;
  readonly billablePeriod: { readonly start: string };
  readonly provider: { readonly display: string };
  readonly payment?: { readonly amount?: { readonly value: number } };
}

const redirectUri = 'http://localhost:3000/callback';
const member = () => memberOf('sandbox', 'DSNP');
const folder = mkdtempSync(join(tmpdir(), 'documentation-samples-'));
const machine = developersMachine(folder);
let app: App;
const pages = new Map<DocumentationPageName, readonly Sample[]>();

beforeAll(async () => {
  app = await register(
    'sandbox',
    registrationOf('DSNP', { redirectUris: [redirectUri, appRedirect('js'), appRedirect('py')] }),
  );
  for (const name of documentationPages) pages.set(name, await samplesOn(`/docs/${name}`));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const on = (name: DocumentationPageName) => pages.get(name) ?? [];

/**
 * Signs the member in at the address and answers the consent page.
 *
 * @returns the redirect to the app
 */
async function decideAt(
  url: string,
  button: 'Share my data' | "Don't share" = 'Share my data',
): Promise<URL> {
  const browser = createBrowser(http, 'http://localhost:');
  return await answerPages(browser, await browser.open(url), member(), button);
}

it('marks each piece of code with its language', () => {
  const languages = [...pages.values()].flat().map(({ language }) => language);
  expect(languages.length).toBeGreaterThan(25);
  const known = ['sh', 'js', 'py', 'json', 'html', 'http', 'text', 'hosts'];
  expect(languages.filter((language) => !known.includes(language))).toEqual([]);
});

/** Values that replace placeholders of the samples (`'<code>'`). */
type Shown = Record<string, string>;
const filledIn = (text: string, shown: Shown) =>
  text.replace(/'<([^>]+)>'/g, (whole, name: string) =>
    shown[name] === undefined ? whole : `'${shown[name]}'`,
  );

const credentials = (): Shown => ({
  'client id': app.clientId,
  'client secret': app.clientSecret,
  'subscription key': app.subscriptionKey,
});

/** Runs a page's commands one after the other. `before` returns the values of the next command's placeholders. */
async function follow(
  name: DocumentationPageName,
  terminal: Terminal,
  before: (sample: Sample, lastPrinted: string) => Promise<Shown>,
): Promise<void> {
  let printed = '';
  const samples = on(name);
  for (const [index, sample] of samples.entries()) {
    if (sample.language !== 'sh') continue;
    const shown = await before(sample, printed);
    const typed = filledIn(sample.text, shown);
    expect(typed, `${name}: a value nobody was told of`).not.toMatch(/'<[^>]+>'/);
    const answer = await terminal.type(typed);
    if (answer.trim() !== '') printed = answer;
    const next = samples[index + 1];
    if (next?.language === 'json')
      expectAlike(JSON.parse(answer), JSON.parse(next.text), `${name}: ${typed}`);
  }
}

/** Expects the fields and types of the object that the page shows. */
function expectAlike(actual: object, shown: object, message: string): void {
  const kinds = (value: object) =>
    Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, Array.isArray(one) ? 'array' : typeof one]),
    );
  expect(kinds(actual), message).toEqual(kinds(shown));
}

const source = (name: string) =>
  readFileSync(join(repositoryRoot, 'portal-static', 'docs', `${name}.md`), 'utf8');
const withCommands = documentationPages.filter(
  (name) => name !== 'get-started' && /^```sh|\{\{sample /m.test(source(name)),
);

describe('the commands', () => {
  it('of Get started lead from three values to a Patient', async () => {
    const terminal = openTerminal(machine);
    let last: Shown = {};
    await follow('get-started', terminal, async ({ text }, printed) => {
      if (printed.startsWith('{')) last = JSON.parse(printed) as Shown;
      if (!text.includes("'<code>'")) return { ...credentials(), ...last };
      const back = await decideAt(printed.trim());
      expect(back.href.startsWith(`${redirectUri}?`)).toBe(true);
      return { code: back.searchParams.get('code') ?? '' };
    });
    const patient = JSON.parse(
      await terminal.type(on('get-started').at(-1)?.text ?? ''),
    ) as typeof examplePatient;
    expect(patient.id).toBe(member().patientId);
    terminal.close();
  });

  /** Obtains a code with the authorization request on the page Authorization. */
  async function codeAsShown(): Promise<string> {
    const request = on('authorization').find(({ language }) => language === 'http')?.text ?? '';
    const url = request.replace(/\s/g, '').replace(exampleClientId, app.clientId);
    return (await decideAt(url)).searchParams.get('code') ?? '';
  }

  it.each(withCommands)('of %s do what it says', async (name) => {
    const terminal = openTerminal({
      ...machine,
      CLIENT_ID: app.clientId,
      CLIENT_SECRET: app.clientSecret,
      SUBSCRIPTION_KEY: app.subscriptionKey,
      REDIRECT_URI: redirectUri,
      VERIFIER: exampleVerifier,
      PATIENT: member().patientId,
    });
    const exchange = on('authorization').find(({ text }) => text.includes('authorization_code'))?.text ?? '';
    const tokens = async () => {
      await terminal.type(`CODE=${await codeAsShown()}`);
      return JSON.parse(await terminal.type(exchange)) as Shown;
    };
    await follow(name, terminal, async ({ text }) => {
      if (text.includes('$CODE')) await terminal.type(`CODE=${await codeAsShown()}`);
      if (text.includes('$ACCESS_TOKEN'))
        await terminal.type(`ACCESS_TOKEN=${(await tokens()).access_token}`);
      if (!text.includes("'<refresh_token>'")) return {};
      return { refresh_token: (await tokens()).refresh_token ?? '' };
    });
    terminal.close();
  });
});

/** Each program gets a free port, so that both can run beside others. */
const ports = { js: await freePort(), py: await freePort() };

function appRedirect(language: 'js' | 'py'): string {
  return `http://localhost:${ports[language]}/callback`;
}

const python = spawnSync('python3', ['--version']).status === 0;

describe.each([
  ['js', true],
  ['py', python],
] as const)('the program in %s that reads all claims', (language, there) => {
  it.runIf(there)(
    'goes from page to page, leaves prior authorizations out, and adds up what was paid',
    async () => {
      const program = on('claims').find((each) => each.language === language && each.file !== undefined);
      writeFileSync(join(folder, program?.file ?? ''), program?.text ?? '');
      const started = startProgram(program?.command ?? '', folder, {
        ...machine,
        ACCESS_TOKEN: await memberToken(app, 'DSNP', 0, 'patient/*.read', redirectUri),
        SUBSCRIPTION_KEY: app.subscriptionKey,
        PATIENT: member().patientId,
      });
      expect(await started.ended, started.printed()).toBe(0);
      const claims = member()
        .resources.filter(({ resourceType }) => resourceType === 'ExplanationOfBenefit')
        .map(({ json }) => JSON.parse(json) as ShownClaim)
        .filter(({ use }) => use === 'claim');
      const amountOf = ({ payment }: ShownClaim) => payment?.amount?.value ?? 0;
      const paid = claims
        .filter(({ status }) => status === 'active')
        .reduce((sum, claim) => sum + Math.round(amountOf(claim) * 100), 0);
      const printed = started.printed().trim().split('\n');
      expect(printed.at(-1)).toBe(`${claims.length} claims. The plan paid $${(paid / 100).toFixed(2)}`);
      const lines = claims.map((claim) => {
        const note = claim.status === 'active' ? '' : ` (${claim.status}, not counted)`;
        return `${claim.billablePeriod.start}  ${claim.provider.display}  $${amountOf(claim).toFixed(2)}${note}`;
      });
      expect(printed.slice(0, -1).sort()).toEqual(lines.sort());
      // More than a page of ten, or the links would not be followed.
      expect(claims.length).toBeGreaterThan(10);
    },
  );
});

describe.each([
  ['js', true],
  ['py', python],
] as const)('the sample application in %s', (language, there) => {
  const start = () => {
    const sample = on('samples').find((each) => each.language === language);
    if (sample?.file === undefined || sample.command === undefined) throw new Error('the page names no file');
    writeFileSync(join(folder, sample.file), sample.text);
    return startProgram(sample.command, folder, {
      ...machine,
      CLIENT_ID: app.clientId,
      CLIENT_SECRET: app.clientSecret,
      SUBSCRIPTION_KEY: app.subscriptionKey,
      REDIRECT_URI: appRedirect(language),
    });
  };

  it.runIf(there)('prints what the page says', async () => {
    const program = start();
    const opened = await program.printedMatch(/(?<=Open )\S+\n/);
    await fetch(await decideAt(opened.trim()));
    expect(await program.ended, program.printed()).toBe(0);
    const shown = on('samples').at(-1)?.text ?? '';
    const [{ json } = { json: '{}' }] = member().resources;
    const { name, birthDate } = JSON.parse(json) as typeof examplePatient;
    const [address = '', ...lines] = shown
      .replace('Rosa M Example', `${name[0]?.given.join(' ')} ${name[0]?.family}`)
      .replace(examplePatient.birthDate, birthDate)
      .split('\n');
    const [open, ...rest] = program.printed().trim().split('\n');
    expect(open).toContain(address.slice(0, address.indexOf('&')));
    expect(rest).toEqual(lines);
  });

  it.runIf(there)('says why, where the member doesn’t share', async () => {
    const program = start();
    const opened = await program.printedMatch(/(?<=Open )\S+\n/);
    await fetch(await decideAt(opened.trim(), "Don't share"));
    expect(await program.ended).toBe(1);
    expect(program.printed()).toMatch(/access_denied: \w/);
  });
});

it('a back-end service gets a token with the key it made as the page says', async () => {
  const [keys, token] = on('backend').filter(({ language }) => language === 'js');
  for (const program of [keys, token]) writeFileSync(join(folder, program?.file ?? ''), program?.text ?? '');
  expect(await startProgram(keys?.command ?? '', folder, machine).ended).toBe(0);
  const service = await register(
    'sandbox',
    registrationOf('DSNP', {
      grantTypes: ['client_credentials'],
      tokenEndpointAuthMethod: 'private_key_jwt',
      products: ['payer-access', 'provider-directory'],
      redirectUris: [],
      jwks: JSON.parse(readFileSync(join(folder, 'jwks.json'), 'utf8')),
    }),
  );
  const { clientId, subscriptionKey } = service;
  const asked = startProgram(token?.command ?? '', folder, {
    ...machine,
    CLIENT_ID: clientId,
    SUBSCRIPTION_KEY: subscriptionKey,
  });
  expect(await asked.ended).toBe(0);
  const [answer] = on('backend').filter(({ language }) => language === 'json');
  expectAlike(JSON.parse(asked.printed()), JSON.parse(answer?.text ?? ''), asked.printed());
});
