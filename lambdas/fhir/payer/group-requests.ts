/** Read and search of groups of matched members: an application's own only. */

import * as z from 'zod/mini';
import { type LineOfBusiness, linesOfBusiness } from '../../catalog/lines-of-business.ts';
import type { BackendContext } from '../../catalog/oauth/authorizer-context.ts';
import {
  type GroupSearchParameter,
  groupSearchParameters,
} from '../../catalog/payer/group-search-parameters.ts';
import type { OrganizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import type { JobFiles } from '../jobs/job-ports.ts';
import { printable, type SearchIssue } from '../search/search-issue.ts';
import { matchGroup } from './match-groups.ts';
import { issuesInAnswer } from './match-request.ts';
import type { MatchAttempt, MatchStore } from './member-match-port.ts';
import { type AdmissionRefusal, admissionReasons, admitPayer } from './payer-admission.ts';
import {
  groupKey,
  groupMembersKey,
  type MatchedMember,
  type PayerGroup,
  type PayerGroups,
} from './payer-group-port.ts';

export interface GroupRequestDependencies {
  readonly store: Pick<MatchStore, 'organization' | 'recordRefusal' | 'recordDisclosure'>;
  readonly groups: PayerGroups;
  readonly files: JobFiles;
  readonly lob: LineOfBusiness;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface GroupRequest extends MatchAttempt {
  readonly context: BackendContext;
}

export type GroupAnswer =
  | { readonly kind: 'resource'; readonly body: string }
  /** The resource is longer than a function's response may be: it is read from storage. */
  | { readonly kind: 'redirect'; readonly key: string }
  | { readonly kind: 'refusal'; readonly refusal: AdmissionRefusal | 'not-found' }
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] };

/** Characters of a Group in a response: with its escapes it has to fit into the 6 MB of a function's response. */
const longestGroup = 3_000_000;

/**
 * Reads a group. Another application's is not found, as if it did not exist or had expired.
 *
 * @throws StoreUnavailable
 */
export async function readGroup(
  { store, groups, files, now }: GroupRequestDependencies,
  { context, ...attempt }: GroupRequest,
  groupId: string,
): Promise<GroupAnswer> {
  const admitted = await admitPayer({ store, now }, context, 'Group', 'Patient');
  if (typeof admitted === 'string') {
    await store.recordRefusal(attempt, admissionReasons[admitted]);
    return { kind: 'refusal', refusal: admitted };
  }
  const group = await groups.group(context.clientId, groupId);
  const text = group === undefined ? undefined : await files.readText(groupKey(groupId));
  if (text === undefined) {
    await store.recordRefusal(attempt, 'resource_unknown');
    return { kind: 'refusal', refusal: 'not-found' };
  }
  await store.recordDisclosure(attempt, `Group/${groupId}`);
  return text.length > longestGroup
    ? { kind: 'redirect', key: groupKey(groupId) }
    : { kind: 'resource', body: text };
}

export type ChosenMembers =
  | { readonly kind: 'members'; readonly members: readonly MatchedMember[] }
  /** No such group, or one whose members were not matched. */
  | { readonly kind: 'none' }
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] };

/**
 * Finds the matched members of an application's own group.
 *
 * @param patients IDs of the Patients that are chosen; all if there are none. One outside the group is refused, whether it exists or not.
 * @throws StoreUnavailable
 */
export async function chooseMembers(
  { groups, files }: Pick<GroupRequestDependencies, 'groups' | 'files'>,
  clientId: string,
  groupId: string,
  patients: readonly string[],
): Promise<ChosenMembers> {
  const group = await groups.group(clientId, groupId);
  const text = group?.code === 'match' ? await files.readText(groupMembersKey(groupId)) : undefined;
  if (text === undefined) return { kind: 'none' };
  const members = groupMembers.parse(JSON.parse(text));
  const known = new Set(members.map(({ patientId }) => patientId));
  const unknown = patients.filter((id) => !known.has(id)).slice(0, issuesInAnswer);
  const issues = unknown.map((id) => ({
    code: 'invalid' as const,
    diagnostics: `patient: Patient/${printable(id)} is not a member of the group.`,
  }));
  if (issues.length > 0) return { kind: 'invalid', issues };
  const named = new Set(patients);
  const chosen = named.size === 0 ? members : members.filter(({ patientId }) => named.has(patientId));
  return { kind: 'members', members: chosen };
}

const groupMembers = z.array(z.object({ patientId: z.string(), grantId: z.string() }));

type Pairs = readonly (readonly [name: string, value: string])[];

type Comparison = (
  group: PayerGroup,
  value: string,
  organization: readonly OrganizationIdentifier[],
) => boolean;

const isCode: Comparison = ({ code }, value) => value.split('|').at(-1) === code;
const isOrganization: Comparison = (_group, value, organization) =>
  organization.some((own) => value === own.value || value === `${own.system}|${own.value}`);

const comparisons: Readonly<Record<GroupSearchParameter, Comparison>> = {
  _id: ({ groupId }, value) => groupId === value,
  identifier: isOrganization,
  code: isCode,
  characteristic: isCode,
  'characteristic-value-reference': isOrganization,
};

/** Parameters that say how the result is sent, and compare nothing. */
const neutral = ['_format', '_summary'];

/** Searches the application's own groups. @throws StoreUnavailable */
export async function searchGroups(
  { store, groups, lob, now }: GroupRequestDependencies,
  { context, ...attempt }: GroupRequest,
  parameters: Pairs,
  base: string,
): Promise<GroupAnswer> {
  const organization = await admitPayer({ store, now }, context, 'Group', 'Patient');
  if (typeof organization === 'string') {
    await store.recordRefusal(attempt, admissionReasons[organization]);
    return { kind: 'refusal', refusal: organization };
  }
  const asked = parameters.filter(([name]) => !neutral.includes(name));
  const issues = asked
    .filter(([name]) => comparisonOf(name) === undefined)
    .map(([name]) => ({
      code: 'not-supported' as const,
      diagnostics: `A search of Group has no parameter ${printable(name)}.`,
    }));
  if (issues.length > 0) return { kind: 'invalid', issues };
  const found = (await groups.groups(context.clientId)).filter((group) =>
    asked.every(([name, value]) =>
      value.split(',').some((each) => comparisonOf(name)?.(group, each, organization)),
    ),
  );
  const entry = found.map((group) => ({
    fullUrl: `${base}/Group/${group.groupId}`,
    resource: groupSummary(group, organization, lob),
    search: { mode: 'match' },
  }));
  const query = new URLSearchParams(asked.map(([name, value]): [string, string] => [name, value])).toString();
  const self = { relation: 'self', url: `${base}/Group${query === '' ? '' : `?${query}`}` };
  const bundle = {
    resourceType: 'Bundle',
    type: 'searchset',
    total: entry.length,
    link: [self],
    ...(entry.length > 0 && { entry }),
  };
  return { kind: 'resource', body: JSON.stringify(bundle) };
}

function comparisonOf(name: string): Comparison | undefined {
  const row = groupSearchParameters.find((each) => each.name === name.replace(/:identifier$/, ''));
  return row && comparisons[row.name];
}

function groupSummary(
  { groupId, code, quantity, createdAt, expiresAt }: PayerGroup,
  organization: readonly OrganizationIdentifier[],
  lob: LineOfBusiness,
) {
  const head = {
    ...{ groupId, code, organization, createdAt },
    planName: linesOfBusiness[lob].name,
    expiresAt: new Date(expiresAt * 1000).toISOString(),
  };
  const group = matchGroup(head, []);
  const tag = [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue', code: 'SUBSETTED' }];
  return { ...group, meta: { ...group.meta, tag }, quantity };
}
