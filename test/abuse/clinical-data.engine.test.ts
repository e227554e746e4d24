import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, describe, expect, it } from 'vitest';
import { isPatientAccessType, servedResource } from '../../lambdas/catalog/fhir/fhir-resources.ts';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import { type SyntheticMember, syntheticMembers } from '../../ops/generator/members.ts';
import { caller, startMembersWorld } from './members-world.ts';
import { attack } from './other-members.ts';

/**
 * Clinical data: no interaction of any LOB sends a byte of another member's data, and a scope limited to a category gives that category
 * only, by any interaction.
 */

const membersOf = (lob: LineOfBusiness) =>
  syntheticMembers('sandbox').filter((each) => each.lob === lob) as [SyntheticMember, SyntheticMember];

const world = await startMembersWorld(syntheticMembers('sandbox'));
afterAll(() => world.stop());
const functionOf = (lob: LineOfBusiness) => world.functionOf(lob);

interface Answered {
  readonly total?: number;
  readonly resourceType: string;
  readonly issue?: readonly { readonly diagnostics: string }[];
  readonly entry?: readonly {
    readonly resource: { readonly resourceType: string; readonly id: string; readonly category?: unknown };
    readonly search: { readonly mode: string };
  }[];
}
const read = ({ body }: APIGatewayProxyResult) => JSON.parse(body) as Answered;

describe.each(lineOfBusinessCodes)('another member’s data in %s', (lob) => {
  const [victim, attacker] = membersOf(lob);
  const own = new Set(attacker.resources.map(({ resourceType, id }) => `${resourceType}/${id}`));
  const foreign = victim.resources.filter(({ resourceType, id }) => !own.has(`${resourceType}/${id}`));

  it('is neither read nor found, whatever its type and ID', async () => {
    const call = caller(await functionOf(lob), attacker);
    const firsts = [...Map.groupBy(foreign, ({ resourceType }) => resourceType).values()].map(([one]) => one);
    expect(firsts.length).toBeGreaterThan(20);
    for (const resource of firsts) {
      if (resource === undefined || !isPatientAccessType(resource.resourceType)) continue;
      const { resourceType, id } = resource;
      const path = `/${resourceType}/{id}`;
      const [answer, nobody] = await Promise.all([call(path, { id }), call(path, { id: 'nobody-has-this' })]);
      expect([resourceType, answer.statusCode, answer.body]).toEqual([resourceType, 404, nobody.body]);
      const raw = await call(path, { id, headers: { Accept: 'text/plain' } });
      expect([404, 406]).toContain(raw.statusCode);
      if (!servedResource(resourceType).interactions.includes('search-type')) continue;
      const found = read(await call(`/${resourceType}`, { query: { _id: id } }));
      expect([resourceType, found.total, found.entry]).toEqual([resourceType, 0, undefined]);
      const { searchParameters, revIncludes } = servedResource(resourceType);
      if (searchParameters.some(({ name }) => name === 'patient')) {
        const ofVictim = {
          patient: victim.patientId,
          ...(revIncludes[0] && { _revinclude: revIncludes[0] }),
        };
        expect(read(await call(`/${resourceType}`, { query: ofVictim })).total).toBe(0);
      }
    }
  });

  it('is in no operation', async () => {
    const call = caller(await functionOf(lob), attacker);
    const documents = read(
      await call('/DocumentReference/{id}', { id: '$docref', query: { patient: victim.patientId } }),
    );
    expect([documents.total, documents.entry]).toEqual([0, undefined]);
    const everything = await call('/Patient/{id}/{operation}', {
      id: victim.patientId,
      operation: '$everything',
    });
    expect(everything.statusCode).toBe(404);
  });
});

describe('another member’s data', () => {
  it('is in no response to any parameter, include, operation or cursor', async () => {
    const [victim, attacker] = membersOf('MAPD');
    const handler = await functionOf('MAPD');
    const { calls, leaks } = await attack(
      victim,
      attacker,
      caller(handler, victim),
      caller(handler, attacker),
    );
    expect(leaks).toEqual([]);
    expect(calls).toBeGreaterThan(100);
  });
});

describe('a scope that is limited to a category', () => {
  const [member] = membersOf('DSNP');
  const category = 'http://terminology.hl7.org/CodeSystem/observation-category|';
  const scope = `patient/Observation.rs?category=${category}laboratory patient/DiagnosticReport.rs patient/Patient.rs`;
  const observations = member.resources
    .filter(({ resourceType }) => resourceType === 'Observation')
    .map(({ id, json }) => ({ id, isLab: json.includes('"code":"laboratory"') }));
  const labs = observations.filter(({ isLab }) => isLab).map(({ id }) => id);
  const other = observations.find(({ isLab }) => !isLab)?.id ?? '';
  const observationsIn = ({ entry = [] }: Answered) =>
    entry.map(({ resource }) => resource).filter(({ resourceType }) => resourceType === 'Observation');

  it('reads that category, and of another no more than of a resource that does not exist', async () => {
    const call = caller(await functionOf('DSNP'), member, scope);
    expect((await call('/Observation/{id}', { id: labs[0] ?? '' })).statusCode).toBe(200);
    const [hidden, nobody] = await Promise.all([
      call('/Observation/{id}', { id: other }),
      call('/Observation/{id}', { id: 'nobody-has-this' }),
    ]);
    expect([hidden.statusCode, hidden.body]).toEqual([404, nobody.body]);
    const tagged = await call('/Observation/{id}', { id: other, headers: { 'If-None-Match': '*' } });
    expect(tagged.statusCode).toBe(404);
  });

  it('finds that category: by search, include and $everything', async () => {
    const call = caller(await functionOf('DSNP'), member, scope);
    const found = read(await call('/Observation', { query: { _count: '100' } }));
    expect(
      observationsIn(found)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...labs].sort());
    const counted = read(await call('/Observation', { query: { _summary: 'count' } }));
    expect(counted.total).toBe(labs.length);
    const vital = await call('/Observation', { query: { category: 'vital-signs' } });
    expect(read(vital).total).toBe(0);
    const all = read(
      await call('/Patient/{id}/{operation}', {
        id: member.patientId,
        operation: '$everything',
        query: { _count: '100', _type: 'Observation' },
      }),
    );
    expect(
      observationsIn(all)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...labs].sort());
    const vitals = scope.replace('laboratory', 'vital-signs');
    const report = await caller(
      await functionOf('DSNP'),
      member,
      vitals,
    )('/DiagnosticReport', {
      query: { _include: 'DiagnosticReport:result' },
    });
    expect(observationsIn(read(report))).toEqual([]);
  });
});

describe('bad input', () => {
  const [member] = membersOf('DSNP');
  const refusedBy = (answer: APIGatewayProxyResult) => {
    expect(answer.statusCode).toBe(400);
    return (
      read(answer)
        .issue?.map(({ diagnostics }) => diagnostics)
        .join(' ') ?? ''
    );
  };

  it('is answered by the name of the parameter and what is supported', async () => {
    const call = caller(await functionOf('DSNP'), member);
    const docref = await call('/DocumentReference/{id}', { id: '$docref' });
    expect(refusedBy(docref)).toBe(
      'patient is missing. $docref takes patient (required), start, end, type, on-demand and profile.',
    );
    const beside = await call('/Condition', { query: { _revinclude: 'Observation:subject' } });
    expect(refusedBy(beside)).toBe(
      '_revinclude of Condition must be Provenance:target, not ‘Observation:subject’.',
    );
    expect(refusedBy(await call('/Location', { query: { _revinclude: 'Provenance:target' } }))).toMatch(
      /^_revinclude of Location is not supported\. Send/,
    );
    expect(refusedBy(await call('/Observation', { query: { code: 'a b|c|d' } }))).toMatch(
      /parameter code must be/,
    );
    expect(refusedBy(await call('/Observation', { query: { date: '1899-13' } }))).toMatch(
      /parameter date must be/,
    );
    const wrongDates = { patient: member.patientId, start: 'then', 'on-demand': 'maybe' };
    expect(refusedBy(await call('/DocumentReference/{id}', { id: '$docref', query: wrongDates }))).toMatch(
      /^start must be a date.* on-demand must be true or false/,
    );
    const strict = await call('/DocumentReference/{id}', {
      id: '$docref',
      query: { patient: member.patientId, facility: 'x' },
      headers: { Prefer: 'handling=strict' },
    });
    expect(refusedBy(strict)).toBe(
      'The parameter ‘facility’ is not supported for $docref. Supported: patient, start, end, type, on-demand, profile, _count.',
    );
  });

  it('that is only strange finds nothing, or everything', async () => {
    const call = caller(await functionOf('DSNP'), member);
    const total = async (query: Record<string, string>) => read(await call('/Observation', { query })).total;
    const all = await total({});
    expect(await total({ date: 'ge1850-01-01' })).toBe(all);
    expect(await total({ date: 'lt1850' })).toBe(0);
    expect(await total({ code: 'two words' })).toBe(0);
    expect(await total({ code: 'http://loinc.org|' })).toBe(all);
  });
});

describe('a document', () => {
  const [member] = membersOf('DSNP');

  it('is found by $docref, and sent as it is to who asks for its content type', async () => {
    const call = caller(await functionOf('DSNP'), member);
    const operation = { id: '$docref', query: { patient: member.patientId, start: '2000', end: '2030' } };
    const found = read(await call('/DocumentReference/{id}', operation));
    const documents = member.resources.filter(({ resourceType }) => resourceType === 'DocumentReference');
    expect(found.total).toBe(documents.length);
    expect(found.total).toBeGreaterThan(5);
    const posted = await call('/DocumentReference/{id}', {
      id: '%24docref',
      method: 'POST',
      headers: { 'Content-Type': 'application/fhir+json' },
      body: JSON.stringify({
        resourceType: 'Parameters',
        parameter: [
          { name: 'patient', valueId: member.patientId },
          { name: 'type', valueCoding: { system: 'http://loinc.org', code: '11506-3' } },
          { name: 'start', valueDateTime: '2000' },
        ],
      }),
    });
    expect(read(posted).total).toBeGreaterThan(0);
    const text = JSON.stringify(found.entry?.[0]?.resource);
    const id = /Binary\/([\w-]+)/.exec(text)?.[1] ?? '';
    const raw = await call('/Binary/{id}', { id, headers: { Accept: 'text/plain' } });
    expect(raw).toMatchObject({
      statusCode: 200,
      isBase64Encoded: false,
      headers: {
        'Content-Type': 'text/plain; charset=utf-8',
        'Content-Disposition': 'attachment',
        'Cache-Control': 'private, no-store',
      },
    });
    expect(raw.body).toMatch(/^(Note of a visit|Summary of a hospital stay|Request for [a-z ]+)\n/);
    const json = await call('/Binary/{id}', { id, headers: { Accept: 'application/fhir+json, text/plain' } });
    expect(Buffer.from(JSON.parse(json.body).data, 'base64').toString()).toBe(raw.body);
    expect((await call('/Binary/{id}', { id })).headers?.['Content-Type']).toBe('application/json');
    expect((await call('/Binary/{id}', { id, headers: { Accept: 'application/pdf' } })).statusCode).toBe(406);
    const demanded = { ...operation, query: { patient: member.patientId, 'on-demand': 'true' } };
    expect(read(await call('/DocumentReference/{id}', demanded)).total).toBe(0);
  });
});
