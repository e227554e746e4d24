import * as z from 'zod/mini';
import { issueMessage } from '../catalog/issue-message.ts';
import type { LineOfBusiness } from '../catalog/lines-of-business.ts';
import { nameOf, type ResourceName } from '../catalog/resource-name.ts';
import { type IngestAnswer, type MemberLoad, memberLoad } from './ingest-contract.ts';
import { outsideReferences } from './ingest-references.ts';
import { type IngestIssue, loadIssues } from './ingest-rules.ts';

/** What loading a member needs from outside; adapters in `lambdas/identity` and `lambdas/storage` implement it. */
export interface Ingest {
  readonly accounts: MemberAccounts;
  readonly store: MemberStore;
  /** What a search can ask of a resource, serialized: the same text for the same resource. */
  readonly searchValues: (json: string) => string;
}

/** The member as the user pool knows them. */
export type MemberAccount = Pick<
  MemberLoad,
  'memberId' | 'email' | 'phoneNumber' | 'givenName' | 'familyName' | 'password'
>;

export interface MemberAccounts {
  /**
   * Makes the account, or brings the one there is to these values.
   *
   * @returns the account's subject (`sub`), or why the pool refuses: the e-mail address signs another member in, or
   * the password isn't good enough.
   */
  ensure(
    account: MemberAccount,
  ): Promise<
    | { readonly ok: true; readonly sub: string }
    | { readonly ok: false; readonly reason: 'email_taken' | 'password_refused' }
  >;
}

export type StoredResource = MemberLoad['resources'][number];

export interface MemberStore {
  /** The resources as they are stored, in the order asked for. */
  stored(
    lob: LineOfBusiness,
    patientId: string,
    resources: readonly ResourceName[],
  ): Promise<readonly (StoredVersion | undefined)[]>;
  /** Whether the store can hold a resource and its values: by their stored size, which is smaller than the JSON's. */
  holds(lob: LineOfBusiness, patientId: string, resource: StoredResource, values: string): boolean;
  /**
   * Carries out the changes, each whole or not at all, in their order; then writes the link from the account to the patient.
   *
   * @returns `conflict` when somebody else wrote one of them since it was read (some may be written: read again and
   * repeat); `linked_elsewhere` when the account is another patient's already (nothing is written).
   */
  write(load: LinkedLoad): Promise<'written' | 'conflict' | 'linked_elsewhere'>;
}

export interface StoredVersion
  extends Pick<StoredResource, 'versionId' | 'lastUpdated' | 'json' | 'fhirJson'> {
  /** What a search finds it by; absent where an earlier version of this service loaded it. */
  readonly values?: string;
}

/** `values` are those of the resource, as `searchValues` gave them; `replaces` is the version that has to be there still. */
export type Change =
  | {
      readonly kind: 'put';
      readonly resource: StoredResource;
      readonly values: string;
      readonly replaces?: StoredVersion;
    }
  /** The resource stays as it is, and is found by other values from now on. */
  | { readonly kind: 'values'; readonly resource: StoredResource; readonly values: string }
  | { readonly kind: 'remove'; readonly resource: ResourceName; readonly replaces: StoredVersion };

export interface LinkedLoad {
  readonly lob: LineOfBusiness;
  readonly patientId: string;
  readonly memberId: string;
  readonly displayName: string;
  readonly sub: string;
  /** Only what differs from what is stored, each resource once. */
  readonly changes: readonly Change[];
}

/** Loads of the same member at the same time; one more than this in a row has lost every time. */
const mostAttempts = 5;

/**
 * Loads one member: account, link and resources. Repeatable: what is there already stays as it is, and an attempt that
 * ended half-way is completed by the next. The link comes last, so that nobody signs in to a patient half loaded.
 */
export async function ingestMember(ingest: Ingest, payload: unknown): Promise<IngestAnswer> {
  const parsed = z.safeParse(memberLoad, payload);
  if (!parsed.success) {
    return refused(
      parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issueMessage(issue) })),
    );
  }
  const load = parsed.data;
  const issues = loadIssues(load);
  if (issues.length > 0) return refused(issues);
  let comparison = await compared(ingest, load);
  if ('issues' in comparison) return refused(comparison.issues);

  const account = await ingest.accounts.ensure(load);
  if (!account.ok) return refused([accountIssues[account.reason]]);
  const { lob, patientId, memberId } = load;
  const displayName = `${load.givenName} ${load.familyName}`;
  const link = { lob, patientId, memberId, displayName, sub: account.sub };
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const outcome = await ingest.store.write({ ...link, changes: comparison.changes });
    if (outcome === 'linked_elsewhere') {
      return refused([{ path: 'patientId', message: 'the patient this member already is in this LOB' }]);
    }
    if (outcome === 'written') return { ok: true, patientId, resources: load.resources.length };
    comparison = await compared(ingest, load);
    if ('issues' in comparison) return refused(comparison.issues);
  }
  throw new Error('a member changes faster than it can be loaded');
}

const accountIssues = {
  email_taken: { path: 'email', message: 'an address that signs no other member in' },
  password_refused: { path: 'password', message: "a password the user pool's policy accepts" },
} as const;

type Comparison = { readonly changes: readonly Change[] } | { readonly issues: readonly IngestIssue[] };

/** What a load changes of what is stored, or why it may not. */
async function compared({ store, searchValues }: Ingest, load: MemberLoad): Promise<Comparison> {
  const { lob, patientId, resources, removed = [] } = load;
  const outside = outsideReferences(load);
  const stored = await store.stored(lob, patientId, [...resources, ...removed, ...outside]);
  const changes: Change[] = [];
  const issues: IngestIssue[] = [];
  resources.forEach((resource, index) => {
    const result = comparedResource(resource, stored[index], searchValues);
    if ('message' in result) {
      issues.push({ path: `resources.${index}.${result.member}`, message: result.message });
    } else if (result.change !== undefined) {
      if (!store.holds(lob, patientId, resource, result.change.values)) {
        issues.push({ path: `resources.${index}`, message: 'at most 400 KB when it is stored (gzipped)' });
      }
      changes.push(result.change);
    }
  });
  removed.forEach((resource, index) => {
    const replaces = stored[resources.length + index];
    if (replaces !== undefined) changes.push({ kind: 'remove', resource, replaces });
  });
  const goes = new Set(removed.map(nameOf));
  outside.forEach((reference, index) => {
    const target = stored[resources.length + removed.length + index];
    if (target !== undefined && !goes.has(nameOf(reference))) return;
    issues.push({ path: reference.path, message: 'a resource of this load, or one loaded before' });
  });
  return issues.length > 0 ? { issues } : { changes };
}

/** Whether a resource is new or newer; a version says one thing only, and an older one takes no newer one's place. */
function comparedResource(
  resource: StoredResource,
  present: StoredVersion | undefined,
  searchValues: Ingest['searchValues'],
):
  | { readonly change?: Extract<Change, { readonly values: string }> }
  | { readonly member: 'versionId' | 'lastUpdated'; readonly message: string } {
  const values = searchValues(resource.json);
  if (present === undefined) return { change: { kind: 'put', resource, values } };
  if (present.versionId !== resource.versionId) {
    if (Date.parse(resource.lastUpdated) >= Date.parse(present.lastUpdated)) {
      return { change: { kind: 'put', resource, values, replaces: present } };
    }
    return { member: 'lastUpdated', message: 'not older than the stored version' };
  }
  if (present.json !== resource.json || present.fhirJson !== resource.fhirJson) {
    return {
      member: 'versionId',
      message: 'a new version for new content: this one is stored with other content',
    };
  }
  return present.values === values ? {} : { change: { kind: 'values', resource, values } };
}

function refused(issues: readonly IngestIssue[]): IngestAnswer {
  return { ok: false, code: 'invalid_request', issues };
}
