/** Reads the outcomes of a bulk match: Group files of PDex 2.2, or the Parameters of PDex 2.1. */

import { jsonEntries, jsonMember, jsonValue } from '../../platform/kernel/json-members.ts';

export type OutcomeKind = 'matched' | 'not-matched' | 'constrained';

/** The outcome of one submitted Patient. */
export interface SubmittedOutcome {
  readonly kind: OutcomeKind;
  /** ID of the submitted Patient. */
  readonly submitted: string;
  /** Group and Patient at the payer, of a matched member. */
  readonly groupId: string;
  readonly there?: string | undefined;
}

/** Outcomes by the code of a Group, and by the name of a parameter of 2.1. */
const kinds: Readonly<Record<string, OutcomeKind>> = {
  match: 'matched',
  nomatch: 'not-matched',
  consentconstraint: 'constrained',
  MatchedMembers: 'matched',
  NonMatchedMembers: 'not-matched',
  ConsentConstrainedMembers: 'constrained',
};

/** The outcomes in a file of a match: NDJSON of Group or of Parameters resources. Other resources say nothing. */
export function readSubmittedOutcomes(text: string): readonly SubmittedOutcome[] {
  return text.split('\n').flatMap((line) => {
    const resource = line.trim() === '' ? undefined : jsonValue(line);
    if (jsonMember(resource, 'resourceType') === 'Group') return outcomesOf(resource, kindOf(resource));
    if (jsonMember(resource, 'resourceType') !== 'Parameters') return [];
    return jsonEntries(jsonMember(resource, 'parameter')).flatMap((parameter) => {
      const group = jsonMember(parameter, 'resource');
      return outcomesOf(group, kindOf(group) ?? kinds[String(jsonMember(parameter, 'name'))]);
    });
  });
}

function kindOf(group: unknown): OutcomeKind | undefined {
  const codes = jsonEntries(jsonMember(jsonMember(group, 'code'), 'coding')).map((coding) =>
    String(jsonMember(coding, 'code')),
  );
  return codes.map((code) => kinds[code]).find((kind) => kind !== undefined);
}

function outcomesOf(group: unknown, kind: OutcomeKind | undefined): readonly SubmittedOutcome[] {
  const groupId = jsonMember(group, 'id');
  if (kind === undefined || typeof groupId !== 'string') return [];
  return jsonEntries(jsonMember(group, 'member')).flatMap((member) => {
    const submitted = submittedOf(member);
    if (submitted === undefined) return [];
    const there = patientOf(jsonMember(jsonMember(member, 'entity'), 'reference'));
    return [{ kind, submitted, groupId, ...(kind === 'matched' && { there }) }];
  });
}

/** ID of the contained copy of the submitted Patient, to which a member's extension refers. */
function submittedOf(member: unknown): string | undefined {
  const extensions = [
    ...jsonEntries(jsonMember(member, 'extension')),
    ...jsonEntries(jsonMember(jsonMember(member, 'entity'), 'extension')),
  ];
  for (const each of extensions) {
    if (!String(jsonMember(each, 'url')).endsWith('/base-ext-match-parameters')) continue;
    const reference = jsonMember(jsonMember(each, 'valueReference'), 'reference');
    if (typeof reference === 'string' && reference.startsWith('#')) return reference.slice(1);
  }
  return undefined;
}

function patientOf(reference: unknown): string | undefined {
  return /(?:^|\/)Patient\/([A-Za-z0-9.-]{1,64})$/.exec(String(reference))?.[1];
}
