/** Parses the options that identify a member: `--lob` with `--member` or `--patient`. */

import {
  type MemberReference,
  operatorGrantsRequest,
} from '../lambdas/authorization/connected-apps/operator-grants-contract.ts';
import type { LineOfBusiness } from '../lambdas/catalog/lines-of-business.ts';
import { UsageError } from './command-line/command-line.ts';
import { lineOfBusinessOf } from './command-line/operation.ts';
import type { OptionValues } from './command-line/options.ts';

/**
 * The member of `--lob` with `--member` or `--patient`.
 *
 * @throws UsageError
 */
export function memberReference(values: OptionValues): {
  readonly lob: LineOfBusiness;
  readonly member: MemberReference;
} {
  const lob = lineOfBusinessOf(values, 'the member');
  const { member: memberId, patient: patientId } = values;
  if ((memberId === undefined) === (patientId === undefined)) {
    throw new UsageError(
      'the member is missing; give either --member (the member identifier) or --patient (the ID of the Patient)',
    );
  }
  const member =
    memberId === undefined ? { patientId: patientId ?? '' } : { memberId: memberId.toUpperCase() };
  // Validates with the function's own schema, to report errors by option.
  const known = operatorGrantsRequest.safeParse({ action: 'list', lob, member });
  if (!known.success) {
    throw new UsageError(
      memberId === undefined
        ? '--patient must be the ID of a Patient'
        : '--member must be a member identifier',
    );
  }
  return { lob, member };
}
