/** Describes differences of two configurations in words, and merges concurrent edits. */

import { interfaceFamilies } from '../../../lambdas/catalog/interface-families.ts';
import type { ConfigurationField } from '../../../lambdas/portal/api/applications.ts';
import type { Difference } from '../../../lambdas/portal/api/views.ts';
import { applicationTypes } from '../../../lambdas/portal/catalog/application-states.ts';
import { applicationFields, labelOf } from './fields-model.ts';
import { configurationOf, type FormValues, formValues } from './form-values-model.ts';

type Words = Readonly<Record<string, { readonly name: string }>>;
const names: Partial<Record<ConfigurationField, Words>> = {
  applicationType: applicationTypes,
  products: interfaceFamilies,
};

/** Formats a value for reading: a line for each of its values. */
export function valueLines(field: string, value: unknown): readonly string[] {
  if (value === undefined || value === null || value === '') return [];
  if (typeof value === 'boolean') return [value ? 'Yes' : 'No'];
  if (field === 'jwks') return keyLines(value);
  const known = names[field as ConfigurationField];
  const one = (text: unknown) => known?.[String(text)]?.name ?? String(text);
  return Array.isArray(value) ? value.map(one) : [one(value)];
}

/** Whether a value is the URL of a page that people can open; redirect URIs are not. */
export function isPageAddress(field: string, value: string): boolean {
  const control = applicationFields.find(({ name }) => name === field)?.control;
  return control === 'address' && /^https?:\/\//.test(value);
}

/** Formats each key of a JWK Set by its ID and kind. A text that is not a JWK Set yet is returned as entered. */
function keyLines(value: unknown): readonly string[] {
  const keys = (value as { readonly keys?: unknown }).keys;
  if (!Array.isArray(keys)) return [String(value)];
  return keys.map(({ kid, kty, crv, alg }: Readonly<Record<string, unknown>>) =>
    [`${kid}:`, kty, crv, alg].filter((it) => it !== undefined).join(' '),
  );
}

export interface DifferenceInWords {
  readonly field: string;
  readonly label: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** `added`: the field was empty before; `removed`: the field is empty now. */
  readonly kind: 'added' | 'removed' | 'changed';
}

export function inWords({ field, before, after }: Difference): DifferenceInWords {
  const was = valueLines(field, before);
  const is = valueLines(field, after);
  const kind = was.length === 0 ? 'added' : is.length === 0 ? 'removed' : 'changed';
  return { field, label: labelOf(field), before: was, after: is, kind };
}

/** Sorts the members of objects, whose order may change when a configuration is stored. */
const ordered = (_name: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;
const same = (one: unknown, other: unknown) =>
  JSON.stringify(one, ordered) === JSON.stringify(other, ordered);

/** Compares two configurations field by field, in the order of the form. */
export function differencesBetween(
  before: Readonly<Partial<Record<ConfigurationField, unknown>>>,
  after: Readonly<Partial<Record<ConfigurationField, unknown>>>,
): readonly Difference[] {
  return applicationFields
    .filter(({ name }) => !same(before[name], after[name]))
    .map(({ name }) => ({ field: name, before: before[name], after: after[name] }));
}

export interface Reconciled {
  /** The form's values after the merge: the entered values, and for untouched fields the values that another person saved. */
  readonly values: FormValues;
  /** Fields that only the other person changed; their saved values were taken over. */
  readonly taken: readonly Difference[];
  /** Fields that both changed: `before` is the other person's value, `after` the value entered here, which is kept. */
  readonly contested: readonly Difference[];
}

/**
 * Merges values entered on an old version with the configuration that another person has saved since. No entered value is lost, and no
 * saved change is undone without being shown.
 *
 * @param base the configuration with which the form was opened.
 */
export function reconcile(
  base: Readonly<Record<string, unknown>>,
  typed: FormValues,
  current: Readonly<Record<string, unknown>>,
): Reconciled {
  const mine = configurationOf(typed);
  const elsewhere = differencesBetween(base, current);
  const here = new Set(differencesBetween(base, mine).map(({ field }) => field));
  const taken = elsewhere.filter(({ field }) => !here.has(field));
  const contested = elsewhere
    .filter(({ field, after }) => here.has(field) && !same(after, mine[field]))
    .map(({ field, after }) => ({ field, before: after, after: mine[field] }));
  const values = formValues(current);
  const changes = Object.fromEntries(taken.map(({ field }) => [field, values[field]]));
  return { values: { ...typed, ...changes }, taken, contested };
}
