/** Checks of `$member-match`, and of a matched member's data. */

import { randomUUID } from 'node:crypto';
import { cohortCase } from '../../lambdas/catalog/payer/payer-cohort.ts';
import { cohortMatchBody } from '../../lambdas/catalog/payer/payer-cohort-requests.ts';
import type { PayerCheck } from './check.ts';
import { expectOutcome, expectStatus, expectThat, jsonBody } from './expectations.ts';
import { nobodysCase, type Partner } from './partner.ts';

const hrex = 'HRex 1.0.0, $member-match';
const consent = 'HRex 1.0.0, HRex Consent';
const data = 'PDex 2.2.0, Payer-to-Payer Exchange (single member)';

/** Makes a check that a case of the cohort is refused. */
const refused = (name: string, section: string, id: Parameters<typeof cohortCase>[0]): PayerCheck => ({
  name,
  section,
  run: async (partner) => expectOutcome(await partner.refusedMatch(cohortCase(id)), 422),
});

/** The types and labels of the entries of a Bundle with the conditions of the sandbox's labeled member. */
async function conditionsOf(partner: Partner, id: 'regular' | 'sensitive') {
  const patientId = await partner.matchedPatient(cohortCase(id));
  const response = await partner.get(`Condition?patient=${patientId}`);
  expectStatus(response, 200);
  const { resourceType, entry = [] } = jsonBody(response);
  expectThat(resourceType === 'Bundle' && Array.isArray(entry), 'a Bundle', response.body.slice(0, 200));
  return entry as readonly unknown[];
}

export const matchChecks: readonly PayerCheck[] = [
  {
    name: 'your organization is verified, and a group names it',
    section: 'PDex 2.2.0, Member-Match Group',
    async run(partner) {
      const { system, value } = await partner.organization();
      expectThat(system !== '' && value !== '', 'an identifier', `${system}|${value}`);
    },
  },
  {
    name: 'a member who matches: MemberIdentifier of type MB',
    section: hrex,
    async run(partner) {
      const response = await partner.match(cohortCase('match'));
      expectStatus(response, 200);
      const { resourceType, parameter } = jsonBody(response);
      expectThat(resourceType === 'Parameters', 'Parameters', String(resourceType));
      const identifiers = (
        parameter as readonly { readonly name: string; readonly valueIdentifier?: object }[]
      ).filter(({ name }) => name === 'MemberIdentifier');
      expectThat(identifiers.length === 1, 'one MemberIdentifier', `${identifiers.length}`);
      const text = JSON.stringify(identifiers[0]?.valueIdentifier ?? {});
      expectThat(
        text.includes('"MB"') && text.includes('90000001'),
        'the member’s identifier of type MB',
        text,
      );
    },
  },
  refused('another birth date does not match', hrex, 'different'),
  refused('two records that the rules cannot tell apart do not match', hrex, 'twice'),
  refused('a consent that has expired is not honored', consent, 'expired'),
  refused('a consent for another recipient is not honored', consent, 'other-recipient'),
  refused('a consent of another member is not honored', consent, 'other-patient'),
  {
    name: 'a member who is unknown gets the answer of one who differs',
    section: hrex,
    async run(partner) {
      const unknown = await partner.match(nobodysCase());
      const different = await partner.refusedMatch(cohortCase('different'));
      expectOutcome(unknown, 422);
      expectThat(unknown.body === different.body, different.body, unknown.body);
    },
  },
  {
    name: 'a match without a Consent is invalid',
    section: hrex,
    async run(partner) {
      const parameters = await partner.parametersOf(cohortCase('match'));
      const without = parameters.filter(({ name }) => name !== 'Consent');
      expectOutcome(await partner.post('Patient/$member-match', cohortMatchBody(without)), 400);
    },
  },
  {
    name: 'a body that is not Parameters is invalid',
    section: hrex,
    run: async (partner) =>
      expectOutcome(await partner.post('Patient/$member-match', { resourceType: 'Patient' }), 400),
  },
  {
    name: 'a matched member’s Patient can be read',
    section: data,
    async run(partner) {
      const id = await partner.matchedPatient(cohortCase('match'));
      const response = await partner.get(`Patient/${id}`);
      expectStatus(response, 200);
      const { resourceType, id: found } = jsonBody(response);
      expectThat(resourceType === 'Patient' && found === id, `Patient/${id}`, `${resourceType}/${found}`);
    },
  },
  {
    name: 'a member who is not matched cannot be read',
    section: data,
    run: async (partner) => expectOutcome(await partner.get(`Patient/${randomUUID()}`), 404),
  },
  {
    name: 'claims come without amounts',
    section: 'CARIN Blue Button 2.2.0, Non-financial profiles',
    async run(partner) {
      const id = await partner.matchedPatient(cohortCase('match'));
      const response = await partner.get(`ExplanationOfBenefit?patient=${id}&use=claim`);
      expectStatus(response, 200);
      const { entry } = jsonBody(response);
      expectThat(Array.isArray(entry) && entry.length > 0, 'claims', response.body.slice(0, 200));
      expectThat(
        !/"(amount|payment|total)":[[{]/.test(response.body),
        'no amount, payment or total',
        'one of them',
      );
    },
  },
  {
    name: 'a consent for regular data withholds labeled conditions',
    section: consent,
    async run(partner) {
      const found = await conditionsOf(partner, 'regular');
      expectThat(found.length === 0, 'no condition', `${found.length}`);
    },
  },
  {
    name: 'a consent for sensitive data releases them',
    section: consent,
    async run(partner) {
      const found = await conditionsOf(partner, 'sensitive');
      expectThat(found.length > 0, 'a condition', 'none');
    },
  },
];
