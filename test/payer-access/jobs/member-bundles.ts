/** Requests with which another payer matches members: MemberBundles, and the body of a bulk request. */

import type { SyntheticMember } from '../../../ops/generator/members.ts';
import { consent, coverage, patient } from '../match-samples.ts';

const currentYear = new Date().getUTCFullYear();
export const validConsent = {
  ...consent,
  provision: {
    ...consent.provision,
    period: { start: `${currentYear - 1}-01-01`, end: `${currentYear + 1}-12-31` },
  },
};

/** A MemberBundle for the member with this subscriber ID. */
export function memberBundle(subscriberId: string, changes: { consent?: object; patient?: object } = {}) {
  const parts = {
    MemberPatient: { ...patient, identifier: undefined, ...changes.patient },
    CoverageToMatch: { ...coverage, identifier: undefined, subscriberId },
    Consent: changes.consent ?? validConsent,
  };
  return {
    name: 'MemberBundle',
    part: Object.entries(parts).map(([name, resource]) => ({ name, resource })),
  };
}

/** The body of a bulk request with these MemberBundles. */
export const bulkOf = (...bundles: readonly object[]) =>
  JSON.stringify({ resourceType: 'Parameters', parameter: bundles });

/** The MemberBundle that matches a member. */
export const matchingBundle = (member: SyntheticMember) =>
  memberBundle(member.memberId, { patient: personOf(member) });

/** Elements of a member's Patient that a match compares. */
export function personOf({ resources }: SyntheticMember) {
  const { json = '{}' } = resources.find(({ resourceType }) => resourceType === 'Patient') ?? {};
  const { name, gender, birthDate } = JSON.parse(json);
  return { name, gender, birthDate };
}
