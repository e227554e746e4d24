import { createHash } from 'node:crypto';
import type { PatientAccessType } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import { everySensitiveScope } from '../../../lambdas/catalog/fhir/sensitive-categories.ts';
import type { MemberContext } from '../../../lambdas/catalog/oauth/authorizer-context.ts';
import type { Disclosure } from '../../../lambdas/fhir/disclosure/disclosure-recorder-port.ts';
import { labelChanges } from '../../../lambdas/fhir/labels/label-changes.ts';
import { labeledValues } from '../../../lambdas/fhir/labels/resource-label.ts';
import type { SearchAnswer } from '../../../lambdas/fhir/query/search-request.ts';
import { type ReadRequest, readResource } from '../../../lambdas/fhir/read/resource-read.ts';
import { type EverythingRequest, readEverything } from '../../../lambdas/fhir/search/everything.ts';
import { type SearchRequest, searchResources } from '../../../lambdas/fhir/search/resource-search.ts';
import { decodeIndexTexts, encodeIndexTexts } from '../../../lambdas/fhir/store/search-index-text.ts';
import type { RecordLabels } from '../../../lambdas/fhir/values/label.ts';
import type {
  AccessGrant,
  AskedEntries,
  SearchEntry,
  StoredResource,
} from '../../../lambdas/fhir/values/patient-compartment.ts';
import { aboutName, searchValues } from '../../../lambdas/fhir/values/values.ts';

export const nowSeconds = 1_800_000_000;
export const base = 'https://dsnp.api.example.com/extfhirpatientaccess/v1';
export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
export const livingGrant: AccessGrant = { clientId: 'client-1', state: 'active', expiresAt: nowSeconds + 1 };
export const context: MemberContext = {
  clientId: 'client-1',
  products: ['patient-access'],
  grantId: 'grant-1',
  patientId: 'p1',
  scope: `patient/*.read ${everySensitiveScope}`,
  tokenId: 'token-1',
  tokenExpiresAt: nowSeconds + 1,
};

export interface Resource {
  readonly resourceType: string;
  readonly id: string;
  readonly [element: string]: unknown;
}

/** A claim of the member with the elements that R4 requires. */
export function claim(id: string, elements: Readonly<Record<string, unknown>> = {}): Resource {
  return {
    resourceType: 'ExplanationOfBenefit',
    id,
    meta: { lastUpdated: '2026-11-20T10:00:00.000Z' },
    status: 'active',
    type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/claim-type', code: 'professional' }] },
    use: 'claim',
    patient: { reference: 'Patient/p1' },
    created: '2026-03-05',
    insurer: { reference: 'Organization/payer' },
    provider: { reference: 'Organization/clinic' },
    outcome: 'complete',
    insurance: [{ focal: true, coverage: { reference: 'Coverage/c1' } }],
    ...elements,
  };
}

export const patient: Resource = {
  resourceType: 'Patient',
  id: 'p1',
  meta: { lastUpdated: '2026-11-20T10:00:00.000Z' },
  identifier: [{ system: 'https://plan.example.com/MEMBER_LIFE_ID', value: 'M-1' }],
  name: [{ family: 'Müller', given: ['Ana María', 'José'] }],
  gender: 'female',
  birthDate: '1960-00-00',
};
const coverage: Resource = {
  resourceType: 'Coverage',
  id: 'c1',
  meta: { lastUpdated: '2026-11-20T10:00:00.000Z' },
  status: 'active',
  beneficiary: { reference: 'Patient/p1' },
  payor: [{ reference: 'Organization/payer' }],
};
const organizations: readonly Resource[] = ['payer', 'clinic'].map((id) => ({
  resourceType: 'Organization',
  id,
  meta: { lastUpdated: '2026-11-20T10:00:00.000Z' },
  name: id,
}));

/** Resources that every member of these tests has, without claims. */
export const household: readonly Resource[] = [patient, coverage, ...organizations];

export interface BundleEntry {
  readonly fullUrl?: string;
  readonly resource: Resource;
  readonly search: { readonly mode: string };
}

export interface Bundle {
  readonly type: string;
  readonly total: number;
  readonly meta: { readonly lastUpdated: string };
  readonly link: readonly { readonly relation: string; readonly url: string }[];
  readonly entry?: readonly BundleEntry[];
}

/** One member's partition with test doubles for the ports, which record the calls. */
export function createWorld(resources: readonly Resource[] = household) {
  const state = {
    now: nowSeconds * 1000,
    grant: livingGrant as AccessGrant | undefined,
    resources: [...resources],
    /** Names of resources that are deleted after the index was read and before the resources are. */
    deleted: new Set<string>(),
    fhirJson: {} as Record<string, string>,
    events: [] as Disclosure[],
    waits: [] as string[],
    failingEvent: 0,
  };
  const dependencies = {
    interface: 'patient-access' as const,
    now: () => state.now,
    sha256,
    compartment: {
      async read(_patientId: string, _grantId: string, type: string, id: string) {
        const resource = state.resources.find((each) => each.resourceType === type && each.id === id);
        return {
          grant: state.grant,
          resource: resource && stored(resource, state.fhirJson[id]),
          labels: labelsOf(state.resources),
        };
      },
      async entries(patientId: string, grantId: string, { resourceType: type, references }: AskedEntries) {
        state.waits.push(`entries ${patientId} ${grantId} ${type ?? '*'}`);
        const entries = state.resources.filter(({ resourceType }) => (type ?? resourceType) === resourceType);
        return {
          grant: state.grant,
          entries: entries.map((each) => entryOf(each, references)),
          labels: labelsOf(state.resources),
        };
      },
      async resources(
        patientId: string,
        names: readonly { readonly resourceType: string; readonly id: string }[],
      ) {
        state.waits.push(`resources ${patientId}`);
        return names.map(({ resourceType, id }) => {
          const resource = state.resources.find(
            (each) => each.resourceType === resourceType && each.id === id,
          );
          const gone = resource === undefined || state.deleted.has(`${resourceType}/${id}`);
          return gone ? undefined : stored(resource, state.fhirJson[id]);
        });
      },
    },
    audit: {
      async record(event: Disclosure) {
        state.waits.push('record');
        state.events.push(event);
        if (state.events.length === state.failingEvent) throw new Error('not durable');
        return `event-${state.events.length}`;
      },
    },
  };
  return {
    state,
    search: (type: PatientAccessType, query: string, change: Partial<SearchRequest> = {}) =>
      searchResources(dependencies, {
        type,
        parameters: parametersOf(query),
        requestId: 'r1',
        context,
        base,
        ...change,
      }),
    read: (type: PatientAccessType, id: string, change: Partial<ReadRequest> = {}) =>
      readResource(dependencies, {
        ...{ type, id, accept: undefined, parameters: [], ifNoneMatch: undefined, requestId: 'r1', context },
        ...change,
      }),
    /** Searches with a token of another patient. */
    searchAs: (who: Partial<MemberContext>, type: PatientAccessType, query: string) =>
      searchResources(dependencies, {
        type,
        parameters: parametersOf(query),
        requestId: 'r1',
        context: { ...context, ...who },
        base,
      }),
    everything: (query = '', change: Partial<EverythingRequest> = {}) =>
      readEverything(dependencies, {
        id: 'p1',
        parameters: parametersOf(query),
        requestId: 'r1',
        context,
        base,
        ...change,
      }),
  };
}

/** Caches a value that a load stores of each resource, since many searches read it. */
function onceEach<Value>(reckon: (resource: Resource) => Value): (resource: Resource) => Value {
  const known = new WeakMap<Resource, Value>();
  return (resource) => {
    const value = known.has(resource) ? (known.get(resource) as Value) : reckon(resource);
    known.set(resource, value);
    return value;
  };
}

const labeled = onceEach(labeledValues);
const indexTexts = onceEach((resource) => {
  const meta = resource.meta as { readonly lastUpdated?: string } | undefined;
  const lastUpdated = meta?.lastUpdated ?? '2026-11-20T10:00:00.000Z';
  return encodeIndexTexts('p1', { versionId: '1', lastUpdated, values: searchValues(resource) });
});

/** The labels of a record, as a load stores them. */
export function labelsOf(resources: readonly Resource[]): RecordLabels {
  const puts = resources.map((each) => {
    const { label, references } = labeled(each);
    return { name: `${each.resourceType}/${each.id}`, label, about: references[aboutName] ?? [] };
  });
  const changes = [...labelChanges(new Map(), puts, new Map())];
  return new Map(changes.flatMap(([name, label]) => (label === undefined ? [] : [[name, label]])));
}

/** The index entry of a resource, after it was encoded and decoded. */
export function entryOf(resource: Resource, references = true): SearchEntry {
  const { resourceType, id } = resource;
  const texts = indexTexts(resource);
  return decodeIndexTexts('p1', { resourceType, id }, references ? texts : { entry: texts.entry });
}

function stored(resource: Resource, fhirJson: string | undefined): StoredResource {
  return {
    json: JSON.stringify(resource),
    fhirJson,
    versionId: '1',
    lastUpdated: '2026-11-20T10:00:00.000Z',
  };
}

/** Decodes a query as API Gateway does. */
export function parametersOf(query: string): [string, string][] {
  return [...new URLSearchParams(query)];
}

/**
 * The Bundle of an answer.
 *
 * @throws Error if the answer is not a Bundle.
 */
export function bundleOf(answer: SearchAnswer): Bundle {
  if (answer.kind !== 'bundle') throw new Error(`no Bundle: ${JSON.stringify(answer)}`);
  return JSON.parse(answer.body) as Bundle;
}

/** Entries of an answer as `mode Type/id`. */
export function entriesOf(answer: SearchAnswer): string[] {
  return (bundleOf(answer).entry ?? []).map(
    ({ resource, search }) => `${search.mode} ${resource.resourceType}/${resource.id}`,
  );
}

export function linkOf(answer: SearchAnswer, relation: string): string | undefined {
  return bundleOf(answer).link.find((link) => link.relation === relation)?.url;
}

/** The query of a link, as a client sends it. */
export function queryOf(url: string): string {
  return new URL(url).search.slice(1);
}
