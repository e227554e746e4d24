/** Loads one member: account and resources (function `ingest`). Drops of files are loaded by `load-range`. */

import * as z from 'zod/mini';
import { issueMessage } from '../../catalog/fhir/issue-message.ts';
import { nameOf, type ResourceName } from '../../catalog/fhir/resource-name.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { ContactData } from '../../platform/kernel/contact-data.ts';
import { loadIssues } from './ingest-content-rules.ts';
import { type IngestAnswer, type IngestIssue, type MemberLoad, memberLoad } from './ingest-contract.ts';
import { outsideReferences } from './ingest-references.ts';

/** Ports and functions that load a member; adapters in `loads/aws` and `loads/store` implement the ports. */
export interface Ingest {
  readonly accounts: MemberAccounts;
  readonly store: MemberStore;
  /** Makes the serialized search values of a resource, always the same text for the same resource. */
  readonly searchValues: (json: string) => string;
  /** SHA-256 of a text's UTF-8, in hex. */
  readonly sha256: (text: string) => string;
  /** Extracts contact and matching data from a serialized Patient. */
  readonly contactData: (json: string) => ContactData;
}

/** The member's data in the user pool. */
export type MemberAccount = Pick<
  MemberLoad,
  'memberId' | 'email' | 'phoneNumber' | 'givenName' | 'familyName' | 'password'
>;

/** Refusal of account data: another member has the e-mail address, or the password violates the pool's policy. Nothing was changed. */
export interface AccountRefusal {
  readonly kind: 'refusal';
  readonly refusal: keyof typeof accountIssues;
}

/** Result of a creation. `exists`: an account has this user name or e-mail address already. */
export type AccountCreated =
  | { readonly kind: 'created'; readonly sub: string }
  | { readonly kind: 'exists' }
  | AccountRefusal;

/** Result of an update. `unknown`: the account does not exist. */
export type AccountUpdated = { readonly kind: 'updated' } | { readonly kind: 'unknown' } | AccountRefusal;

/** Accounts in the user pool, by member ID. */
export interface MemberAccounts {
  /** Creates the account, with the password if one is given. */
  create(account: MemberAccount): Promise<AccountCreated>;
  /** Finds the account; `complete` if it has these values and a password of its own. */
  find(account: MemberAccount): Promise<{ readonly sub: string; readonly complete: boolean } | undefined>;
  /** Updates the account's contact data to these values, in one call. */
  update(account: MemberAccount): Promise<AccountUpdated>;
  /** Sets the first password of an account that never had one. Does nothing if the account has one, or no password is given. */
  setFirstPassword(account: MemberAccount): Promise<void>;
}

export type LoadedResource = MemberLoad['resources'][number];

/** The member that a patient's record belongs to, and a digest of the account data last written. */
export interface PatientMember {
  readonly memberId: string;
  /** Absent while the member has no account: drops load members without accounts. */
  readonly sub?: string | undefined;
  /** SHA-256 (hex) of the account's values. */
  readonly accountSha256?: string | undefined;
}

/** The Patient that a member identifier belongs to. */
export interface NamedPatient {
  readonly patientId: string;
  /** Whether a drop withdrew the member. */
  readonly isWithdrawn: boolean;
}

export interface MemberStore {
  /** Ends the sessions of an account, in all LOBs. */
  endSessions(sub: string): Promise<void>;
  /** The member a patient's record belongs to in a LOB; undefined before the first load. */
  memberOf(lob: LineOfBusiness, patientId: string): Promise<PatientMember | undefined>;
  /** The patient an account signs in to in a LOB. */
  patientOf(lob: LineOfBusiness, sub: string): Promise<string | undefined>;
  /** The Patient that a member identifier belongs to in a LOB, after merges; undefined before the first load. */
  namedPatient(lob: LineOfBusiness, memberId: string): Promise<NamedPatient | undefined>;
  /** The stored versions of the resources, in the order asked for. */
  stored(
    lob: LineOfBusiness,
    patientId: string,
    resources: readonly ResourceName[],
  ): Promise<readonly (StoredVersion | undefined)[]>;
  /** Whether a resource and its search values fit into items of the store. Their compressed size counts. */
  holds(lob: LineOfBusiness, patientId: string, resource: LoadedResource, values: string): boolean;
  /**
   * Writes a load in one or more transactions, in the order of its changes. The first also writes which member the patient's record belongs
   * to. The last also writes the links from account and member identifier to the patient, with the contact data.
   *
   * @returns `conflict` if another writer changed an item since it was read and nothing was written; `interrupted` if some transactions
   * were written before. In both cases read again and repeat.
   */
  write(load: LinkedLoad): Promise<'written' | 'conflict' | 'interrupted'>;
}

export interface StoredVersion
  extends Pick<LoadedResource, 'versionId' | 'lastUpdated' | 'json' | 'fhirJson'> {
  /** Whether these are the stored search values. */
  readonly isFoundBy: (values: string) => boolean;
}

/** A change of a resource. `values` are its search values (`searchValues`); `replaces` is the version that must still be stored. */
export type ResourceChange =
  | {
      readonly kind: 'put';
      readonly resource: LoadedResource;
      readonly values: string;
      readonly replaces?: Pick<StoredVersion, 'versionId'>;
    }
  /** Keeps the resource and replaces its search values. */
  | { readonly kind: 'values'; readonly resource: LoadedResource; readonly values: string }
  | {
      readonly kind: 'remove';
      readonly resource: ResourceName;
      readonly replaces: Pick<StoredVersion, 'versionId'>;
    };

export interface LinkedLoad extends PatientMember {
  readonly sub: string;
  readonly accountSha256: string;
  readonly lob: LineOfBusiness;
  readonly patientId: string;
  readonly displayName: string;
  /** The account's e-mail address and phone number, with the Patient's matching data. */
  readonly contact: ContactData;
  /** The member that the patient's record belonged to when it was read. */
  readonly replaces?: PatientMember | undefined;
  /** Only the differences from what is stored, each resource once. */
  readonly changes: readonly ResourceChange[];
}

/** Most attempts to write one member, each after a lost write race. */
const mostAttempts = 5;

/**
 * Loads one member: account, links and resources. Repeatable: stored data is not written again, and an interrupted load is completed by the
 * next. The links are written last, so that nobody signs in to an incomplete record.
 *
 * A refused load changes nothing: everything is decided before anything is written. The account is written before the table, because the
 * user pool may refuse it too.
 *
 * @throws Error if another load of the same member was written meanwhile; repeating this load is safe.
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
  const { lob, patientId, memberId } = load;
  const displayName = `${load.givenName} ${load.familyName}`;
  const contact = contactOf(ingest, load);
  const accountSha256 = ingest.sha256(accountText(load));
  let begun = false;
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const decided = await decide(ingest, load, accountSha256);
    if (decided.kind === 'refusal') {
      // An earlier attempt wrote some of the changes, so this one must not refuse; a repeat of the load will.
      if (begun) throw new Error('another load changed this member meanwhile');
      return refused(decided.issues);
    }
    begun ||= decided.account.changed;
    const { account, replaces, changes } = decided;
    const link = { lob, patientId, memberId, displayName, contact, sub: account.sub, accountSha256 };
    const outcome = await ingest.store.write({ ...link, replaces, changes });
    if (outcome === 'written') return { kind: 'loaded', patientId, resources: load.resources.length };
    begun ||= outcome === 'interrupted';
  }
  throw new Error('a member changes faster than it can be loaded');
}

/** A refused load, with its issues. */
interface RefusedLoad {
  readonly kind: 'refusal';
  readonly issues: readonly IngestIssue[];
}

interface Decision {
  readonly kind: 'accepted';
  readonly account: { readonly kind: 'account'; readonly sub: string; readonly changed: boolean };
  readonly replaces: PatientMember | undefined;
  readonly changes: readonly ResourceChange[];
}

/** Decides whether a load is accepted, first by the table, then by the user pool. Nothing is written if either refuses. */
async function decide(
  ingest: Ingest,
  load: MemberLoad,
  accountSha256: string,
): Promise<Decision | RefusedLoad> {
  const [replaces, named, comparison] = await Promise.all([
    ingest.store.memberOf(load.lob, load.patientId),
    ingest.store.namedPatient(load.lob, load.memberId),
    compared(ingest, load),
  ]);
  if (replaces !== undefined && replaces.memberId !== load.memberId)
    return { kind: 'refusal', issues: [linkIssues.memberId] };
  if (named !== undefined && named.patientId !== load.patientId)
    return { kind: 'refusal', issues: [linkIssues.patientId] };
  if (named?.isWithdrawn === true) return { kind: 'refusal', issues: [linkIssues.withdrawn] };
  if (comparison.kind === 'refusal') return comparison;
  const account = await accountOf(ingest, load, replaces, accountSha256);
  if (account.kind === 'refusal') return account;
  return { kind: 'accepted', account, replaces, changes: comparison.changes };
}

/** Creates the account or updates it to the load's data. The user pool is not called if the account data is unchanged. */
async function accountOf(
  { accounts, store }: Ingest,
  load: MemberLoad,
  member: PatientMember | undefined,
  accountSha256: string,
): Promise<Decision['account'] | RefusedLoad> {
  if (member?.sub !== undefined) {
    if (member.accountSha256 === accountSha256) {
      return { kind: 'account', sub: member.sub, changed: false };
    }
    const updated = await accounts.update(load);
    if (updated.kind === 'updated') {
      await store.endSessions(member.sub);
      return { kind: 'account', sub: member.sub, changed: true };
    }
    if (updated.kind === 'refusal') return loadRefusal(updated);
  }
  const created = await accounts.create(load);
  if (created.kind === 'created') return { kind: 'account', sub: created.sub, changed: true };
  if (created.kind === 'refusal') return loadRefusal(created);
  // The account was created in another LOB, or by an interrupted load. It must not be changed unless it belongs to this patient.
  const found = await accounts.find(load);
  if (found === undefined) return loadRefusal({ kind: 'refusal', refusal: 'email_taken' });
  const other = await store.patientOf(load.lob, found.sub);
  if (other !== undefined && other !== load.patientId)
    return { kind: 'refusal', issues: [linkIssues.patientId] };
  if (found.complete) return { kind: 'account', sub: found.sub, changed: false };
  const completed = await accounts.update(load);
  if (completed.kind === 'unknown') throw new Error('an account was deleted while its member was loaded');
  if (completed.kind === 'refusal') return loadRefusal(completed);
  await store.endSessions(found.sub);
  await accounts.setFirstPassword(load);
  return { kind: 'account', sub: found.sub, changed: true };
}

/** Serializes the account data of a load in a fixed order, without the password, which no load changes. */
function accountText({ memberId, email, phoneNumber, givenName, familyName }: MemberAccount): string {
  return JSON.stringify([memberId, email, phoneNumber, givenName, familyName]);
}

/**
 * The contact data of a load: e-mail address and phone number of the account, to which verification codes are sent, and name, birth date
 * and postal codes of the Patient.
 */
function contactOf(
  { contactData }: Ingest,
  { resources, patientId, email, phoneNumber }: MemberLoad,
): ContactData {
  const patient = resources.find(({ resourceType, id }) => resourceType === 'Patient' && id === patientId);
  return { ...contactData(patient?.json ?? '{}'), emails: [email], phones: [phoneNumber] };
}

const accountIssues = {
  email_taken: { path: 'email', message: 'an e-mail address that no other member uses to sign in' },
  password_refused: { path: 'password', message: "a password that the user pool's policy accepts" },
} as const;

function loadRefusal({ refusal }: AccountRefusal): RefusedLoad {
  return { kind: 'refusal', issues: [accountIssues[refusal]] };
}

const linkIssues = {
  memberId: { path: 'memberId', message: 'the member this patient already belongs to in this LOB' },
  patientId: { path: 'patientId', message: 'the patient this member already is in this LOB' },
  withdrawn: {
    path: 'memberId',
    message: 'a member whom no drop has withdrawn; a Patient row of a later drop brings the member back',
  },
} as const;

type Comparison = { readonly kind: 'compared'; readonly changes: readonly ResourceChange[] } | RefusedLoad;

/** Compares a load with the stored resources. */
async function compared({ store, searchValues }: Ingest, load: MemberLoad): Promise<Comparison> {
  const { lob, patientId, resources, removed = [] } = load;
  const outside = outsideReferences(load);
  const stored = await store.stored(lob, patientId, [...resources, ...removed, ...outside]);
  const changes: ResourceChange[] = [];
  const issues: IngestIssue[] = [];
  resources.forEach((resource, index) => {
    const result = comparedResource(resource, stored[index], searchValues);
    if (result.kind === 'refusal') {
      issues.push({ path: `resources.${index}.${result.member}`, message: result.message });
    } else if (result.change !== undefined) {
      if (!store.holds(lob, patientId, resource, result.change.values)) {
        issues.push({ path: `resources.${index}`, message: expectedSize });
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
  return issues.length > 0 ? { kind: 'refusal', issues } : { kind: 'compared', changes };
}

/** A resource must fit into an item, its search values into another, and the resource into a response. */
const expectedSize =
  'at most 400 KB as stored: its renditions gzipped together, and its search values gzipped; at most 6 MB as text in a response';

/** Compares a resource with the stored version. One version ID stands for one content, and an older version never replaces a newer one. */
function comparedResource(
  resource: LoadedResource,
  present: StoredVersion | undefined,
  searchValues: Ingest['searchValues'],
):
  | { readonly kind: 'compared'; readonly change?: Extract<ResourceChange, { readonly values: string }> }
  | { readonly kind: 'refusal'; readonly member: 'versionId' | 'lastUpdated'; readonly message: string } {
  const values = searchValues(resource.json);
  if (present === undefined) return { kind: 'compared', change: { kind: 'put', resource, values } };
  if (present.versionId !== resource.versionId) {
    if (Date.parse(resource.lastUpdated) >= Date.parse(present.lastUpdated)) {
      return { kind: 'compared', change: { kind: 'put', resource, values, replaces: present } };
    }
    return { kind: 'refusal', member: 'lastUpdated', message: 'not older than the stored version' };
  }
  if (present.json !== resource.json || present.fhirJson !== resource.fhirJson) {
    return {
      kind: 'refusal',
      member: 'versionId',
      message: 'a new version for new content; this version is stored with other content',
    };
  }
  return present.isFoundBy(values)
    ? { kind: 'compared' }
    : { kind: 'compared', change: { kind: 'values', resource, values } };
}

function refused(issues: readonly IngestIssue[]): IngestAnswer {
  return { kind: 'refusal', code: 'invalid_request', issues };
}
