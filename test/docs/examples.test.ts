import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DirectoryType, directoryTypes } from '../../lambdas/catalog/fhir/directory-types.ts';
import { type PatientAccessType, patientAccessTypes } from '../../lambdas/catalog/fhir/fhir-resources.ts';
import { lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import { directoryOf } from '../../ops/generator/directory/directory.ts';
import { type SyntheticMember, syntheticMembers } from '../../ops/generator/members.ts';
import { payerCohort } from '../../ops/generator/payer-cohort.ts';
import { exampleResources } from '../../portal-static/build/documents/claims-examples.ts';
import type { ClinicalType } from '../../portal-static/build/documents/clinical-examples.ts';
import { exampleLob, examplePatient } from '../../portal-static/build/documents/member-examples.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import { howToUpdate } from './documents.ts';
import { directoryValues, recordValues } from './search-values.ts';

const members = syntheticMembers('sandbox', '2026-03-01');
const [member] = members.filter(({ lob }) => lob === exampleLob) as [SyntheticMember];
/** A member who is covered by another person's policy; the line of business of the examples has none. */
const related = members.find(({ resources }) =>
  resources.some(({ resourceType, json }) => resourceType === 'RelatedPerson' && json.includes('"SPS"')),
);

interface Claim {
  readonly insurance: readonly { readonly coverage: { readonly reference: string } }[];
  readonly provider: { readonly reference: string };
  readonly careTeam: readonly { readonly provider: { readonly reference: string } }[];
}

/** A resource with its member's IDs replaced by those of the documents' example member. */
function ofTheExample(name: string, { patientId, memberId, resources }: SyntheticMember) {
  const found = resources.find(({ resourceType, id }) => name === `${resourceType}/${id}`);
  const text = (found?.json ?? '')
    .replaceAll(patientId, examplePatient.id)
    .replaceAll(memberId, examplePatient.identifier[0]?.value ?? '');
  return JSON.parse(text) as object;
}

/** The shortest claim with a doctor, and the resources that it refers to. */
function examples(): Readonly<Record<Exclude<PatientAccessType, 'Patient' | ClinicalType>, object>> {
  const [shortest] = member.resources
    .filter(
      ({ resourceType, json }) =>
        resourceType === 'ExplanationOfBenefit' &&
        json.includes('"use":"claim"') &&
        json.includes('Practitioner/'),
    )
    .sort((one, another) => one.json.length - another.json.length);
  const claim = JSON.parse(shortest?.json ?? '') as Claim;
  const [person] = (related?.resources ?? []).filter(({ resourceType }) => resourceType === 'RelatedPerson');
  return {
    Coverage: ofTheExample(claim.insurance[0]?.coverage.reference ?? '', member),
    ExplanationOfBenefit: ofTheExample(`ExplanationOfBenefit/${shortest?.id}`, member),
    Organization: ofTheExample(claim.provider.reference, member),
    Practitioner: ofTheExample(
      claim.careTeam.find(({ provider }) => provider.reference.startsWith('Practitioner/'))?.provider
        .reference ?? '',
      member,
    ),
    RelatedPerson: ofTheExample(`RelatedPerson/${person?.id}`, related ?? member),
  };
}

const files = {
  Coverage: 'coverage',
  ExplanationOfBenefit: 'explanation-of-benefit',
  Organization: 'organization',
  Practitioner: 'practitioner',
  RelatedPerson: 'related-person',
} as const;

/** The shortest resource of each clinical type. */
function clinicalExamples(): object {
  const types = patientAccessTypes.filter((type) => type !== 'Patient' && !Object.hasOwn(files, type));
  return Object.fromEntries(
    types.map((type) => {
      const [shortest] = member.resources
        .filter(({ resourceType }) => resourceType === type)
        .sort((one, another) => one.json.length - another.json.length);
      const example = ofTheExample(`${type}/${shortest?.id}`, member) as {
        readonly target?: readonly object[];
      };
      // A Provenance targets every resource from one organization; three targets are enough for an example.
      return [type, { ...example, ...(example.target && { target: example.target.slice(0, 3) }) }];
    }),
  );
}

/** Active resources of the sandbox's directory, for the line of business of the examples: a small one begins with the same ones. */
function directoryResources(type: DirectoryType) {
  const seed = lineOfBusinessCodes.indexOf(exampleLob) + 1;
  return [...directoryOf(type, { seed, roles: 100 })].filter(({ active = true }) => active === true);
}

/** Two months, by which what changes each month is told from what stays. */
const months = ['2026-03-01', '2026-10-01'] as const;

function searchValues() {
  const ofMonths = <T>(of: (month: string) => readonly T[], isIt: (it: T) => boolean) => {
    const [first, second] = months.map((month) => of(month).find(isIt));
    if (first === undefined || second === undefined) throw new Error('the member is not there in each month');
    return [first, second] as const;
  };
  const isExample = ({ lob }: { readonly lob: string }) => lob === exampleLob;
  return {
    'patient-access': recordValues(ofMonths((month) => syntheticMembers('sandbox', month), isExample)),
    'payer-access': recordValues(ofMonths(payerCohort, isExample)),
    'provider-directory': directoryValues(directoryResources),
  };
}

describe('the examples of the documents', () => {
  const made = examples();
  const folder = join(repositoryRoot, 'portal-static', 'build', 'documents', 'examples');

  it.each(
    Object.keys(files) as (keyof typeof files)[],
  )('have the %s that the sandbox’s members have', async (type) => {
    const text = `${JSON.stringify(made[type], null, 2)}\n`;
    await expect(text, howToUpdate).toMatchFileSnapshot(join(folder, `${files[type]}.json`));
  });

  it('have clinical data of each type, that the sandbox’s members have', async () => {
    const text = `${JSON.stringify(clinicalExamples(), null, 2)}\n`;
    await expect(text, howToUpdate).toMatchFileSnapshot(join(folder, 'clinical.json'));
  });

  it('have a resource of each type that the sandbox’s directory has', async () => {
    const first = directoryTypes.map((type) => [type, directoryResources(type)[0]]);
    const text = `${JSON.stringify(Object.fromEntries(first), null, 2)}\n`;
    await expect(text, howToUpdate).toMatchFileSnapshot(join(folder, 'directory.json'));
  });

  it('have values of search parameters that the sandbox’s members and directory have', async () => {
    const text = `${JSON.stringify(searchValues(), null, 2)}\n`;
    await expect(text, howToUpdate).toMatchFileSnapshot(join(folder, 'search-values.json'));
  });

  it('name each other and the example’s member', () => {
    const { Coverage, ExplanationOfBenefit, Practitioner } = exampleResources;
    const claim = JSON.stringify(ExplanationOfBenefit);
    for (const { resourceType, id } of [Coverage, Practitioner, examplePatient]) {
      expect(claim).toContain(`"${resourceType}/${id}"`);
    }
    for (const { id } of members.map(({ patientId }) => ({ id: patientId }))) expect(claim).not.toContain(id);
  });
});
