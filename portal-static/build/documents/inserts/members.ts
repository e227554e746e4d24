/** Generated parts of the public documentation: the sandbox's members. */

import { isPatientAccessType } from '../../../../lambdas/catalog/fhir/fhir-resources.ts';
import { lineOfBusinessCodes, linesOfBusiness } from '../../../../lambdas/catalog/lines-of-business.ts';
import { referencePagePath } from '../../../../lambdas/portal/catalog/reference-pages.ts';
import type { SandboxFeature, SandboxMember } from '../../../../ops/generator/sandbox-records.ts';
import { recordsPath, sandboxRecords } from '../../members/sandbox-members.ts';
import { headingId } from '../heading-id.ts';
import { capitalized, code, markdownTable, number } from '../markdown-table.ts';
import type { Inserts } from './insert.ts';

const page = (type: Parameters<typeof referencePagePath>[1]) => referencePagePath('patient-access', type);
const claims = `${page('ExplanationOfBenefit')}#search-explanationofbenefit`;

/** Tests that a trait of a record is for, with the call that shows it. */
const tests: Readonly<Record<SandboxFeature, string>> = {
  'several-coverages': `several coverages: [search Coverage](${page('Coverage')}#search-coverage)`,
  'partial-birth-date': 'a birth date without its day or month: [Patient resource](/docs/patient)',
  died: `a member who has died: [read the Patient](${page('Patient')}#read-a-patient)`,
  'spouse-policy': `a policy of a spouse, who is a RelatedPerson: [${code('_include=Coverage:subscriber')}](${page('Coverage')}#search-coverage)`,
  'prior-authorizations': 'prior authorizations: [their fields](/docs/prior-authorizations)',
  'replaced-claims': `a canceled claim and its correction: [${code('related-claim')}](${claims})`,
  'many-pages': `claims on more than one page: [${code('next')} links](/docs/search)`,
};

const headingOf = ({ name, memberId }: SandboxMember) => `${name}, ${memberId}`;

function memberSection(member: SandboxMember): string {
  const { memberId, patientId, about, features, counts, bytes } = member;
  const total = Object.values(counts).reduce((sum, each) => sum + each, 0);
  const types = Object.entries(counts).map(([type, count]) => {
    const words = isPatientAccessType(type) ? `[${type}](${page(type)})` : type;
    return `${number(count)} ${words}`;
  });
  return [
    `### ${headingOf(member)}`,
    `${capitalized(about)}.`,
    [
      `- **User name to sign in:** ${code(memberId)}. **Patient ID:** ${code(patientId)}.`,
      ...(features.length === 0
        ? []
        : [`- **For tests of:** ${features.map((each) => tests[each]).join('; ')}.`]),
      `- **${number(total)} resources:** ${types.join(', ')}.`,
      `- **Whole record:** [${memberId}.json.gz](${recordsPath}/${memberId}.json.gz), a FHIR Bundle, ${number(Math.ceil(bytes / 1000))} KB compressed.`,
    ].join('\n'),
  ].join('\n\n');
}

export const memberInserts: Inserts = {
  'sandbox-members': (service) => {
    const { members } = sandboxRecords(service);
    return lineOfBusinessCodes
      .map((lob) => {
        const own = members.filter((member) => member.lob === lob);
        return [`## ${lob}: ${linesOfBusiness[lob].name}`, ...own.map(memberSection)].join('\n\n');
      })
      .join('\n\n');
  },
  'sandbox-members-by-feature': (service) => {
    const { members } = sandboxRecords(service);
    const rows = (Object.keys(tests) as SandboxFeature[]).map((feature) => [
      capitalized(tests[feature]),
      members
        .filter(({ features }) => features.includes(feature))
        .map((member) => `[${member.memberId}](#${headingId(headingOf(member))})`)
        .join(', '),
    ]);
    return markdownTable(['To test', 'Members'], rows);
  },
};
