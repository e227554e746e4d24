import { canonicalJson } from '../../platform/kernel/canonical-json.ts';
import type { ApplicationConfiguration } from '../api/applications.ts';
import type { Difference } from '../api/views.ts';
import { configurationFields } from './configuration-fields.ts';

/** Lists the fields that differ, in the order of the form. An absent value is `null`, because JSON has no `undefined`. */
export function differences(
  before: ApplicationConfiguration,
  after: ApplicationConfiguration,
): readonly Difference[] {
  return configurationFields.flatMap((field) =>
    canonicalJson(before[field]) === canonicalJson(after[field])
      ? []
      : [{ field, before: before[field] ?? null, after: after[field] ?? null }],
  );
}

export function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}
