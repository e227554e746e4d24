/** Finds the faults of a match request before any member is looked up: missing elements, and lists that are too long. */

import { memberMatchLimits } from '../../catalog/payer/member-match-rules.ts';
import { printable, type SearchIssue } from '../../fhir/query/search-issue.ts';
import type { SubmittedMember } from './compared-person.ts';
import type { MatchRequest } from './match-request.ts';

/** The faults of MemberPatient and CoverageToMatch, and of lists that are too long; empty if the member can be compared. */
export function memberFaults(
  { memberPatient, coverageToMatch, consent }: MatchRequest,
  { identifiers, names, birthDate }: SubmittedMember,
): readonly SearchIssue[] {
  const { identifiers: mostIdentifiers, names: mostNames } = memberMatchLimits;
  const faults: SearchIssue[] = [];
  if (identifiers.length === 0) {
    faults.push({
      code: 'required',
      diagnostics:
        'There is no member identifier. Send CoverageToMatch.subscriberId, or an identifier of CoverageToMatch or MemberPatient.',
    });
  }
  if (identifiers.length > mostIdentifiers) {
    faults.push(tooMany('MemberPatient.identifier and CoverageToMatch.identifier', mostIdentifiers));
  }
  if (names.length === 0) {
    const diagnostics = 'MemberPatient.name has no family name with a given name. Send both in one name.';
    faults.push({ code: 'required', diagnostics });
  }
  if (names.length > mostNames) faults.push(tooMany('MemberPatient.name', mostNames));
  if (birthDate === undefined) {
    const diagnostics = 'MemberPatient.birthDate is missing, or is not a date. Send YYYY-MM-DD.';
    faults.push({ code: 'required', diagnostics });
  }
  const parts = { MemberPatient: memberPatient, CoverageToMatch: coverageToMatch, Consent: consent };
  for (const [name, part] of Object.entries(parts)) {
    const longest = longList(part, name);
    if (longest !== undefined) faults.push(tooMany(printable(longest), memberMatchLimits.entries));
  }
  return faults;
}

function tooMany(element: string, most: number): SearchIssue {
  return {
    code: 'too-costly',
    diagnostics: `${element} has more than ${most} entries. Send ${most} at most.`,
  };
}

/** Path of the first list that is too long, at any depth. */
function longList(value: unknown, path: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) && value.length > memberMatchLimits.entries) return path;
  for (const [name, member] of Object.entries(value)) {
    const found = longList(member, Array.isArray(value) ? path : `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
