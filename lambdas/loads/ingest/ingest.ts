/** Loads one member: account and resources (function `ingest`). Drops of files are loaded by `load-range`. */

import * as z from 'zod/mini';
import { issueMessage } from '../../catalog/fhir/issue-message.ts';
import { nameOf } from '../../catalog/fhir/resource-name.ts';
import type { ContactData } from '../../platform/kernel/contact-data.ts';
import { loadIssues } from './ingest-content-rules.ts';
import { type IngestAnswer, type IngestIssue, type MemberLoad, memberLoad } from './ingest-contract.ts';
import type {
  AccountRefusal,
  Ingest,
  LoadedResource,
  MemberAccount,
  PatientMember,
  ResourceChange,
  StoredVersion,
} from './ingest-ports.ts';
import { outsideReferences } from './ingest-references.ts';

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
} as const satisfies Readonly<Record<AccountRefusal['refusal'], IngestIssue>>;

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
