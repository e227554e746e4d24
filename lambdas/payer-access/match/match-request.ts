/** Parses the Parameters of `Patient/$member-match` (HRex 1.0.0, OperationDefinition/member-match). */

import { memberMatchLimits } from '../../catalog/payer/member-match-rules.ts';
import { printable, type SearchIssue } from '../../fhir/query/search-issue.ts';
import { parseFaultlessJson } from '../../platform/kernel/json-faults.ts';
import { isDeeperThan } from '../../platform/kernel/json-levels.ts';
import { jsonEntries, jsonMember } from '../../platform/kernel/json-members.ts';

/** The resources of a match request, as JSON. Their content is checked later (`match-faults.ts`, `judge-consent.ts`). */
export interface MatchRequest {
  readonly memberPatient: unknown;
  readonly coverageToMatch: unknown;
  readonly consent: unknown;
}

export type MatchRequestReading =
  | { readonly kind: 'request'; readonly request: MatchRequest }
  | { readonly kind: 'invalid'; readonly issues: readonly SearchIssue[] };

/** Most issues in one response; a long body may have thousands of faults. */
export const issuesInAnswer = 20;

/** Issue of a body that is not a Parameters resource. */
export const notParameters: SearchIssue = {
  code: 'invalid',
  diagnostics: 'The body is not a Parameters resource.',
};

/** Stored in a job instead of a member's parts that are nested too deep. */
const tooDeepParts = 'too deep';

/**
 * The parts of a member, as a job stores them. Parts that are nested too deep are replaced, so that the job reports them as a fault of that
 * member.
 */
export function keepableParts(parts: unknown): unknown {
  return isDeeperThan(parts, memberMatchLimits.levels) ? tooDeepParts : parts;
}

/** Issue of a member whose resources are nested too deep for recursive functions. */
const tooDeep: SearchIssue = {
  code: 'too-costly',
  diagnostics: `The resources of the member are nested deeper than ${memberMatchLimits.levels} levels.`,
};

/** Parameters of the operation; each may be sent once. */
const parts = [
  { name: 'MemberPatient', type: 'Patient', required: true },
  { name: 'CoverageToMatch', type: 'Coverage', required: true },
  { name: 'CoverageToLink', type: 'Coverage', required: false },
  { name: 'Consent', type: 'Consent', required: true },
] as const;

/** Parses the body of a match request. Missing and unknown parameters are reported one by one, so that a developer finds them. */
export function readMatchRequest(text: string): MatchRequestReading {
  const body = parseFaultlessJson(text);
  return jsonMember(body, 'resourceType') === 'Parameters'
    ? readMatchParts(jsonMember(body, 'parameter'))
    : refuse([notParameters]);
}

/** Parses the parameters of one member: those of a match request, or the parts of a MemberBundle. */
export function readMatchParts(parameters: unknown): MatchRequestReading {
  const sent = jsonEntries(parameters);
  if (parameters === tooDeepParts || isDeeperThan(sent, memberMatchLimits.levels)) return refuse([tooDeep]);
  const issues = [
    ...parts.flatMap((part) => partIssues(part, sent)),
    ...unknownNames(sent),
    ...consentSize(named(sent, 'Consent')[0]),
  ];
  if (issues.length > 0) return refuse(issues);
  const resource = (name: string) => jsonMember(named(sent, name)[0], 'resource');
  return {
    kind: 'request',
    request: {
      memberPatient: resource('MemberPatient'),
      coverageToMatch: resource('CoverageToMatch'),
      consent: resource('Consent'),
    },
  };
}

function partIssues(
  { name, type, required }: (typeof parts)[number],
  sent: readonly unknown[],
): readonly SearchIssue[] {
  const [first, ...more] = named(sent, name);
  if (first === undefined) {
    return required ? [{ code: 'required', diagnostics: `The parameter ${name} is missing.` }] : [];
  }
  if (more.length > 0)
    return [{ code: 'invalid', diagnostics: `${name} was sent more than once. Send it once.` }];
  return jsonMember(jsonMember(first, 'resource'), 'resourceType') === type
    ? []
    : [{ code: 'invalid', diagnostics: `The resource of ${name} is not a ${type}.` }];
}

function consentSize(parameter: unknown): readonly SearchIssue[] {
  const { consentBytes } = memberMatchLimits;
  const text = JSON.stringify(jsonMember(parameter, 'resource')) ?? '';
  if (Buffer.byteLength(text) <= consentBytes) return [];
  const diagnostics = `The Consent has more than ${consentBytes} bytes. Send it without the attached form.`;
  return [{ code: 'too-costly', diagnostics }];
}

function unknownNames(sent: readonly unknown[]): readonly SearchIssue[] {
  return sent
    .map((parameter) => jsonMember(parameter, 'name'))
    .filter((name) => !parts.some((part) => part.name === name))
    .map((name) => ({
      code: 'not-supported',
      diagnostics: `The operation has no parameter ${printable(String(name))}.`,
    }));
}

function named(sent: readonly unknown[], name: string): readonly unknown[] {
  return sent.filter((parameter) => jsonMember(parameter, 'name') === name);
}

function refuse(issues: readonly SearchIssue[]): MatchRequestReading {
  return { kind: 'invalid', issues: issues.slice(0, issuesInAnswer) };
}
