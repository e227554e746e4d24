import { afterAll, beforeAll, expect, it } from 'vitest';
import { payerToPayer } from '../../../lambdas/catalog/payer/export-parameters.ts';
import { jobLimits } from '../../../lambdas/catalog/payer/job-kinds.ts';
import { grantPartition, patientResourceKey } from '../../../lambdas/platform/table/table-keys.ts';
import type { SyntheticMember } from '../../../ops/generator/members.ts';
import { storeResources } from '../../support/stored-resources.ts';
import { asynchronous, createJobsClient, relative } from './jobs-client.ts';
import { type JobsWorld, startJobsWorld } from './jobs-world.ts';
import { loadMatchableMembers } from './matchable-members.ts';
import { bulkOf, matchingBundle } from './member-bundles.ts';

/** Exports of a group of matched members, from the match to the files. */

let world: JobsWorld;
let members: readonly SyntheticMember[];
let groupId: string;
const { begin, manifestOf, download } = createJobsClient(() => world);

const body = JSON.stringify({
  resourceType: 'Parameters',
  parameter: [{ name: 'exportType', valueString: payerToPayer }],
});
const exportPath = () => `Group/${groupId}/$davinci-data-export`;

beforeAll(async () => {
  world = await startJobsWorld();
  members = await loadMatchableMembers(world, 4);
  groupId = await match();
});
afterAll(() => world.stop());

/** Matches every member. @returns the ID of their group */
async function match(): Promise<string> {
  const job = await begin(bulkOf(...members.map(matchingBundle)));
  await world.run();
  const [line = ''] = (await download((await manifestOf(job)).output, 'Group')).split('\n');
  return JSON.parse(line).id;
}

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

it('exports what the rules release: counts that add up, no amounts, no denied authorizations; each download in the audit', async () => {
  const job = await begin(body, exportPath());
  await world.run();
  const { output, error } = await manifestOf(job);
  expect(error).toEqual([]);
  const all = new Map<string, string>();
  for (const { type, count } of output) {
    const lines = linesOf(await download(output, type));
    expect(lines, type).toHaveLength(count);
    for (const line of lines) {
      expect(line.resourceType).toBe(type);
      all.set(`${type}/${line.id}`, JSON.stringify(line));
    }
  }
  expect(all.size).toBe(output.reduce((sum, { count }) => sum + count, 0));
  const own = new Set(
    members.flatMap(({ resources }) => resources.map(({ resourceType, id }) => `${resourceType}/${id}`)),
  );
  for (const name of all.keys()) expect(own.has(name), name).toBe(true);
  expect(output.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['Patient', 'Coverage', 'ExplanationOfBenefit', 'Condition']),
  );
  const claims = [...all].filter(([name]) => name.startsWith('ExplanationOfBenefit/'));
  expect(claims.length).toBeGreaterThan(0);
  for (const [name, json] of claims) {
    expect(json, name).not.toContain('"currency"');
    if (json.includes('"preauthorization"')) expect(json, name).not.toContain('"A3"');
    else expect(json, name).not.toMatch(/"(total|payment|net|amount)":/);
  }
  const patientId = members[0]?.patientId;
  const events = (await world.table.query({ pk: `AUDIT#DSNP#PATIENT#${patientId}` })).items;
  const files = events.filter(({ action }) => action === 'job.file');
  expect(files.length).toBeGreaterThanOrEqual(1);
  expect(files.flatMap(({ resources }) => resources)).toContain(`Patient/${patientId}`);
});

it('has what members share once, whichever of them name it', async () => {
  const [first, second] = members;
  const organization = first?.resources.find(({ resourceType }) => resourceType === 'Organization');
  if (organization === undefined || second === undefined) throw new Error('no members');
  const version = { versionId: '1', lastUpdated: '2026-11-20T10:00:00.000Z' };
  const visit = {
    ...{ resourceType: 'Encounter', id: 'of-second', meta: { lastUpdated: version.lastUpdated } },
    subject: { reference: `Patient/${second.patientId}` },
    serviceProvider: { reference: `Organization/${organization.id}` },
  };
  await storeResources(world.table, 'DSNP', second.patientId, [
    { ...organization, ...version },
    { resourceType: 'Encounter', id: visit.id, ...version, json: JSON.stringify(visit) },
  ]);
  const job = await begin(body, exportPath());
  await world.run();
  const { output } = await manifestOf(job);
  const ids = linesOf(await download(output, 'Organization')).map(({ id }) => id);
  expect(ids.filter((id) => id === organization.id)).toHaveLength(1);
  expect(new Set(ids).size).toBe(ids.length);
  expect(output.filter(({ type }) => type === 'Organization')).toHaveLength(1);
  expect(linesOf(await download(output, 'Encounter')).map(({ id }) => id)).toContain('of-second');
});

it('exports the types, members and changes that are asked for, by the bulk operation too', async () => {
  const [first] = members;
  const path = `Group/${groupId}/$export`;
  const ask = async (query: Record<string, string>) => {
    const answer = await world.call({ path, query, headers: asynchronous });
    expect(answer.statusCode, answer.body).toBe(202);
    await world.run();
    return await manifestOf(relative(String(answer.headers?.['Content-Location'])));
  };
  const some = await ask({ _type: 'Patient,Coverage', patient: `Patient/${first?.patientId}` });
  expect(some.output.map(({ type }) => type)).toEqual(['Coverage', 'Patient']);
  expect(linesOf(await download(some.output, 'Patient')).map(({ id }) => id)).toEqual([first?.patientId]);
  expect((await ask({ _since: '2100-01-01T00:00:00Z' })).output).toEqual([]);
  const filter = `Patient?_id=${first?.patientId},Coverage?_lastUpdated=lt2000-01-01`;
  const filtered = await ask({ _typeFilter: filter });
  expect(linesOf(await download(filtered.output, 'Patient')).map(({ id }) => id)).toEqual([first?.patientId]);
  expect(filtered.output.map(({ type }) => type)).not.toContain('Coverage');
  expect(filtered.output.map(({ type }) => type)).toContain('ExplanationOfBenefit');
  const { pathname, searchParams } = new URL(filtered.request);
  expect([pathname.endsWith(path), [...searchParams]]).toEqual([true, [['_typeFilter', filter]]]);
});

it('names the member whose record can not be read in the errors, and exports every other whole', async () => {
  const [broken, ...others] = members;
  const [patientId = '', { id = '' } = {}] = [
    broken?.patientId,
    broken?.resources.find(({ resourceType }) => resourceType === 'Coverage'),
  ];
  const key = patientResourceKey('DSNP', patientId, 'Coverage', id);
  const stored = await world.table.get(key);
  // Nested deeper than a recursive function can follow, as rows could be before their depth was limited.
  const extension = `${'['.repeat(15_000)}${']'.repeat(15_000)}`;
  const json = `{"resourceType":"Coverage","id":"${id}","extension":${extension}}`;
  await world.table.put({ ...key, json, versionId: '1', lastUpdated: '2026-01-01T00:00:00Z' });
  try {
    const job = await begin(body, exportPath());
    await world.run();
    const { output, error } = await manifestOf(job);
    const [outcome] = linesOf(await download(error, 'OperationOutcome'));
    expect(outcome.issue[0].diagnostics).toMatch(`Patient/${patientId}: the record could not be read.`);
    const patients = linesOf(await download(output, 'Patient')).map((patient) => patient.id);
    expect(patients.sort()).toEqual(others.map((member) => member.patientId).sort());
    for (const { type } of output) expect(await download(output, type)).not.toContain(patientId);
  } finally {
    await world.table.put({ ...key, ...stored });
  }
});

it('leaves out the documents of an authorization that is left out', async () => {
  const { patientId = '' } = members[0] ?? {};
  const reviewAction = {
    extension: [
      {
        url: 'http://hl7.org/fhir/us/davinci-pdex/StructureDefinition/extension-reviewActionCode',
        valueCodeableConcept: { coding: [{ code: 'A3' }] },
      },
    ],
  };
  const patient = { reference: `Patient/${patientId}` };
  const documentOf = (id: string, binary: string) => ({
    ...{ resourceType: 'DocumentReference', id, subject: patient },
    content: [{ attachment: { url: `Binary/${binary}` } }],
  });
  const resources = [
    {
      ...{ resourceType: 'ExplanationOfBenefit', id: 'denied-1', use: 'preauthorization', patient },
      ...{ status: 'active', adjudication: [{ extension: [reviewAction] }] },
      supportingInfo: [{ valueReference: { reference: 'DocumentReference/denied-document' } }],
    },
    documentOf('denied-document', 'denied-binary'),
    documentOf('other-document', 'other-binary'),
    ...['denied-binary', 'other-binary'].map((id) => ({
      ...{ resourceType: 'Binary', id, contentType: 'text/plain', securityContext: patient },
    })),
  ];
  const version = { versionId: '1', lastUpdated: new Date().toISOString() };
  await storeResources(
    world.table,
    'DSNP',
    patientId,
    resources.map((resource) => ({
      ...{ resourceType: resource.resourceType, id: resource.id, ...version },
      json: JSON.stringify({ ...resource, meta: { lastUpdated: version.lastUpdated } }),
    })),
  );
  for (const types of ['', '?_type=DocumentReference,Binary']) {
    const query = Object.fromEntries(new URLSearchParams(types));
    const answer = await world.call({ path: `Group/${groupId}/$export`, query, headers: asynchronous });
    await world.run();
    const { output } = await manifestOf(relative(String(answer.headers?.['Content-Location'])));
    const ids = async (type: string) => linesOf(await download(output, type)).map(({ id }) => id);
    const found = [...(await ids('DocumentReference')), ...(await ids('Binary'))];
    expect(found).toEqual(expect.arrayContaining(['other-document', 'other-binary']));
    for (const id of ['denied-document', 'denied-binary']) expect(found).not.toContain(id);
    expect(types === '' ? await ids('ExplanationOfBenefit') : []).not.toContain('denied-1');
  }
});

it('answers each fault of the request by its code', async () => {
  const status = async (query: Record<string, string>, more: object = {}) =>
    (await world.call({ path: `Group/${groupId}/$export`, query, headers: asynchronous, ...more }))
      .statusCode;
  expect(await status({}, { headers: {} })).toBe(400);
  for (const query of [
    { _typeFilter: 'Coverage?nothing=1' },
    { _typeFilter: 'Coverage?_id=1', _type: 'Patient' },
    { _type: 'Nothing' },
    { _since: 'yesterday' },
    { _outputFormat: 'text/csv' },
    { exportType: 'hl7.fhir.us.davinci-pdex#provider-delta' },
    { patient: 'Patient/elsewhere' },
    { patient: `https://elsewhere.example/Patient/${members[0]?.patientId}` },
    { _since: '2026-02-01T00:00:00Z', _until: '2026-01-01T00:00:00Z' },
  ]) {
    expect(await status(query), JSON.stringify(query)).toBe(400);
  }
  const base = 'https://dsnp.api.sandbox.example.org/extfhirpayeraccess/v1';
  expect(await status({ patient: `${base}/Patient/${members[0]?.patientId}` })).toBe(202);
  expect(await status({}, { path: `Group/${groupId}/$davinci-data-export` })).toBe(400);
  const asked = (...parameter: readonly object[]) =>
    status({}, { method: 'POST', body: JSON.stringify({ resourceType: 'Parameters', parameter }) });
  const chosen = { name: 'patient', valueReference: { reference: `Patient/${members[0]?.patientId}` } };
  expect(await asked(...new Array(1_000).fill(chosen))).toBe(202);
  expect(await asked({ name: 'patient', valueString: 'x'.repeat(jobLimits.bodyBytes) })).toBe(413);
  const filters = new Array(1_000).fill({ name: '_typeFilter', valueString: 'Coverage?_id=1' });
  expect(await asked(...filters)).toBe(400);
  expect(await status({}, { path: 'Group/none/$export' })).toBe(404);
  expect(await status({}, { authorizer: { clientId: 'payer-2' } })).toBe(404);
  expect(await status({}, { authorizer: { scope: 'system/Coverage.rs' } })).toBe(403);
});

it('comes to the same files where invocations are killed half-way', async () => {
  const begun = await begin(body, exportPath());
  await world.run();
  const whole = await manifestOf(begun);
  const again = await begin(body, exportPath());
  let calls = 0;
  world.bucket.fault = () => {
    calls += 1;
    if (calls === 3 || calls === 12) throw new Error('killed');
  };
  await world.run();
  world.bucket.fault = () => {};
  const { output } = await manifestOf(again);
  expect(output.map(({ type, count }) => [type, count])).toEqual(
    whole.output.map(({ type, count }) => [type, count]),
  );
  const names = world.keys(`DSNP/${again}/output/`);
  expect(names).toHaveLength(output.length);
});

it('sends not one byte of a member who no longer consents, and leaves them out of the next export', async () => {
  const job = await begin(body, exportPath());
  await world.run();
  const { output } = await manifestOf(job);
  const [revoked, ...others] = members;
  const [grant = {}] = (await world.table.query({ pk: grantPartition('DSNP', revoked?.patientId ?? '') }))
    .items;
  const ends = [{ state: 'revoked' }, { expiresAt: 1 }, { consent: '{}' }, { clientId: 'payer-2' }];
  for (const end of ends) {
    await world.table.put({ ...(grant as { pk: string; sk: string }), ...end });
    for (const { url, type } of output.filter(
      (each) => each.type === 'Patient' || each.type === 'Coverage',
    )) {
      const answer = await world.call({ path: relative(url) });
      expect([answer.statusCode, answer.headers?.Location], type).toEqual([410, undefined]);
    }
    const next = await begin(body, exportPath());
    await world.run();
    const manifest = await manifestOf(next);
    expect(manifest.error.map(({ count }) => count)).toEqual([1]);
    expect(await download(manifest.error, 'OperationOutcome')).toContain(`Patient/${revoked?.patientId}`);
    const patients = linesOf(await download(manifest.output, 'Patient')).map(({ id }) => id);
    expect(patients.sort()).toEqual(others.map(({ patientId }) => patientId).sort());
  }
  await world.table.put(grant as { pk: string; sk: string });
  for (const path of [job, ...output.map(({ url }) => relative(url))]) {
    const answer = await world.call({ path, authorizer: { clientId: 'payer-2' } });
    expect(answer.statusCode).toBe(404);
    expect((await world.call({ path })).statusCode).toBeLessThan(400);
  }
});
