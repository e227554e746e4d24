/** Reads the configured identifiers of the plan as an organization. */

import {
  type OrganizationIdentifier,
  organizationIdentifierKinds,
} from '../../lambdas/catalog/payer/organization-identifiers.ts';
import type { PlanIdentifiers } from '../../lambdas/catalog/payer/published-payer.ts';
import type { Configuration } from './configuration.ts';

/** The order in which a LOB's identifiers are used: the NAIC company code first, because discovery is defined by it. */
const kinds = ['naic', 'npi', 'oid'] as const;

/** The configured identifiers of the plan as FHIR has them. */
export function planIdentifiersOf({ planIdentifiers }: Configuration): PlanIdentifiers {
  return Object.fromEntries(
    Object.entries(planIdentifiers).map(([lob, given]) => [
      lob,
      kinds.flatMap((kind): OrganizationIdentifier[] => {
        const value = given[kind];
        return value === undefined ? [] : [{ system: organizationIdentifierKinds[kind].system, value }];
      }),
    ]),
  );
}
