/** The other payers of a soak: they match members and export their groups, one job after the other. */

import { fhirBase } from '../../lambdas/catalog/addresses.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { payerToPayer } from '../../lambdas/catalog/payer/export-parameters.ts';
import { jobLimits } from '../../lambdas/catalog/payer/job-kinds.ts';
import {
  type OrganizationIdentifier,
  organizationIdentifierKinds,
} from '../../lambdas/catalog/payer/organization-identifiers.ts';
import { localFetch, memberOf, originsOf } from '../journeys/journey.ts';
import {
  bundleOf,
  type Manifest,
  type PayerApplication,
  payerHeaders,
  payerNpi,
  registerPayer,
} from '../journeys/payer-client.ts';
import type { World } from './world.ts';

/** Numbers of a payer's jobs that were begun and that have ended. */
export interface PayerJobs {
  begun: number;
  ended: number;
}

const longestJobMs = 600_000;
/** Most tries to begin a job. A try without an answer may have begun the job, which then begins twice. */
const beginnings = 10;

export async function payer(world: World, lob: LineOfBusiness): Promise<PayerJobs> {
  const jobs: PayerJobs = { begun: 0, ended: 0 };
  const app = await world.act('register a payer', () => registerPayer(lob));
  while (app !== undefined && !world.over) {
    await matchAndExport(world, lob, app, jobs);
    await world.pause(3_000);
  }
  return jobs;
}

async function matchAndExport(world: World, lob: LineOfBusiness, app: PayerApplication, jobs: PayerJobs) {
  const headers = await world.act('token of a payer', () => payerHeaders(app));
  if (headers === undefined) return;
  const payer = { world, lob, headers, organization: payerNpi, jobs };
  const groupId = await matchMembers(payer);
  if (groupId !== undefined) await exportGroup(payer, groupId);
}

/** Jobs that each of the two payers has at once, the most that an application may have. */
const jobsAtOnce = jobLimits.activeJobs;
const otherOrganization = { system: organizationIdentifierKinds.naic.system, value: '99999' };

/** One payer exports a group five times at once, and another matches members five times at once. */
export async function jobsAtOnceOfTwoPayers(world: World, lob: LineOfBusiness): Promise<PayerJobs> {
  const jobs: PayerJobs = { begun: 0, ended: 0 };
  const [exporter, matcher] = await Promise.all(
    [payerNpi, otherOrganization].map((organization) => newPayer(world, lob, organization, jobs)),
  );
  const groupId = exporter && (await matchMembers(exporter));
  if (exporter === undefined || matcher === undefined || groupId === undefined) {
    world.tally.broken('two payers could not begin their jobs');
    return jobs;
  }
  await Promise.all(
    Array.from({ length: jobsAtOnce }, () => [exportGroup(exporter, groupId), matchMembers(matcher)]).flat(),
  );
  const expected = 1 + 2 * jobsAtOnce;
  if (jobs.ended < expected) world.tally.broken(`${jobs.ended} of ${expected} jobs have ended`);
  return jobs;
}

interface Payer {
  readonly world: World;
  readonly lob: LineOfBusiness;
  readonly headers: Headers;
  readonly organization: OrganizationIdentifier;
  readonly jobs: PayerJobs;
}

async function newPayer(
  world: World,
  lob: LineOfBusiness,
  organization: OrganizationIdentifier,
  jobs: PayerJobs,
): Promise<Payer | undefined> {
  for (let tries = 0; tries < 5; tries += 1) {
    const headers = await world.act('register a payer', async () =>
      payerHeaders(await registerPayer(lob, 'sandbox', [organization])),
    );
    if (headers !== undefined) return { world, lob, headers, organization, jobs };
    await world.pause(2_000);
  }
  return undefined;
}

const baseOf = ({ lob }: Payer) => fhirBase(originsOf('sandbox'), lob, 'payer-access');

/** @returns the ID of the group of matched members. */
async function matchMembers(payer: Payer): Promise<string | undefined> {
  const { world, lob, headers, organization } = payer;
  const members = [0, 1].map((index) => bundleOf(memberOf('sandbox', lob, index), organization));
  const body = { resourceType: 'Parameters', parameter: members };
  const matched = await job(payer, 'bulk match', `${baseOf(payer)}/Group/$bulk-member-match`, body);
  const url = matched?.output.find(({ type }) => type === 'Group')?.url;
  const file = url === undefined ? undefined : await fileOf(world, url, headers);
  return file === undefined ? undefined : (JSON.parse(file.split('\n')[0] ?? '{}') as { id?: string }).id;
}

async function exportGroup(payer: Payer, groupId: string): Promise<void> {
  const { world, headers } = payer;
  const body = {
    resourceType: 'Parameters',
    parameter: [{ name: 'exportType', valueString: payerToPayer }],
  };
  const exported = await job(payer, 'export', `${baseOf(payer)}/Group/${groupId}/$davinci-data-export`, body);
  for (const { url, count, type } of exported?.output ?? []) {
    const text = await fileOf(world, url, headers);
    if (text !== undefined && text.trim().split('\n').length !== count) {
      world.tally.broken(`a file of ${type} has other resources than its manifest counts`);
    }
  }
}

type Headers = Readonly<Record<string, string>>;

/** Begins a job and polls it as `Retry-After` says. An acknowledged job must end, even if the system is killed meanwhile. */
async function job(
  { world, headers, jobs }: Payer,
  kind: string,
  url: string,
  body: object,
): Promise<Manifest | undefined> {
  const asked = { ...headers, prefer: 'respond-async', 'content-type': 'application/fhir+json' };
  const send = () => localFetch(url, { method: 'POST', headers: asked, body: JSON.stringify(body) });
  let begun: Response | undefined;
  for (let tries = 0; begun === undefined && tries < beginnings; tries += 1) {
    begun = await world.call(`begin ${kind}`, send, [202]);
  }
  const address = begun?.headers.get('content-location');
  if (address === undefined || address === null) return undefined;
  jobs.begun += 1;
  const startedAt = performance.now();
  for (const deadline = Date.now() + longestJobMs; Date.now() < deadline; ) {
    const status = await world.call('status of a job', () => localFetch(address, { headers }), [200, 202]);
    if (status?.status === 200) {
      jobs.ended += 1;
      world.tally.answered(`${kind}, whole`, performance.now() - startedAt);
      return (await status.json()) as Manifest;
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  world.tally.broken(`a job (${kind}) has not ended within ${longestJobMs / 1_000} s`);
  return undefined;
}

async function fileOf(world: World, url: string, headers: Headers): Promise<string | undefined> {
  const redirect = await world.call(
    'address of a file',
    () => localFetch(url, { headers, redirect: 'manual' }),
    [307],
  );
  const location = redirect?.headers.get('location');
  if (location === undefined || location === null) return undefined;
  return await world.act('download', async () => {
    const file = await fetch(location);
    if (file.status !== 200) throw new Error(`a file was answered ${file.status}`);
    return await file.text();
  });
}
