import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fhirBase } from '../../lambdas/catalog/addresses.ts';
import type { Interface } from '../../lambdas/catalog/fhir/interfaces.ts';
import { type referenceChapters, referencePagePath } from '../../lambdas/portal/catalog/reference-pages.ts';
import { runOps } from '../../ops/program.ts';
import searchValues from '../../portal-static/build/documents/examples/search-values.json' with {
  type: 'json',
};
import { exampleLob } from '../../portal-static/build/documents/member-examples.ts';
import { inTurn } from '../support/matrix-turn.ts';
import { memberToken } from './app-calls.ts';
import { localFetch, memberOf, originsOf, register, registrationOf } from './journey.ts';
import { payerHeaders, registerPayer } from './payer-client.ts';
import { developersMachine, openTerminal, samplesOn } from './published-samples.ts';
import { systemFile } from './system-file.ts';

/**
 * The requests of the API reference, sent as its pages show them: each finds something. The values of its tables are searched in
 * `test/docs/search-values.test.ts`.
 */

const folder = mkdtempSync(join(tmpdir(), 'reference-examples-'));
const machine = developersMachine(folder);
let memberAccess: Record<string, string>;
let payerAccess: Record<string, string>;

beforeAll(async () => {
  const app = await register('sandbox', registrationOf(exampleLob));
  memberAccess = {
    ACCESS_TOKEN: await memberToken(app, exampleLob, 0, 'launch/patient patient/*.read'),
    SUBSCRIPTION_KEY: app.subscriptionKey,
  };
  const headers = await payerHeaders(await registerPayer(exampleLob));
  payerAccess = {
    ACCESS_TOKEN: headers.authorization?.replace('Bearer ', '') ?? '',
    SUBSCRIPTION_KEY: headers['x-api-subscription-key'] ?? '',
  };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The system loads its directory in the background. */
async function directoryIsPublished(): Promise<void> {
  const at = fhirBase(originsOf('sandbox'), exampleLob, 'provider-directory');
  const headers = { 'x-api-subscription-key': memberAccess.SUBSCRIPTION_KEY ?? '' };
  const ask = async () => (await localFetch(`${at}/Location`, { headers })).status;
  await expect.poll(ask, { timeout: 60_000, interval: 500 }).toBe(200);
}

interface Found {
  readonly resourceType: string;
  readonly total?: number;
  readonly entry?: readonly { readonly search?: { readonly mode?: string } }[];
}

const isFound = ({ resourceType, total, entry = [] }: Found) =>
  resourceType !== 'OperationOutcome' && (resourceType !== 'Bundle' || (total ?? entry.length) > 0);

/** Types the commands of the chapter’s pages of resource types. @returns those that found nothing */
async function commandsWithoutResult(chapter: Interface, credentials: Record<string, string>) {
  const terminal = openTerminal({ ...machine, ...credentials });
  const failed: string[] = [];
  let count = 0;
  if (chapter === 'payer-access') {
    const silent = { out: () => {}, err: () => {} };
    expect(await runOps(['seed', '--payer-cohort', '--system', systemFile()], {}, silent)).toBe(0);
    const [match] = await samplesOn(referencePagePath(chapter, 'member-match'));
    const answer = JSON.parse(await terminal.type(match?.text ?? '')) as Found;
    expect(answer.resourceType).toBe('Parameters');
  }
  const pages = Object.keys(searchValues[chapter]) as (typeof referenceChapters)[typeof chapter][number][];
  const taken = inTurn(pages, chapter);
  for (const page of taken) {
    for (const { language, text } of await samplesOn(referencePagePath(chapter, page))) {
      if (language !== 'sh') continue;
      count += 1;
      const answer = await terminal.type(text);
      if (!isFound(JSON.parse(answer) as Found)) failed.push(`${text}\n${answer}`);
    }
  }
  terminal.close();
  expect(count).toBeGreaterThanOrEqual(taken.length);
  return failed;
}

it('the values are those of the sandbox’s first member of the line of business', () => {
  expect(searchValues['patient-access'].Patient._id).toBe(memberOf('sandbox', exampleLob).patientId);
});

it.each([
  'patient-access',
  'payer-access',
  'provider-directory',
] as const)('each command of %s on the page of a resource type finds something', async (chapter) => {
  const credentials = chapter === 'payer-access' ? payerAccess : memberAccess;
  if (chapter === 'provider-directory') await directoryIsPublished();
  expect(await commandsWithoutResult(chapter, credentials)).toEqual([]);
});
