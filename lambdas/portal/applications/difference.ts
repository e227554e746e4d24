import { canonicalJson } from '../../platform/kernel/canonical-json.ts';
import type { ApplicationConfiguration } from '../api/applications.ts';
import type { Difference } from '../api/views.ts';
import { configurationFields } from './configuration-fields.ts';

/** The fields that differ, in the order of the form. A value that is absent is `null`, so that JSON can say it. */
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
