import { randomInt, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { decodeResource, digestOfValues } from '../../lambdas/fhir/store/stored-resource.ts';
import { ingestMember } from '../../lambdas/loads/ingest/ingest.ts';
import type { IngestAnswer, MemberLoad } from '../../lambdas/loads/ingest/ingest-contract.ts';
import type { Ingest, MemberAccounts } from '../../lambdas/loads/ingest/ingest-ports.ts';
import { contactDataOf } from '../../lambdas/loads/rows/contact-data.ts';
import { createMemberLoader } from '../../lambdas/loads/store/member-loader.ts';
import { createContactEnvelopes } from '../../lambdas/platform/aws/contact-envelopes.ts';
import { digests } from '../../lambdas/platform/runtime/digests.ts';
import type { Item, Table } from '../../lambdas/platform/table/table.ts';
import { memberIdKey, memberKey, patientPartition } from '../../lambdas/platform/table/table-keys.ts';
import { memoryDataKeys } from './memory-data-keys.ts';

/** Envelopes of contact data, with data keys in memory instead of KMS's. */
export const testContacts = createContactEnvelopes(memoryDataKeys, Date.now);

/** A claim of a given size in bytes. `says` is the text of its search values. */
export interface ClaimText {
  readonly id: string;
  readonly version: number;
  readonly says?: string;
  readonly bytes?: number;
}

type Resource = MemberLoad['resources'][number];

export function claimResource(patientId: string, { id, version, says = '', bytes = 0 }: ClaimText): Resource {
  return resource('ExplanationOfBenefit', id, version, {
    ...{
      status: 'active',
      type: { text: 'pharmacy' },
      use: 'claim',
      outcome: 'complete',
      created: '2026-01-31',
    },
    ...{ insurer: { display: 'The plan' }, provider: { display: 'A pharmacy' } },
    insurance: [{ focal: true, coverage: { display: 'C' } }],
    patient: { reference: `Patient/${patientId}` },
    ...(says !== '' && { disposition: says }),
    text: { status: 'generated', div: `<div>${'x'.repeat(bytes)}</div>` },
  });
}

function resource(resourceType: string, id: string, version: number, content: object): Resource {
  const [versionId, lastUpdated] = [String(version), new Date(1_770_000_000_000 + version).toISOString()];
  const json = JSON.stringify({ resourceType, id, meta: { versionId, lastUpdated }, ...content });
  return { resourceType, id, versionId, lastUpdated, json };
}

/** A member who is loaded through `table`. Results are read through `well`, whose calls never fail. */
export function createMember(table: Table, well: Table = table) {
  const patientId = randomUUID();
  const sub = randomUUID();
  const memberId = `DSNP${randomInt(10 ** 8, 10 ** 9)}`;
  const ingest: Ingest = {
    accounts: oneAccount(sub),
    sha256: digests.sha256Hex,
    contactData: (json) => contactDataOf(JSON.parse(json), 1_770_000_000_000),
    searchValues,
    store: createMemberLoader(table, {
      environment: 'sandbox',
      now: () => 1_770_000_000_000,
      uuid: randomUUID,
      sealContact: testContacts.seal,
    }),
  };
  return {
    patientId,
    async load(claims: readonly ClaimText[], removed: readonly string[] = []): Promise<IngestAnswer> {
      return await ingestMember(ingest, {
        lob: 'DSNP',
        patientId,
        memberId,
        email: 'ada.sampleton@example.com',
        phoneNumber: '+12025550123',
        givenName: 'Ada',
        familyName: 'Sampleton',
        resources: [
          resource('Patient', patientId, 1, {}),
          ...claims.map((told) => claimResource(patientId, told)),
        ],
        removed: removed.map((id) => ({ resourceType: 'ExplanationOfBenefit', id })),
      });
    },
    async linked(): Promise<boolean> {
      const [link, name] = await well.batchGet([memberKey('DSNP', sub), memberIdKey('DSNP', memberId)]);
      expect(name?.patientId).toBe(link?.patientId);
      return link !== undefined;
    },
    /** For each recorded load, the resources it removed. */
    async loadEvents(): Promise<readonly (readonly string[])[]> {
      const { items } = await well.query({ pk: `AUDIT#DSNP#PATIENT#${patientId}` });
      const loads = items.filter(({ action }) => action === 'member.load');
      return loads.map(({ resources }) => (resources ?? []) as readonly string[]);
    },
    /**
     * The stored resources by `type#id`.
     *
     * @throws Error if index entries and resources disagree.
     */
    async compartment(): Promise<ReadonlyMap<string, string>> {
      const pk = patientPartition('DSNP', patientId);
      const [resources, entries] = await Promise.all(
        ['RESOURCE#', 'ENTRY#'].map(async (prefix) => byName(await pages(well, pk, prefix), prefix)),
      );
      expect([...(entries?.keys() ?? [])]).toEqual([...(resources?.keys() ?? [])]);
      const contents = new Map<string, string>();
      for (const [name, item] of resources ?? []) {
        const { json } = decodeResource(item);
        const { versionId, lastUpdated } = item;
        expect(entries?.get(name)).toMatchObject({
          versionId,
          lastUpdated,
          valuesDigest: digestOfValues(searchValues(json)),
        });
        contents.set(name, json);
      }
      return contents;
    },
  };
}

export type Member = ReturnType<typeof createMember>;

/** The accounts of a user pool in which the first load creates one member's account. */
export function oneAccount(sub: string): MemberAccounts {
  return {
    create: async () => ({ kind: 'created', sub }),
    find: async () => ({ sub, complete: true }),
    update: async () => ({ kind: 'updated' }),
    setFirstPassword: async () => undefined,
  };
}

function searchValues(json: string): string {
  const text = String(JSON.parse(json).disposition ?? '');
  return JSON.stringify({
    size: json.length,
    tokens: {},
    dates: {},
    strings: { says: [[text, text]] },
    references: {},
  });
}

async function pages(table: Table, pk: string, skBeginsWith: string): Promise<readonly Item[]> {
  const first = await table.query({ pk, skBeginsWith });
  const items = [...first.items];
  for (let after = first.next; after !== undefined; ) {
    const page = await table.query({ pk, skBeginsWith, after });
    items.push(...page.items);
    after = page.next;
  }
  return items;
}

function byName(items: readonly Item[], prefix: string): ReadonlyMap<string, Item> {
  return new Map(items.map((item) => [String(item.sk).slice(prefix.length), item]));
}
