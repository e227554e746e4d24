import type { ApplicationConfiguration } from '../api/applications.ts';
import type { Difference } from '../api/views.ts';
import { configurationFields } from './configuration-fields.ts';

/**
 * JSON with the members of each object in the order of their names, and without what is undefined: the same values have the
 * same text, so that a hash of it binds them (the idea of RFC 8785, for strings, booleans, arrays and plain objects).
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

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
