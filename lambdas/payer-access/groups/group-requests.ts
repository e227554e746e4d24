/** Reads groups of matched members. An application reads only its own groups. */

import * as z from 'zod/mini';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { BackendContext } from '../../catalog/oauth/authorizer-context.ts';
import { printable, type SearchIssue } from '../../fhir/query/search-issue.ts';
import type { Sha256 } from '../../platform/kernel/digests.ts';
import type { JobFiles } from '../jobs/job-ports.ts';
import { issuesInAnswer } from '../match/match-request.ts';
import type { MatchStore, PayerCall } from '../permission/member-match-port.ts';
import { type AdmissionRefusal, admitPayer } from '../permission/payer-admission.ts';
import {
  groupKey,
  groupMembersKey,
  type MatchedMember,
  type PayerGroups,
} from '../permission/payer-group-port.ts';

export interface GroupRequestDependencies {
  readonly store: Pick<MatchStore, 'organization' | 'recordRefusal' | 'recordDisclosure'>;
  readonly groups: PayerGroups;
  readonly files: JobFiles;
  readonly lob: LineOfBusiness;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sha256: Sha256;
}

export interface GroupRequest extends PayerCall {
  readonly context: BackendContext;
}

export type GroupAnswer =
  | { readonly kind: 'resource'; readonly body: string }
  /** The resource is too long for a function's response; the client is redirected to a signed URL. */
  | { readonly kind: 'redirect'; readonly key: string }
  | { readonly kind: 'refusal'; readonly refusal: AdmissionRefusal | 'not-found' }
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] };

/** Most characters of a Group in a response. With escapes it has to fit into the 6 MB of a function's response. */
const longestGroup = 3_000_000;

/**
 * Reads a group. Another application's group gets the same response as one that doesn't exist or has expired.
 *
 * @throws StoreUnavailable
 */
export async function readGroup(
  { store, groups, files, now }: GroupRequestDependencies,
  { context, ...call }: GroupRequest,
  groupId: string,
): Promise<GroupAnswer> {
  const admission = await admitPayer({ store, now }, context, call, 'Group', 'Patient');
  if (admission.kind === 'refusal') return admission;
  const group = await groups.group(context.clientId, groupId);
  const text = group === undefined ? undefined : await files.readText(groupKey(groupId));
  if (text === undefined) {
    await store.recordRefusal(call, 'resource_unknown');
    return { kind: 'refusal', refusal: 'not-found' };
  }
  await store.recordDisclosure(call, `Group/${groupId}`);
  return text.length > longestGroup
    ? { kind: 'redirect', key: groupKey(groupId) }
    : { kind: 'resource', body: text };
}

export type ChosenMembers =
  | { readonly kind: 'members'; readonly members: readonly MatchedMember[] }
  /** The group doesn't exist, or contains members that were not matched. */
  | { readonly kind: 'none' }
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] };

/**
 * Selects matched members of one of the application's groups.
 *
 * @param patients IDs of the Patients to select; empty for all. An ID outside the group is refused, whether the Patient exists or not.
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
