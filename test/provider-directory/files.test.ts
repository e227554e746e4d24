import { createHash } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { directoryTypes } from '../../lambdas/catalog/fhir/directory-types.ts';
import { isNpi } from '../../lambdas/catalog/payer/npi.ts';
import { bulkManifest, writeBulkFiles } from '../../lambdas/provider-directory/files/bulk-files.ts';
import { npiNumber, packedNpis, packNpis } from '../../lambdas/provider-directory/files/nppes-contract.ts';
import { writePlanFinderFiles } from '../../lambdas/provider-directory/files/plan-finder-files.ts';
import type { PublicationFiles } from '../../lambdas/provider-directory/files/public-files.ts';
import { isPlausiblePhone } from '../../lambdas/provider-directory/files/record-checks.ts';
import { reportTruth } from '../../lambdas/provider-directory/files/truth-report.ts';
import type { RecordFinding } from '../../lambdas/provider-directory/files/truth-report-contract.ts';
import {
  allPages,
  base,
  type DirectoryTexts,
  now,
  published,
  removeFolder,
  syntheticDirectory,
} from './world.ts';

const texts = syntheticDirectory(120, 3);

/** Publication files in memory. */
class KeptFiles implements PublicationFiles {
  readonly texts = new Map<string, string>();

  async write(name: string, _contentType: string, text: Iterable<string>): Promise<void> {
    expect(this.texts.has(name)).toBe(false);
    this.texts.set(name, [...text].join(''));
  }

  lines(name: string): readonly string[] {
    return (this.texts.get(name) ?? '').split('\n').filter((line) => line !== '');
  }
}

const digest = (json: string) => createHash('sha256').update(json).digest('hex');

/** A directory in which `change` replaces the text of each resource of some types, or removes it by returning undefined. */
function changed(
  of: DirectoryTexts,
  change: (resource: Record<string, unknown>, at: number) => Record<string, unknown> | undefined,
  type: (typeof directoryTypes)[number],
): DirectoryTexts {
  const all = (of.get(type) ?? []).map((text, at) => change(JSON.parse(text), at));
  const kept = all.flatMap((resource) => (resource === undefined ? [] : [JSON.stringify(resource)]));
  return new Map([...of, [type, kept]]);
}

const publication = await published(texts, { id: 'files-1' });
afterAll(async () => {
  publication.close();
  await removeFolder();
});

describe('bulk files', () => {
  it('hold what a crawler finds by search, resource by resource', async () => {
    const files = new KeptFiles();
    const { output, deleted, changes } = await writeBulkFiles(publication, undefined, files, digest);
    expect([deleted, changes]).toEqual([[], undefined]);
    for (const type of directoryTypes) {
      const own = output.filter((file) => file.type === type);
      const lines = own.flatMap(({ name }) => files.lines(name));
      expect(own.reduce((sum, { count }) => sum + count, 0)).toBe(lines.length);
      const isDone = type === 'Location' || type === 'Endpoint' || type === 'InsurancePlan';
      const { names } = await allPages(
        publication,
        type,
        `${isDone ? 'status:missing=false' : 'active:missing=false'}&_count=50`,
      );
      expect(lines.map((line) => `${type}/${JSON.parse(line).id}`).sort()).toEqual([...names].sort());
      expect([...lines].sort()).toEqual([...(texts.get(type) ?? [])].sort());
    }
  });

  it('say what changed and what is gone since the publication before', async () => {
    const next = await published(
      changed(
        texts,
        (role, at) =>
          at === 4
            ? undefined
            : at === 7
              ? { ...role, telecom: [{ system: 'phone', value: '+1-301-555-0199' }] }
              : role,
        'PractitionerRole',
      ),
      { id: 'files-2' },
    );
    const files = new KeptFiles();
    const written = await writeBulkFiles(next, publication, files, digest);
    expect(written.changes?.output).toEqual([
      { type: 'PractitionerRole', name: 'changes/PractitionerRole-001.ndjson', count: 1 },
    ]);
    expect(files.lines('changes/PractitionerRole-001.ndjson').map((line) => JSON.parse(line).id)).toEqual([
      'role-7',
    ]);
    expect(JSON.parse(files.lines('deleted/PractitionerRole.ndjson')[0] ?? '').entry).toEqual([
      { request: { method: 'DELETE', url: 'PractitionerRole/role-4' } },
    ]);
    const manifest = bulkManifest(next.builtAt, written, (name) => `https://files.example/${name}`);
    expect(manifest).toMatchObject({
      transactionTime: new Date(now).toISOString(),
      requiresAccessToken: false,
      deleted: [{ type: 'Bundle', url: 'https://files.example/deleted/PractitionerRole.ndjson' }],
    });
    next.close();
  });
});

describe('Plan Finder files', () => {
  it('lead from the index of a contract to Bundles in which no reference is left open', async () => {
    const files = new KeptFiles();
    const indexes = await writePlanFinderFiles(publication, files, base);
    expect(indexes.map(({ contract, year }) => `${contract} ${year}`)).toEqual(['H0000 2026', 'H0000 2027']);
    // Both years have the same plans, so they share the files.
    expect(indexes[0]?.files).toEqual(indexes[1]?.files);
    const bundles = [...files.texts.values()].map((text) => JSON.parse(text));
    const names = new Set(
      bundles.flatMap(({ entry }) =>
        entry.map(
          ({ fullUrl, resource }: { fullUrl: string; resource: { resourceType: string; id: string } }) => {
            expect(fullUrl).toBe(`${base}/${resource.resourceType}/${resource.id}`);
            return `${resource.resourceType}/${resource.id}`;
          },
        ),
      ),
    );
    expect(names.size).toBeGreaterThan(200);
    for (const [, reference] of JSON.stringify(bundles).matchAll(/"reference":"([^"]+)"/g)) {
      expect(names).toContain(reference);
    }
  });

  it('leave out providers who are in no network of the contract', async () => {
    const onePlan = await published(
      changed(texts, (plan, at) => (at === 0 ? plan : undefined), 'InsurancePlan'),
      { id: 'one-plan' },
    );
    const files = new KeptFiles();
    await writePlanFinderFiles(onePlan, files, base);
    onePlan.close();
    const roles = JSON.parse(files.texts.get('plan-finder-1/PractitionerRole-001.json') ?? '{}').entry;
    const isInNetwork = (text: string) => text.includes('"Organization/network-0"');
    expect(roles.length).toBe((texts.get('PractitionerRole') ?? []).filter(isInNetwork).length);
    expect(roles.length).toBeGreaterThan(0);
  });
});

describe('truth report', () => {
  const findingsOf = async (of: DirectoryTexts, knownNpis?: ReadonlySet<string>) => {
    const file = await published(of, { id: `truth-${Math.random()}`.replace('.', '') });
    const found: RecordFinding[] = [];
    const report = reportTruth(file, (finding) => found.push(finding), knownNpis);
    file.close();
    return { report, found: found.filter(({ code }) => code !== 'not_verified_90_days') };
  };

  it('counts what the source verified in 30 and 90 days, and finds a synthetic directory in order', async () => {
    const { report, found } = await findingsOf(texts);
    expect(
      found
        .map(({ code, resource }) => `${code} ${resource}`)
        .filter((each) => !each.startsWith('duplicate')),
    ).toEqual([]);
    expect(report.verified30).toBeGreaterThan(report.records / 2);
    expect(report.verified90).toBeGreaterThan(report.verified30);
    expect(report.clean).toBeLessThanOrEqual(report.records);
  });

  it.each([
    [
      'npi_check_digit',
      'Practitioner',
      { identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567890' }] },
    ],
    ['npi_missing', 'Practitioner', { identifier: [] }],
    ['address_incomplete', 'Location', { address: { city: 'Bethesda', state: 'MD' } }],
    ['phone_missing', 'Location', { telecom: [] }],
    ['phone_implausible', 'PractitionerRole', { telecom: [{ system: 'phone', value: '000-000-0000' }] }],
    ['provider_without_network', 'PractitionerRole', { extension: [] }],
    ['plan_without_network', 'InsurancePlan', { network: [] }],
  ] as const)('finds %s', async (code, type, change) => {
    const { found } = await findingsOf(
      changed(texts, (each, at) => (at === 1 ? { ...each, ...change } : each), type),
    );
    expect(found.filter((each) => each.code === code).map(({ resource }) => resource.split('/')[0])).toEqual([
      type,
    ]);
  });

  it('finds a person who is there twice, and an NPI that NPPES does not have', async () => {
    const first = JSON.parse(texts.get('Practitioner')?.[0] ?? '{}');
    const twice = changed(
      texts,
      (each, at) => (at === 1 ? { ...each, identifier: first.identifier } : each),
      'Practitioner',
    );
    const { found } = await findingsOf(twice, new Set([first.identifier[0].value]));
    expect(
      found.filter(({ code, resource }) => code === 'duplicate' && resource.startsWith('Practitioner/')),
    ).toEqual([
      {
        resource: 'Practitioner/practitioner-1',
        code: 'duplicate',
        message: 'It is the same as Practitioner/practitioner-0.',
      },
    ]);
    const unknown = found.filter(({ code }) => code === 'npi_unknown').map(({ resource }) => resource);
    expect(unknown).not.toContain('Practitioner/practitioner-0');
    expect(unknown).toContain('Practitioner/practitioner-2');
  });

  it('does not take the time of an export for a check of each record', async () => {
    const large = changed(
      syntheticDirectory(400, 3),
      (each) => ({ ...each, meta: { ...(each.meta as object), lastUpdated: '2026-11-21T00:00:00Z' } }),
      'Location',
    );
    const { report } = await findingsOf(large);
    expect(report.types.Location).toMatchObject({
      verified30: 0,
      findings: { date_of_export: report.types.Location?.records },
    });
  });

  it('finds an NPI among packed ones, whatever their order was', () => {
    const npis = ['2999999999', '1234567893', '1000000004', '1679576722'];
    const packed = packNpis(Uint32Array.from(npis, (npi) => npiNumber(npi) ?? 0));
    const known = packedNpis(packed);
    expect(npis.every((npi) => known.has(npi))).toBe(true);
    expect(['1234567892', '0', '12345678930', '3000000000'].some((npi) => known.has(npi))).toBe(false);
    expect(packedNpis(new Uint8Array()).has('1234567893')).toBe(false);
  });

  it.each([
    ['1234567893', true],
    ['1234567890', false],
    ['3234567893', false],
    ['123456789', false],
  ])('checks the digit of the NPI %s', (npi, valid) => expect(isNpi(npi)).toBe(valid));

  it.each([
    ['+1-301-555-0199', true],
    ['(301) 555-0199 x12', true],
    ['301-155-0199', false],
    ['2222222222', false],
    ['555-0199', false],
  ])('looks at the telephone number %s', (phone, plausible) =>
    expect(isPlausiblePhone(phone)).toBe(plausible));
});
