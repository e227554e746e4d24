/** Rejects values that R4 allows but a health plan's record can't have. */

import { addFault, type FaultCollector } from './faults.ts';

/**
 * ISO 4217 codes of money in use. XXX (no currency), XTS (tests) and metals are not among them.
 * @see https://www.six-group.com/en/products-services/financial-information/data-standards.html
 */
const currencies: ReadonlySet<unknown> = new Set(Intl.supportedValuesOf('currency'));

/** Largest amount in a claim. A larger one is a placeholder (99999999.99), or cents taken for dollars. */
const largestAmount = 50_000_000;

/** Checks the currency and the size of an amount. */
export function checkMoney(
  check: FaultCollector,
  { value, currency }: Readonly<Record<string, unknown>>,
): void {
  if (typeof value === 'number' && Math.abs(value) > largestAmount) {
    addFault(
      check,
      'implausible_value',
      `an amount of at most ${largestAmount}, above or below zero`,
      'value',
    );
  }
  if (typeof currency === 'string' && !currencies.has(currency)) {
    addFault(check, 'unknown_code', 'a currency of ISO 4217, such as USD', 'currency');
  }
}

/** Longest life in years. */
const longestLife = 130;

/**
 * Checks that a person was born before the row was written, and at most 130 years earlier. Comparing with the row's own time gives the same
 * result whenever it is loaded.
 */
export function checkBirth(
  check: FaultCollector,
  { birthDate }: Readonly<Record<string, unknown>>,
  lastUpdated: unknown,
): void {
  if (typeof birthDate !== 'string' || typeof lastUpdated !== 'string') return;
  const written = new Date(Date.parse(lastUpdated));
  if (Number.isNaN(written.getTime())) return;
  const earliest = String(written.getUTCFullYear() - longestLife);
  // One day later: the row may have been written in a time zone that is ahead of UTC.
  const latest = new Date(written.getTime() + 86_400_000).toISOString().slice(0, birthDate.length);
  if (birthDate.slice(0, 4) < earliest || birthDate > latest) {
    const expected = `a birth date before the row's meta.lastUpdated, and at most ${longestLife} years before it`;
    addFault(check, 'implausible_value', expected, 'birthDate');
  }
}
