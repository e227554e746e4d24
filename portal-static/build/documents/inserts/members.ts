/** Generated parts of the public documentation: the sandbox's members. */

import { isPatientAccessType } from '../../../../lambdas/catalog/fhir/fhir-resources.ts';
import { lineOfBusinessCodes, linesOfBusiness } from '../../../../lambdas/catalog/lines-of-business.ts';
import type { PublishedService } from '../../../../lambdas/catalog/published-service.ts';
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
  'several-coverages': `two plans, one after the other (several coverages): [search Coverage](${page('Coverage')}#search-coverage)`,
  'partial-birth-date': 'a birth date without its day or month: [Patient resource](/docs/patient)',
  died: `a member who has died: [read the Patient](${page('Patient')}#read-a-patient)`,
  'spouse-policy': `a policy of a spouse, who is a RelatedPerson: [${code('_include=Coverage:subscriber')}](${page('Coverage')}#search-coverage)`,
  'prior-authorizations': 'prior authorizations: [their fields](/docs/prior-authorizations)',
  'replaced-claims': `a canceled claim and its correction: [${code('related-claim')}](${claims})`,
  representative:
    'a person who may share the data of another member, and chooses whose: [sign in as a personal representative](#personal-representative)',
  represented:
    'a member whose data a personal representative shares: [sign in as the representative](#personal-representative)',
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

/** The row of members who can sign in at another identity provider, if the sandbox has one. */
function elsewhere({ environments: { sandbox } }: PublishedService): readonly (readonly string[])[] {
  const lobs = Object.keys(sandbox.identityProviders);
  const says = 'Sign-in at another identity provider: [how](#another-identity-provider)';
  return lobs.length === 0 ? [] : [[says, `all of ${lobs.join(', ')}`]];
}

function otherProvider({ environments: { sandbox } }: PublishedService): string {
  const providers = Object.entries(sandbox.identityProviders);
  if (providers.length === 0)
    return 'No line of business of this sandbox has an identity provider of its own. Your application sees no difference: the same addresses, codes and tokens. A [sandbox on your machine](/docs/hosts) has one for MHBE.';
  return [
    'Members can sign in with an account that they have elsewhere. Your application sees no difference: the same addresses, codes and tokens. On the sign-in page choose the link, and sign in there with the member ID:',
    '',
    ...providers.map(([lob, label]) => `- ${lob}: **Continue with ${label}**`),
    '',
    'The way differs in two points. Such a sign-in opens no [SSO session](/docs/authorization#sso-sessions), so `prompt=none` is answered with `login_required`. [Sign-out](/docs/sign-out) leads through the other provider and back to your application.',
  ].join('\n');
}

export const memberInserts: Inserts = {
  'sandbox-representation': (service) => {
    const { members } = sandboxRecords(service);
    const linkTo = (feature: SandboxFeature) => {
      const found = members.find(({ features }) => features.includes(feature));
      if (found === undefined) throw new Error(`no member of the sandbox is a ${feature}`);
      return `[${found.name} (${found.memberId})](#${headingId(headingOf(found))})`;
    };
    return `Sign in as ${linkTo('representative')}. The page after the password asks whose data to share: choose ${linkTo('represented')}. The consent names both, and ${code('patient')} in the token response is the child’s. ${code('sub')} in the ID token is the parent’s, because it is who signed in. The child can also sign in with an account of their own.`;
  },
  'sandbox-identity-provider': otherProvider,
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
    return markdownTable(['To test', 'Members'], [...rows, ...elsewhere(service)]);
  },
};
