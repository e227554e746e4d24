import { createHash } from 'node:crypto';
import type { Bundle, Group } from 'fhir/r4.js';
import { expect, it } from 'vitest';
import type { Parameter } from '../../../lambdas/fhir/query/search-issue.ts';
import { searchGroups } from '../../../lambdas/payer-access/groups/group-search.ts';
import type { PayerGroup } from '../../../lambdas/payer-access/permission/payer-group-port.ts';
import { organization } from '../match-samples.ts';

/** Searches of an application's groups. Parameters about the result, such as `_count`, work as in any other search. */

const base = 'https://dsnp.api.example.org/extfhirpayeraccess/v1';
const now = Date.parse('2026-11-24T12:00:00Z');
const own = Array.from({ length: 45 }, (_, index): PayerGroup => {
  const minutes = String(index).padStart(2, '0');
  return {
    groupId: `g${minutes}`,
    clientId: 'payer-1',
    code: index % 3 === 0 ? 'match' : 'nomatch',
    jobId: 'job',
    quantity: index,
    createdAt: `2026-11-24T10:${minutes}:00.000Z`,
    expiresAt: now / 1000 + 1000,
  };
});

async function search(parameters: readonly Parameter[], strict = false) {
  return await searchGroups(
    {
      store: {
        organization: async () => organization,
        recordRefusal: async () => {},
        recordDisclosure: async () => {},
      },
      groups: { save: async () => {}, group: async () => undefined, groups: async () => own },
      lob: 'DSNP',
      now: () => now,
      sha256: (text) => createHash('sha256').update(text).digest('hex'),
    },
    {
      requestId: 'r',
      clientId: 'payer-1',
      action: 'Group.read',
      context: {
        clientId: 'payer-1',
        products: ['payer-access'],
        scope: 'system/Group.rs',
        tokenExpiresAt: now,
      },
      ...{ parameters, strict, base },
    },
  );
}

async function found(...parameters: readonly Parameter[]): Promise<Bundle<Group>> {
  const answer = await search(parameters);
  if (answer.kind !== 'resource') throw new Error(JSON.stringify(answer));
  return JSON.parse(answer.body);
}

const idsOf = ({ entry = [] }: Bundle<Group>) => entry.map(({ resource }) => resource?.id);
const nextOf = ({ link = [] }: Bundle) => link.find(({ relation }) => relation === 'next')?.url;

it('goes over all groups by their next links, the newest first, each once', async () => {
  const seen: (string | undefined)[] = [];
  let next: readonly Parameter[] | undefined = [['_count', '10']];
  let pages = 0;
  while (next !== undefined) {
    const bundle: Bundle<Group> = await found(...next);
    expect(bundle.total).toBe(45);
    seen.push(...idsOf(bundle));
    pages += 1;
    const url = nextOf(bundle);
    next = url === undefined ? undefined : [...new URL(url).searchParams];
  }
  expect(pages).toBe(5);
  expect(seen).toEqual(own.map(({ groupId }) => groupId).reverse());
  expect(idsOf(await found())).toHaveLength(20);
});

it('counts alone for _count=0 and _summary=count', async () => {
  for (const parameter of [
    ['_count', '0'],
    ['_summary', 'count'],
  ] as const) {
    const bundle = await found(['code', 'match'], parameter);
    expect([bundle.total, bundle.entry, nextOf(bundle)]).toEqual([15, undefined, undefined]);
  }
});

it('orders, selects elements, and compares codes and identifiers with their systems', async () => {
  expect(idsOf(await found(['_sort', '_lastUpdated'], ['_count', '2']))).toEqual(['g00', 'g01']);
  const [{ resource } = {}] = (await found(['_id', 'g03'], ['_elements', 'quantity'])).entry ?? [];
  expect(Object.keys(resource ?? {}).sort()).toEqual([
    'actual',
    'id',
    'meta',
    'quantity',
    'resourceType',
    'type',
  ]);
  const guide = 'http://hl7.org/fhir/us/davinci-pdex';
  const [{ system, value } = { system: '', value: '' }] = organization;
  for (const [name, text, total] of [
    ['code', `${guide}/CodeSystem/PdexMultiMemberMatchResultCS|match`, 15],
    ['characteristic', `${guide}/ValueSet/PDexMultiMemberMatchResultVS|match`, 15],
    ['code', 'match,nomatch', 45],
    ['code:not', 'match', 30],
    ['code', 'http://other.example.org|match', 0],
    ['identifier', `${system}|${value}`, 45],
    ['identifier', 'other|1', 0],
    ['characteristic-value-reference:identifier', `${system}|${value}`, 45],
    ['characteristic-value-reference', value, 45],
    ['characteristic-value-reference:missing', 'true', 0],
    ['_lastUpdated', 'ge2026-11-24T10:40:00Z', 5],
  ] as const) {
    expect((await found([name, text])).total, `${name}=${text}`).toBe(total);
  }
});

it('warns of a parameter it does not have, and refuses it where the client is strict', async () => {
  expect(JSON.stringify((await found(['name', 'x'])).entry?.at(-1))).toContain(
    'name’ is not supported for Group',
  );
  expect((await search([['name', 'x']], true)).kind).toBe('invalid');
  for (const refused of [
    ['_count', 'x'],
    ['_include', 'Group:member'],
    ['_cursor', 'forged'],
    ['characteristic-value-reference:Organization', '1'],
  ] as const) {
    expect((await search([refused])).kind, refused[0]).toBe('invalid');
  }
  const next = nextOf(await found(['code', 'nomatch']));
  const changed = [...new URL(next ?? '').searchParams, ['code', 'match'] as const] as readonly Parameter[];
  expect((await search(changed)).kind).toBe('invalid');
});
