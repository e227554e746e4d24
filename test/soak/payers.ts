/** Other payers of a soak: matches of members and exports of their groups, one job after the other. */

import { fhirBase } from '../../lambdas/catalog/addresses.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { payerToPayer } from '../../lambdas/catalog/payer/export-parameters.ts';
import { localFetch, memberOf, originsOf } from '../journeys/journey.ts';
import {
  bundleOf,
  type Manifest,
  type PayerApplication,
  payerHeaders,
  registerPayer,
} from '../journeys/payer-client.ts';
import type { World } from './world.ts';

/** Jobs of a payer: begun and ended. */
export interface PayerJobs {
  begun: number;
  ended: number;
}

const longestJobMs = 180_000;

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
  const base = fhirBase(originsOf('sandbox'), lob, 'payer-access');
  const members = [0, 1].map((index) => bundleOf(memberOf('sandbox', lob, index)));
  const match = { resourceType: 'Parameters', parameter: members };
  const matched = await job(world, 'bulk match', `${base}/Group/$bulk-member-match`, headers, match, jobs);
  const url = matched?.output.find(({ type }) => type === 'Group')?.url;
  const file = url === undefined ? undefined : await fileOf(world, url, headers);
  const groupId =
    file === undefined ? undefined : (JSON.parse(file.split('\n')[0] ?? '{}') as { id?: string }).id;
  if (groupId === undefined) return;
  const parameter = [{ name: 'exportType', valueString: payerToPayer }];
  const address = `${base}/Group/${groupId}/$davinci-data-export`;
  const exported = await job(
    world,
    'export',
    address,
    headers,
    { resourceType: 'Parameters', parameter },
    jobs,
  );
  for (const { url: part, count, type } of exported?.output ?? []) {
    const text = await fileOf(world, part, headers);
    if (text !== undefined && text.trim().split('\n').length !== count) {
      world.tally.broken(`a file of ${type} has other resources than its manifest counts`);
    }
  }
}

type Headers = Readonly<Record<string, string>>;

/** Begins a job and polls it as it says. An acknowledged job has to end, whatever is killed meanwhile. */
async function job(
  world: World,
  kind: string,
  url: string,
  headers: Headers,
  body: object,
  jobs: PayerJobs,
): Promise<Manifest | undefined> {
  const asked = { ...headers, prefer: 'respond-async', 'content-type': 'application/fhir+json' };
  const send = () => localFetch(url, { method: 'POST', headers: asked, body: JSON.stringify(body) });
  const begun = await world.call(`begin ${kind}`, send, [202]);
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
