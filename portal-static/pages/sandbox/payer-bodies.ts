/** Bodies of a payer's matches for the sandbox's members to test with. Loaded when one is chosen. */

import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import { cohortCase } from '../../../lambdas/catalog/payer/payer-cohort.ts';
import {
  cohortBulkBody,
  cohortMatchBody,
  cohortParameters,
} from '../../../lambdas/catalog/payer/payer-cohort-requests.ts';

/** An NPI, which stands for the identifier of the reader's organization. */
export const exampleNpi = '1234567893';

/** The body of an example, with a member who matches. */
export function payerBody(name: 'match' | 'bulk', lob: LineOfBusiness): string {
  const organization = { system: 'http://hl7.org/fhir/sid/us-npi', value: exampleNpi };
  const parameters = cohortParameters(cohortCase('match'), lob, organization);
  const body = name === 'match' ? cohortMatchBody(parameters) : cohortBulkBody([parameters]);
  return JSON.stringify(body, null, 2);
}
