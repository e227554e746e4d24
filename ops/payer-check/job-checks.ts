/** Checks of bulk matches, groups, exports and their jobs. */

import { randomUUID } from 'node:crypto';
import { jobLimits } from '../../lambdas/catalog/payer/job-kinds.ts';
import { cohortCase } from '../../lambdas/catalog/payer/payer-cohort.ts';
import { cohortBulkBody } from '../../lambdas/catalog/payer/payer-cohort-requests.ts';
import { type HttpResponse, headerText } from '../http/client.ts';
import type { PayerCheck } from './check.ts';
import { expectHeader, expectOutcome, expectStatus, expectThat, jsonBody } from './expectations.ts';
import type { EndedJob, Partner } from './partner.ts';

const bulkMatch = 'PDex 2.2.0, $bulk-member-match';
const groups = 'PDex 2.2.0, Member-Match Group';
const dataExport = 'PDex 2.2.0, $davinci-data-export';
const status = 'Bulk Data Access 2.0.0, Status Request';
const manifestSection = 'Bulk Data Access 2.0.0, Response: Complete Status';
const output = 'Bulk Data Access 2.0.0, Output File Request';
const removal = 'Bulk Data Access 2.0.0, Delete Request';

const manifestKeys = ['transactionTime', 'request', 'requiresAccessToken', 'output', 'error'];

function expectManifest({ manifest }: EndedJob): void {
  for (const key of manifestKeys)
    expectThat(key in manifest, `the key ${key}`, Object.keys(manifest).join(', '));
  expectThat(
    manifest.requiresAccessToken === true,
    'requiresAccessToken true',
    String(manifest.requiresAccessToken),
  );
  expectThat(
    !Number.isNaN(Date.parse(manifest.transactionTime)),
    'transactionTime as an instant',
    manifest.transactionTime,
  );
}

/** The status URL of a job that was accepted. */
function jobOf(begun: HttpResponse): string {
  expectStatus(begun, 202);
  return expectHeader(begun, 'content-location', /^https?:/);
}

/** Expects that a removed job is gone: its status and its removal respond 404. */
async function expectGone(partner: Partner, address: string): Promise<void> {
  expectOutcome(await partner.get(address), 404);
  expectOutcome(await partner.remove(address), 404);
}

/** Most attempts of a check that depends on a running job. */
const mostTries = 5;

async function expectProgress(partner: Partner): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const address = jobOf(await partner.beginExport());
    const polled = await partner.get(address);
    expectStatus(await partner.remove(address), 202);
    if (polled.status === 200 && tries < mostTries) continue;
    expectStatus(polled, 202);
    expectHeader(polled, 'x-progress', /accepted|in line|\d+ of \d+/);
    expectHeader(polled, 'retry-after', /^[1-9]\d*$/);
    return;
  }
}

/** Begins more jobs at once than an application may have, and expects a refusal. */
async function expectQuota(partner: Partner): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const begun = await Promise.all(
      Array.from({ length: jobLimits.activeJobs + 3 }, () => partner.beginExport({}, false)),
    );
    for (const response of begun.filter((each) => each.status === 202)) await partner.remove(jobOf(response));
    const refused = begun.find((each) => each.status !== 202);
    if (refused === undefined && tries < mostTries) continue;
    expectThat(refused !== undefined, 'status 429', `${begun.length} jobs`);
    if (refused === undefined) return;
    expectOutcome(refused, 429);
    expectHeader(refused, 'retry-after', /^[1-9]\d*$/);
    return;
  }
}

async function oneMember(partner: Partner): Promise<object> {
  return cohortBulkBody([await partner.parametersOf(cohortCase('match'))]);
}

export const jobChecks: readonly PayerCheck[] = [
  {
    name: 'a bulk match without Prefer: respond-async is invalid',
    section: bulkMatch,
    run: async (partner) =>
      expectOutcome(await partner.post('Group/$bulk-member-match', await oneMember(partner)), 400),
  },
  {
    name: 'a bulk match without a MemberBundle is invalid',
    section: bulkMatch,
    run: async (partner) =>
      expectOutcome(await partner.begin('Group/$bulk-member-match', cohortBulkBody([])), 400),
  },
  {
    name: 'a bulk match groups members by their outcome',
    section: bulkMatch,
    async run(partner) {
      const { groups: found, submitted } = await partner.bulkMatch();
      for (const outcome of ['match', 'nomatch', 'consentconstraint'] as const) {
        const expected = submitted.filter((each) => each.outcome === outcome).length;
        const group = found.find(({ code }) => JSON.stringify(code).includes(`"${outcome}"`));
        expectThat(
          group?.quantity === expected,
          `${expected} members in ${outcome}`,
          String(group?.quantity ?? 'no group'),
        );
      }
    },
  },
  {
    name: 'a broken MemberBundle is reported, and stops no other',
    section: bulkMatch,
    async run(partner) {
      const { manifest } = await partner.bulkMatch();
      const outcomes = (await partner.files(manifest.error)).flatMap(({ resources }) => resources);
      expectThat(
        outcomes[0]?.resourceType === 'OperationOutcome',
        'an OperationOutcome in a file of error',
        String(outcomes[0]?.resourceType),
      );
      // A member whose Consent can't be honored is in a group too.
      expectThat(
        outcomes.some((outcome) => JSON.stringify(outcome).includes('MemberBundle 8')),
        'an issue of MemberBundle 8',
        JSON.stringify(outcomes),
      );
    },
  },
  {
    name: 'the manifest of a match has every key',
    section: manifestSection,
    run: async (partner) => expectManifest(await partner.bulkMatch()),
  },
  {
    name: 'a group can be read',
    section: groups,
    async run(partner) {
      const id = await partner.matchedGroup();
      const response = await partner.get(`Group/${id}`);
      const [redirected] =
        response.status === 307 ? await partner.files([{ type: 'Group', url: `Group/${id}`, count: 1 }]) : [];
      const group = redirected?.resources[0] ?? jsonBody(response);
      expectThat(
        group.resourceType === 'Group' && group.id === id,
        `Group/${id}`,
        `${group.resourceType}/${group.id}`,
      );
    },
  },
  {
    name: 'a search lists your groups',
    section: groups,
    async run(partner) {
      const id = await partner.matchedGroup();
      const response = await partner.get(`Group?_id=${id}`);
      expectStatus(response, 200);
      expectThat(response.body.includes(`"id":"${id}"`), `Group/${id}`, response.body.slice(0, 200));
    },
  },
  {
    name: 'a group that is not yours is not found',
    section: groups,
    run: async (partner) => expectOutcome(await partner.get(`Group/${randomUUID()}.match`), 404),
  },
  {
    name: 'a group that is not yours cannot be exported',
    section: dataExport,
    async run(partner) {
      const path = `Group/${randomUUID()}.match/$export`;
      expectOutcome(await partner.get(path, { prefer: 'respond-async' }), 404);
    },
  },
  {
    name: 'an export with another exportType is invalid',
    section: dataExport,
    run: async (partner) =>
      expectOutcome(
        await partner.beginExport({ exportType: 'hl7.fhir.us.davinci-pdex#provider-download' }),
        400,
      ),
  },
  {
    name: 'a _typeFilter that is not supported is refused',
    section: dataExport,
    async run(partner) {
      const response = await partner.beginExport({ _typeFilter: 'Coverage?unknown-parameter=1' });
      expectOutcome(response, 400);
      expectThat(
        response.body.includes('_typeFilter'),
        'an issue that names _typeFilter',
        response.body.slice(0, 200),
      );
    },
  },
  {
    name: 'a patient outside the group is refused',
    section: dataExport,
    run: async (partner) =>
      expectOutcome(await partner.beginExport({ patient: `Patient/${randomUUID()}` }), 400),
  },
  { name: 'a running job has X-Progress and Retry-After', section: status, run: expectProgress },
  {
    name: 'the manifest of an export has every key',
    section: manifestSection,
    run: async (partner) => expectManifest(await partner.exported()),
  },
  {
    name: 'counts in the manifest are the lines of the files',
    section: manifestSection,
    async run(partner) {
      const { files } = await partner.exported();
      expectThat(files.length > 1, 'several files', `${files.length}`);
      for (const { entry, resources } of files) {
        expectThat(
          resources.length === entry.count,
          `${entry.count} lines of ${entry.type}`,
          `${resources.length}`,
        );
      }
    },
  },
  {
    name: 'each file has resources of its type alone',
    section: output,
    async run(partner) {
      for (const { entry, resources } of (await partner.exported()).files) {
        for (const { resourceType } of resources)
          expectThat(resourceType === entry.type, entry.type, String(resourceType));
      }
    },
  },
  {
    name: 'files are NDJSON, compressed with gzip',
    section: output,
    async run(partner) {
      for (const { response } of (await partner.exported()).files) {
        expectHeader(response, 'content-type', /^application\/fhir\+ndjson/);
        expectHeader(response, 'content-encoding', /gzip/);
      }
    },
  },
  {
    name: 'a file without a token is refused',
    section: output,
    async run(partner) {
      const [file] = (await partner.exported()).files;
      const response = await partner.open(file?.entry.url ?? '');
      expectOutcome(response, 401);
      expectThat(headerText(response, 'location') === undefined, 'no Location', 'one');
    },
  },
  {
    name: '_type limits an export to its types',
    section: dataExport,
    async run(partner) {
      const { manifest } = await partner.finish(await partner.beginExport({ _type: 'Patient,Coverage' }));
      const types = manifest.output
        .map(({ type }) => type)
        .sort()
        .join(', ');
      expectThat(types === 'Coverage, Patient', 'Coverage, Patient', types);
    },
  },
  {
    name: '_typeFilter limits its type to what the search finds',
    section: dataExport,
    async run(partner) {
      const begun = await partner.beginExport({ _typeFilter: 'Coverage?_lastUpdated=lt2000-01-01' });
      const types = (await partner.finish(begun)).manifest.output.map(({ type }) => type);
      expectThat(
        types.includes('Patient') && !types.includes('Coverage'),
        'Patient and no Coverage',
        types.join(', '),
      );
    },
  },
  {
    name: '_since leaves out what has not changed',
    section: dataExport,
    async run(partner) {
      const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
      const { manifest } = await partner.finish(await partner.beginExport({ _since: tomorrow }));
      expectThat(manifest.output.length === 0, 'no file', `${manifest.output.length}`);
    },
  },
  {
    name: 'a running job can be cancelled, and is gone then',
    section: removal,
    async run(partner) {
      const address = jobOf(await partner.beginExport());
      expectStatus(await partner.remove(address), 202);
      await expectGone(partner, address);
    },
  },
  {
    name: 'a job that has ended can be deleted, and its files are gone then',
    section: removal,
    async run(partner) {
      const { address, manifest } = await partner.finish(await partner.beginExport({ _type: 'Patient' }));
      expectStatus(await partner.remove(address), 202);
      await expectGone(partner, address);
      for (const { url } of manifest.output) expectOutcome(await partner.get(url), 404);
    },
  },
  {
    name: 'too many jobs at once are refused with 429 and Retry-After',
    section: 'Bulk Data Access 2.0.0, Kick-off Request',
    run: expectQuota,
  },
];
