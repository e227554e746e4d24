/** Parses the Parameters of `Group/$bulk-member-match` (PDex 2.2.0, OperationDefinition/BulkMemberMatch). */

import { jobLimits } from '../../catalog/payer/job-kinds.ts';
import { printable, type SearchIssue } from '../../fhir/query/search-issue.ts';
import { parseFaultlessJson } from '../../platform/kernel/json-faults.ts';
import { jsonEntries, jsonMember } from '../../platform/kernel/json-members.ts';
import { keepableParts, notParameters } from './match-request.ts';

export type BulkMatchReading =
  /** The parts of each MemberBundle, as JSON. A fault in one MemberBundle is reported for that member, and doesn't refuse the others. */
  | { readonly kind: 'request'; readonly members: readonly unknown[] }
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] };

/** Parses the body of the request: one MemberBundle for each member. */
export function readBulkMatchRequest(text: string): BulkMatchReading {
  const body = parseFaultlessJson(text);
  if (jsonMember(body, 'resourceType') !== 'Parameters') return refuse(notParameters);
  const sent = jsonEntries(jsonMember(body, 'parameter'));
  const unknown = sent.map((each) => jsonMember(each, 'name')).find((name) => name !== 'MemberBundle');
  if (unknown !== undefined) {
    return refuse({
      code: 'not-supported',
      diagnostics: `The operation has no parameter ${printable(String(unknown))}.`,
    });
  }
  if (sent.length === 0) {
    return refuse({ code: 'required', diagnostics: 'The parameter MemberBundle is missing.' });
  }
  if (sent.length > jobLimits.members) {
    return refuse({
      code: 'too-costly',
      diagnostics: `The request has ${sent.length} members. Send ${jobLimits.members} at most.`,
    });
  }
  return { kind: 'request', members: sent.map((each) => keepableParts(jsonMember(each, 'part') ?? [])) };
}

function refuse(issue: SearchIssue): BulkMatchReading {
  return { kind: 'invalid', issues: [issue] };
}
