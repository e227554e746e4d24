import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { fhirBase } from '../../lambdas/catalog/addresses.ts';
import type { ApplicationView, CredentialsView } from '../../lambdas/portal/api/views.ts';
import { memberBundle } from '../payer-access/jobs/member-bundles.ts';
import { localFetch, originsOf } from './journey.ts';
import { createPayerClient, payerHeaders, payerKey, payerNpi } from './payer-client.ts';
import { api, done, portalChromium } from './portal/browser.ts';
import { aDeveloper, type Developer } from './portal/developer.ts';
import { anOperator } from './portal/operations.ts';
import { ops, portalOrigin } from './portal/portal.ts';
import { signIn } from './portal/sign-up.ts';

/**
 * Asynchronous jobs on the operators' console: what an operator sees of a payer's job, and what the payer gets after the job is removed.
 */

const lob = 'DSNP';
const name = 'Harbor Payer Exchange';
/** Enough members for a job of some seconds. */
const membersOfLongJob = 1500;
const chromium = portalChromium();

/**
 * Registers a payer's application in the portal; an operator verifies its organization.
 *
 * @returns the headers for its calls
 */
async function registerInPortal({ page, person }: Developer, verify: (id: string) => Promise<unknown>) {
  const { jwk, ...key } = payerKey();
  const at = (path: string) => `https://app.example.org${path}`;
  const { applicationId } = await done<ApplicationView>(page, 'POST', '/api/applications', {
    configuration: {
      ...{ applicationName: name, applicationType: 'service', grantType: 'client_credentials' },
      ...{ responseType: 'none', tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [jwk] } },
      ...{ pkce: false, products: ['payer-access'], linesOfBusiness: [lob] },
      ...{ applicationUri: at('/'), privacyUri: at('/privacy'), tosUri: at('/terms') },
      ...{ contactEmail: 'help@app.example.org', supportPhone: '202-555-0123' },
    },
  });
  await verify(applicationId);
  const path = `/api/applications/${applicationId}/credentials/sandbox`;
  const shown = await done<CredentialsView>(page, 'POST', path, { password: person.password });
  const { clientId, machineScope = '', subscriptionKeys } = shown;
  const subscriptionKey = subscriptionKeys[0]?.value ?? '';
  const headers = await payerHeaders({
    ...{ ...key, environment: 'sandbox', clientId, machineScope, subscriptionKey },
  });
  return { applicationId, headers };
}

/**
 * Begins jobs until the page of one is open while the job runs: a job may end before its page is open.
 *
 * @returns the address of the running job
 */
async function anyRunning(desk: Page, begin: () => Promise<string>): Promise<string> {
  for (let tries = 0; tries < 5; tries += 1) {
    const job = await begin();
    await desk.goto(
      `${portalOrigin()}/operations/jobs/sandbox/${lob}/${job.slice(job.lastIndexOf('/') + 1)}`,
    );
    const act = desk.getByRole('button', { name: /^(Cancel|Remove) job$/ });
    if ((await act.textContent()) === 'Cancel job') return job;
  }
  throw new Error('each job had ended before its page was shown');
}

it('lets an operator see a payer’s job, remove it, and cancel one that runs; the payer gets 404, a developer gets no job at all', async () => {
  const desk = await chromium.open('/sign-in');
  await signIn(desk, await anOperator());
  const developer = await aDeveloper(chromium);
  const { applicationId, headers } = await registerInPortal(developer, async (id) => {
    const path = `/api/operations/applications/${id}/organization/sandbox`;
    await done(desk, 'PUT', path, { npi: payerNpi.value });
  });
  const { beginJob, runJob } = createPayerClient(
    fhirBase(originsOf('sandbox'), lob, 'payer-access'),
    headers,
  );
  const parameter = [memberBundle('NOBODY-1'), memberBundle('NOBODY-2')];
  const { job } = await runJob('Group/$bulk-member-match', { resourceType: 'Parameters', parameter });
  const jobId = job.slice(job.lastIndexOf('/') + 1);
  const poll = async () => (await localFetch(job, { headers })).status;

  await desk.goto(`${portalOrigin()}/operations/jobs?environment=sandbox&lob=${lob}`);
  const row = desk.getByRole('row').filter({ hasText: jobId });
  await row.getByText('Complete').waitFor();
  await expect
    .poll(() => row.getByRole('link', { name }).getAttribute('href'))
    .toBe(`/operations/applications/${applicationId}`);
  await row.getByText(developer.person.company).waitFor();
  await row.getByRole('link', { name: 'Match of members' }).click();
  await desk.getByText('2 of 2').waitFor();
  const own = `/api/operations/jobs/sandbox/${lob}/${jobId}`;
  for (const method of ['GET', 'DELETE']) {
    expect(await api(developer.page, method, own)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
  }
  expect(await poll()).toBe(200);

  await desk.getByRole('button', { name: 'Remove job' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Remove job' }).click();
  await desk.getByText('The job has ended. Its files are removed.').waitFor();
  expect(await poll()).toBe(404);
  const again = await api(desk, 'DELETE', own);
  expect(again).toMatchObject({ status: 409, body: { code: 'job_ended' } });
  const { timeline } = await done<ApplicationView>(
    developer.page,
    'GET',
    `/api/applications/${applicationId}`,
  );
  expect(timeline.at(-1)).toMatchObject({ act: 'cancel_job', actor: { kind: 'operator' } });

  const running = await anyRunning(desk, async () => {
    const bundles = Array.from({ length: membersOfLongJob }, () => memberBundle(`NOBODY-${randomUUID()}`));
    return await beginJob('Group/$bulk-member-match', { resourceType: 'Parameters', parameter: bundles });
  });
  await desk.getByRole('button', { name: 'Cancel job' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Cancel job' }).click();
  await desk.getByText('The job has ended. Its files are removed.').waitFor();
  expect((await localFetch(running, { headers })).status).toBe(404);

  const printed = await ops('jobs', 'show', jobId, '--lob', lob, '--environment', 'sandbox');
  expect(printed).toMatch(/^state\s+cancelled$/m);
});
