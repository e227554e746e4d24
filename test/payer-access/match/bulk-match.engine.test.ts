import { afterAll, describe, expect, it } from 'vitest';
import { jobLimits } from '../../../lambdas/catalog/payer/job-kinds.ts';
import { memberMatchLimits } from '../../../lambdas/catalog/payer/member-match-rules.ts';
import { createBulkMatchQuota } from '../../../lambdas/payer-access/store/match-limits.ts';
import { bulkMatchFailuresByApplication } from '../../../lambdas/platform/kernel/rates.ts';
import {
  applicationKey,
  grantPartition,
  jobKey,
  jobQuotaKey,
  patientAuditPartition,
  payerGroupKey,
} from '../../../lambdas/platform/table/table-keys.ts';
import { asynchronous as async, createJobsClient, relative } from '../jobs/jobs-client.ts';
import { startJobsWorld } from '../jobs/jobs-world.ts';
import { bulkOf, memberBundle, validConsent } from '../jobs/member-bundles.ts';
import { organization } from '../match-samples.ts';

/** `Group/$bulk-member-match` from the request to its files, over HTTP, with the state machine's definition, table and bucket. */

const world = await startJobsWorld();
afterAll(() => world.stop());

const another = { authorizer: { clientId: 'payer-2' } };
const { begin, manifestOf, download } = createJobsClient(() => world);

interface Group {
  readonly id: string;
  readonly code: { readonly coding: readonly { readonly code: string }[] };
  readonly quantity: number;
  readonly member?: readonly { readonly entity: { readonly reference: string } }[];
  readonly contained?: readonly { readonly id: string; readonly resourceType: string }[];
}
const groupsIn = (text: string): readonly Group[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const codeOf = ({ code }: Group) => code.coding[0]?.code;
const quantitiesOf = (groups: readonly Group[]) => groups.map((group) => [codeOf(group), group.quantity]);

/**
 * Runs a job.
 *
 * @returns its manifest, and the groups in its files.
 */
async function resultOf(job: string) {
  await world.run();
  const manifest = await manifestOf(job);
  return { ...manifest, groups: groupsIn(await download(manifest.output, 'Group')) };
}

describe('$bulk-member-match', () => {
  it('groups members by their outcome; one broken member stops no other', async () => {
    const [known, constrained] = [await world.member(), await world.member()];
    const expired = { ...validConsent.provision, period: { start: '2020-01-01', end: '2020-12-31' } };
    const job = await begin(
      bulkOf(
        memberBundle(known.memberId),
        memberBundle('NOBODY-1'),
        memberBundle(constrained.memberId, { consent: { ...validConsent, provision: expired } }),
        { name: 'MemberBundle', part: [{ name: 'MemberPatient', resource: { resourceType: 'Coverage' } }] },
        { name: 'MemberBundle', part: [memberBundle(known.memberId)] },
      ),
    );
    const before = await world.call({ path: job });
    expect(before.statusCode).toBe(202);
    expect(before.headers).toMatchObject({ 'X-Progress': 'match of members: accepted', 'Retry-After': '2' });
    const { output, error, groups } = await resultOf(job);
    expect(quantitiesOf(groups)).toEqual([
      ['match', 1],
      ['nomatch', 1],
      ['consentconstraint', 1],
    ]);
    expect(groups[0]?.member?.[0]?.entity.reference).toBe(`Patient/${known.id}`);
    // The same Patient was submitted with several coverages, and each entry refers to its own coverage.
    expect(groups[0]?.contained?.map(({ resourceType, id }) => `${resourceType}/${id}`)).toEqual([
      ...['Patient/1', 'Coverage/coverage-1'],
    ]);
    expect(groups[2]?.member?.[0]?.entity.reference).toBe('#1');
    // Groups have no details of a consent.
    expect(JSON.stringify(groups)).not.toMatch(/Consent"|2020-12-31/);
    const faults = (await download(error, 'OperationOutcome')).trim().split('\n');
    expect(faults).toHaveLength(3);
    expect(error[0]?.count).toBe(3);
    expect(faults[0]).toContain('MemberBundle 3: The Consent can not be honored. Expected: provision.period');
    expect(faults[1]).toContain('MemberBundle 4: The resource of MemberPatient is not a Patient.');
    const parameters = JSON.parse(await download(output, 'Parameters'));
    expect(parameters.parameter.map(({ name }: { name: string }) => name)).toEqual([
      'MatchedMembers',
      'NonMatchedMembers',
      'ConsentConstrainedMembers',
    ]);
    expect((await world.table.query({ pk: grantPartition('DSNP', known.id) })).items).toMatchObject([
      { clientId: 'payer-1', state: 'active' },
    ]);
    // The input and the results of parts are deleted; the files of the manifest remain.
    const [, jobId = ''] = job.split('/');
    expect(world.keys(`DSNP/jobs/${jobId}/`)).toHaveLength(3);
    const events = (await world.table.query({ pk: `AUDIT#DSNP#PATIENT#${known.id}` })).items;
    expect(events).toMatchObject([{ action: 'Group.bulk-member-match', outcome: 'disclosed' }]);
  });

  it('takes a member that is nested 15,000 levels deep for a fault of this member alone', async () => {
    const known = await world.member();
    const nested = `${'['.repeat(15_000)}${']'.repeat(15_000)}`;
    const body = bulkOf(
      memberBundle('NOBODY-D', { patient: { extension: 'deep' } }),
      memberBundle(known.memberId),
    );
    const job = await begin(body.replace('"deep"', nested));
    const { error, groups } = await resultOf(job);
    expect(groups[0]?.quantity).toBe(1);
    expect(await download(error, 'OperationOutcome')).toContain(
      'MemberBundle 1: The resources of the member are nested',
    );
  });

  it('tells an unknown member from a known one in no group, where the Consent can’t be honored', async () => {
    const known = await world.member();
    const consent = { ...validConsent, dateTime: '2999-01-01' };
    const job = await begin(
      bulkOf(memberBundle(known.memberId, { consent }), memberBundle('NOBODY-G', { consent })),
    );
    expect(quantitiesOf((await resultOf(job)).groups)).toEqual([
      ['match', 0],
      ['consentconstraint', 2],
    ]);
  });

  it('refuses a Consent that no item of the table can hold, and no other member for it', async () => {
    const [known, other] = [await world.member(), await world.member()];
    const attachment = { contentType: 'application/pdf', data: 'A'.repeat(memberMatchLimits.consentBytes) };
    const large = { ...validConsent, sourceAttachment: attachment };
    const job = await begin(
      bulkOf(memberBundle(other.memberId, { consent: large }), memberBundle(known.memberId)),
    );
    const { error, groups } = await resultOf(job);
    // A member who was not judged is in no group.
    expect(quantitiesOf(groups)).toEqual([['match', 1]]);
    expect(await download(error, 'OperationOutcome')).toContain('MemberBundle 1: The Consent has more than');
    expect((await world.table.query({ pk: grantPartition('DSNP', other.id) })).items).toEqual([]);
  });

  it('takes more members than a form may have bytes, part by part', async () => {
    const known = await world.member();
    const nobody = Array.from({ length: 119 }, (_, at) => memberBundle(`NOBODY-A${at}`));
    const job = await begin(bulkOf(...nobody, memberBundle(known.memberId)));
    const [, jobId = ''] = job.split('/');
    // The request is stored as an object for each part, so that no part reads all of it.
    expect(world.keys(`DSNP/jobs/${jobId}/`)).toEqual(
      ['000001', '000002'].map((part) => `DSNP/jobs/${jobId}/input/${part}.json`),
    );
    expect(quantitiesOf((await resultOf(job)).groups)).toEqual([
      ['match', 1],
      ['nomatch', 119],
    ]);
  });

  it('answers each fault of the request by its code', async () => {
    const path = 'Group/$bulk-member-match';
    const body = bulkOf(memberBundle('NOBODY-2'));
    const status = async (asked: object) =>
      (await world.call({ method: 'POST', path, body, headers: async, ...asked })).statusCode;
    expect(await status({ headers: {} })).toBe(400);
    expect(await status({ body: '{"resourceType":"Bundle"}' })).toBe(400);
    expect(await status({ body: bulkOf() })).toBe(400);
    expect(await status({ body: bulkOf({ name: 'Nothing' }) })).toBe(400);
    const empty = { name: 'MemberBundle' };
    expect(await status({ body: bulkOf(...new Array(jobLimits.members + 1).fill(empty)) })).toBe(400);
    expect(await status({ body: ' '.repeat(jobLimits.bodyBytes + 1) })).toBe(413);
    expect(await status({ headers: { ...async, 'Content-Type': 'text/plain' } })).toBe(415);
    expect(await status({ authorizer: { tokenExpiresAt: '1' } })).toBe(401);
    expect(await status({ authorizer: { scope: 'system/Coverage.rs' } })).toBe(403);
    expect(await status({ authorizer: { clientId: 'payer-3' } })).toBe(403);
    expect(await status({ method: 'GET' })).toBe(405);
  });

  /** Creates an application with a quota of its own. */
  async function payerWithQuota(clientId: string) {
    const application = { state: 'active', products: ['payer-access'], meteringKey: 'm', organization };
    await world.table.put({ ...applicationKey('DSNP', clientId), ...application, clientId });
    const send = (...bundles: readonly object[]) =>
      world.call({
        ...{ method: 'POST', path: 'Group/$bulk-member-match', body: bulkOf(...bundles), headers: async },
        authorizer: { clientId },
      });
    const quota = createBulkMatchQuota(world.table, 'DSNP');
    const reserve = async (members: number) => (await quota.reserve(clientId, members)).kind === 'allowed';
    return { send, reserve };
  }
  const { limit } = bulkMatchFailuresByApplication;

  it('refuses a request beyond the quota when it is sent, and counts the members that matched no more', async () => {
    const known = memberBundle((await world.member()).memberId);
    const { send, reserve } = await payerWithQuota('payer-3');
    expect(await reserve(limit - 1)).toBe(true);
    const before = [world.executions.length, world.keys().length];
    const refused = await send(memberBundle('NOBODY-Q1'), known);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers?.['Retry-After'])).toBeGreaterThan(0);
    expect(refused.body).toContain('No member of it was judged.');
    expect([world.executions.length, world.keys().length]).toEqual(before);
    for (let repeat = 0; repeat < 2; repeat += 1) {
      expect((await send(known)).statusCode).toBe(202);
      // The member counts toward the quota while the job runs. `Retry-After` is the time at which the job may have ended.
      const early = await send(memberBundle('NOBODY-Q2'));
      expect([early.statusCode, early.headers?.['Retry-After']]).toEqual([429, '60']);
      await world.run();
    }
    expect((await send(memberBundle('NOBODY-Q3'))).statusCode).toBe(202);
    await world.run();
    expect((await send(known)).statusCode).toBe(429);
  });

  it('counts no member again where a part or the last step is repeated', async () => {
    const { send, reserve } = await payerWithQuota('payer-4');
    const known = memberBundle((await world.member()).memberId);
    const begun = await send(memberBundle('NOBODY-R1'), memberBundle('NOBODY-R2'), known);
    const jobId = String(begun.headers?.['Content-Location']).split('/').at(-1);
    await world.steps({ step: 'admit', jobId });
    for (const step of ['part', 'part', 'finish', 'finish'] as const)
      await world.steps(step === 'part' ? { step, jobId, part: 1 } : { step, jobId });
    await world.run();
    expect([await reserve(limit - 1), await reserve(limit - 2), await reserve(1)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('is another payer’s business nowhere: not its status, files, groups or cancellation', async () => {
    const { memberId } = await world.member();
    const job = await begin(bulkOf(memberBundle(memberId)));
    await world.run();
    const { output } = await manifestOf(job);
    const [group] = groupsIn(await download(output, 'Group'));
    for (const path of [job, ...output.map(({ url }) => relative(url)), `Group/${group?.id}`]) {
      expect((await world.call({ path })).statusCode, path).toBeLessThan(400);
      expect((await world.call({ path, ...another })).statusCode, path).toBe(404);
    }
    expect((await world.call({ method: 'DELETE', path: job, ...another })).statusCode).toBe(404);
    expect(JSON.parse((await world.call({ path: 'Group', ...another })).body).total).toBe(0);
    const own = JSON.parse((await world.call({ path: 'Group', query: { code: 'match' } })).body);
    expect(own.entry.map(({ resource }: { resource: Group }) => resource.id)).toContain(group?.id);
    expect(JSON.stringify(own)).not.toContain('"member"');
    const none = await world.call({ path: 'Group', query: { identifier: 'other|1' } });
    expect(JSON.parse(none.body).total).toBe(0);
    const strict = { Prefer: 'handling=strict' };
    const unknown = await world.call({ path: 'Group', query: { name: 'x' }, headers: strict });
    expect(unknown.statusCode).toBe(400);
  });

  it('leaves nothing of a job that is cancelled, or has expired', async () => {
    const jobs = [
      await begin(bulkOf(memberBundle('NOBODY-3'))),
      await begin(bulkOf(memberBundle('NOBODY-4'))),
    ];
    const [cancelled = '', expired = ''] = jobs;
    expect((await world.call({ method: 'DELETE', path: cancelled })).statusCode).toBe(202);
    await world.run();
    const { output } = await manifestOf(expired);
    await world.expire(expired.replace('jobs/', ''));
    for (const job of jobs) {
      expect((await world.call({ path: job })).statusCode).toBe(404);
      expect((await world.call({ method: 'DELETE', path: job })).statusCode).toBe(404);
      expect(world.keys(`DSNP/${job}/`)).toEqual([]);
    }
    expect((await world.call({ path: relative(output[0]?.url ?? '') })).statusCode).toBe(404);
  });

  it('finds no job, file or group after its time, though their items are still there', async () => {
    const job = await begin(bulkOf(memberBundle('NOBODY-9')));
    await world.run();
    const { output } = await manifestOf(job);
    const [{ id = '' } = {}] = groupsIn(await download(output, 'Group'));
    const paths = [`Group/${id}`, relative(output[0]?.url ?? ''), job];
    for (const path of paths) expect((await world.call({ path })).statusCode, path).toBeLessThan(400);
    const group = payerGroupKey('DSNP', 'payer-1', id);
    for (const key of [group, jobKey('DSNP', job.replace('jobs/', ''))]) {
      await world.table.put({ ...(await world.table.get(key)), ...key, expiresAt: 1 });
    }
    for (const path of paths) expect((await world.call({ path })).statusCode, path).toBe(404);
    const exported = { path: `Group/${id}/$export`, headers: async };
    expect((await world.call(exported)).statusCode).toBe(404);
    expect((await world.call({ path: 'Group', query: { _id: id } })).body).toContain('"total":0');
  });

  it('keeps the files of a job that is complete though its last step failed', async () => {
    const job = await begin(bulkOf(memberBundle('NOBODY-8')));
    await world.run();
    await world.steps({ step: 'fail', jobId: job.replace('jobs/', '') });
    expect(groupsIn(await download((await manifestOf(job)).output, 'Group')).map(codeOf)).toEqual([
      'match',
      'nomatch',
    ]);
  });

  it('lets an application have so many jobs and no more, until one has ended', async () => {
    const body = bulkOf(memberBundle('NOBODY-5'));
    const jobs: string[] = [];
    for (let at = 0; at < jobLimits.activeJobs; at += 1) jobs.push(await begin(body));
    const path = 'Group/$bulk-member-match';
    const refused = await world.call({ method: 'POST', path, body, headers: async });
    expect(refused.statusCode).toBe(429);
    expect(refused.headers?.['Retry-After']).toBe('60');
    await world.call({ method: 'DELETE', path: jobs[0] ?? '' });
    await begin(body);
    await world.run();
    expect(await world.table.get(jobQuotaKey('DSNP', 'payer-1'))).toMatchObject({ active: 0 });
  });

  it('comes to the same result whichever call fails, and says that it failed where all do', async () => {
    const { memberId, id } = await world.member();
    const body = bulkOf(memberBundle(memberId), memberBundle('NOBODY-6'));
    const calls = [
      ['PutObject', 1],
      ['GetObject', 1],
      ['DeleteObject', 1],
      // The input and the results of parts are deleted one after the other.
      ['DeleteObject', 2],
      ['ListObjectsV2', 1],
    ] as const;
    for (const [failing, at] of calls) {
      const job = await begin(body);
      let made = 0;
      world.bucket.fault = (operation) => {
        if (operation !== failing) return;
        made += 1;
        if (made === at) throw new Error('the bucket is broken');
      };
      await world.run();
      expect(made).toBeGreaterThanOrEqual(at);
      const { output } = await manifestOf(job);
      expect(output.map(({ type, count }) => [type, count])).toEqual([
        ['Group', 2],
        ['Parameters', 1],
      ]);
      const groups = groupsIn(await download(output, 'Group'));
      expect(groups.map((group) => [codeOf(group), group.quantity])).toEqual([
        ['match', 1],
        ['nomatch', 1],
      ]);
      expect(world.keys(`DSNP/${job}/`)).toHaveLength(2);
    }
    // One event for each job, although parts of some jobs were repeated.
    expect((await world.table.query({ pk: patientAuditPartition('DSNP', id) })).items).toHaveLength(
      calls.length,
    );
    const job = await begin(body);
    world.bucket.fault = (operation) => {
      if (operation === 'GetObject') throw new Error('the bucket is gone');
    };
    await world.run();
    world.bucket.fault = () => {};
    expect((await world.call({ path: job })).statusCode).toBe(500);
    expect(world.keys(`DSNP/${job}/`)).toEqual([]);
  });

  it('answers 503 and begins nothing where the bucket is gone', async () => {
    world.bucket.fault = () => {
      throw new Error('the bucket is gone');
    };
    const path = 'Group/$bulk-member-match';
    const body = bulkOf(memberBundle('NOBODY-7'));
    expect((await world.call({ method: 'POST', path, body, headers: async })).statusCode).toBe(503);
    world.bucket.fault = () => {};
    expect(await world.table.get(jobQuotaKey('DSNP', 'payer-1'))).toMatchObject({ active: 0 });
  });
});
