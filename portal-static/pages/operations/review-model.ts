/** The addresses of a submission with their state, and its differences in words. */

import type {
  ApplicationConfiguration,
  ConfigurationField,
} from '../../../lambdas/portal/api/applications.ts';
import type { OperatorApplicationView } from '../../../lambdas/portal/api/operator-views.ts';
import type { Difference, PreflightCheck } from '../../../lambdas/portal/api/views.ts';
import { differencesBetween } from '../applications/difference-model.ts';
import { applicationFields, labelOf } from '../applications/fields-model.ts';

type Result = PreflightCheck['result'];

/** An address of an application, and what the pre-flight found there. */
export interface AddressRow {
  readonly field: ConfigurationField;
  readonly label: string;
  readonly uri: string;
  /** Absent if the pre-flight opened no address. */
  readonly result?: Result;
  /** Whether only programs call the address, so that there is no page to open. */
  readonly forPrograms: boolean;
}

/** Every address of a configuration, in the order of the form. */
export function addressRows(
  configuration: ApplicationConfiguration,
  checks: readonly PreflightCheck[],
): readonly AddressRow[] {
  return applicationFields
    .filter(({ control }) => control === 'address' || control === 'addresses')
    .flatMap(({ name: field, label, control }) =>
      [configuration[field] ?? []].flat().map((uri) => {
        const result = checks.find(({ id }) => id === `address-${field}`)?.result;
        const forPrograms = control === 'addresses';
        return { field, label, uri: String(uri), forPrograms, ...(result === undefined ? {} : { result }) };
      }),
    );
}

/** Differences since an operator last decided. */
interface NewDifferences {
  /** Differences from the approved configuration, of an application that was approved before. */
  readonly approved?: readonly Difference[];
  /** Differences from the previous submission. */
  readonly submission?: readonly Difference[];
}

export function differencesOf(view: OperatorApplicationView): NewDifferences {
  const { change, production, resubmission } = view;
  const proposed = change?.configuration ?? production?.configuration;
  const approved =
    change?.difference ??
    (production?.approved === undefined || proposed === undefined
      ? undefined
      : differencesBetween(production.approved, proposed));
  return {
    ...(approved === undefined ? {} : { approved }),
    ...(resubmission === undefined ? {} : { submission: resubmission }),
  };
}

/** The labels of the fields that differ, or that none does. */
export function differenceWords(differences: readonly Difference[]): string {
  return differences.length === 0 ? 'none' : differences.map(({ field }) => labelOf(field)).join(', ');
}
