import { expect, it } from 'vitest';
import { fhirBase } from '../../lambdas/catalog/addresses.ts';
import { payerToPayer } from '../../lambdas/catalog/payer/export-parameters.ts';
import { runOps } from '../../ops/program.ts';
import { localFetch, memberOf, originsOf } from './journey.ts';
import { bundleOf, createPayerClient, payerHeaders, registerPayer } from './payer-client.ts';
import { systemFile } from './system-file.ts';

/**
 * Another payer's client, written from the guides alone: a token by private_key_jwt, a bulk match, an export of the matched members, its
 * files, and their deletion. Also, what happens to a file when a member's grant ends.
 */

const lob = 'DSNP';
const base = fhirBase(originsOf('sandbox'), lob, 'payer-access');

/** An operator ends what the member shares, as after a phone call. */
async function endGrants(patientId: string, clientId: string): Promise<void> {
  const terminal = { out: () => {}, err: () => {} };
  const about = ['--lob', lob, '--patient', patientId, '--client', clientId, '--reason', 'member_asked'];
  expect(await runOps(['grants', 'end', ...about, '--system', systemFile()], {}, terminal)).toBe(0);
}

it('matches, exports, downloads and deletes; and gets no file of a member whose grant has ended', async () => {
  const app = await registerPayer(lob);
  const headers = await payerHeaders(app);
  const { runJob, download } = createPayerClient(base, headers);
  const member = memberOf('sandbox', lob);
  const body = { resourceType: 'Parameters', parameter: [bundleOf(member), { name: 'MemberBundle' }] };
  const match = await runJob('Group/$bulk-member-match', body);
  expect(match.manifest.error).toHaveLength(1);
  const [{ url = '' } = {}] = match.manifest.output.filter(({ type }) => type === 'Group');
  const [group] = await download(url);
  expect(group).toMatchObject({
    code: { coding: [{ code: 'match' }] },
    member: [{ entity: { reference: `Patient/${member.patientId}` } }],
  });

  const parameter = [{ name: 'exportType', valueString: payerToPayer }];
  const exported = await runJob(`Group/${group?.id}/$davinci-data-export`, {
    resourceType: 'Parameters',
    parameter,
  });
  const { output } = exported.manifest;
  expect(exported.manifest.error).toEqual([]);
  expect(output.map(({ type }) => type)).toEqual(expect.arrayContaining(['Patient', 'ExplanationOfBenefit']));
  for (const { type, url: file, count } of output) {
    const lines = await download(file);
    expect(lines, type).toHaveLength(count);
    for (const { resourceType } of lines) expect(resourceType).toBe(type);
  }

  await endGrants(member.patientId, app.clientId);
  const file = output[0]?.url ?? '';
  const withheld = await localFetch(file, { headers, redirect: 'manual' });
  expect([withheld.status, withheld.headers.get('location')]).toEqual([410, null]);
  expect(JSON.parse(await withheld.text()).resourceType).toBe('OperationOutcome');

  for (const job of [match.job, exported.job]) {
    expect((await localFetch(job, { method: 'DELETE', headers })).status).toBe(202);
    expect((await localFetch(job, { headers })).status).toBe(404);
  }
  expect((await localFetch(file, { headers, redirect: 'manual' })).status).toBe(404);
});
