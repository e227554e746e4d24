/** Compares what a member typed to activate an account with the plan's data: birth date and postal code. */

import type { ContactData } from '../../platform/kernel/contact-data.ts';

/** Whether the typed details match the plan's data: the parts of the birth date that the plan knows, and any of the postal codes. */
export function matchesMember(
  typed: { readonly birthDate: string; readonly postalCode: string },
  { birthDate = '', postalCodes }: Pick<ContactData, 'birthDate' | 'postalCodes'>,
): boolean {
  const postal = plainPostalCode(typed.postalCode);
  const hasPostalCode = postal !== '' && postalCodes.some((code) => plainPostalCode(code) === postal);
  return hasPostalCode && matchesBirthDate(typed.birthDate, birthDate);
}

/**
 * Whether a typed birth date matches a stored one. In the stored date, month or day may be 00 or missing if the plan does not know them;
 * the year is always known.
 */
export function matchesBirthDate(typed: string, stored: string): boolean {
  const [year = '', month = '00', day = '00'] = stored.split('-');
  const [typedYear, typedMonth, typedDay] = typed.split('-');
  if (!/^\d{4}$/.test(year) || year === '0000' || year !== typedYear) return false;
  return (month === '00' || month === typedMonth) && (day === '00' || day === typedDay);
}

/** The plain form of a postal code for comparison: uppercase letters and digits; a ZIP+4 code is cut to its first five digits. */
function plainPostalCode(text: string): string {
  const plain = text.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return /^\d{9}$/.test(plain) ? plain.slice(0, 5) : plain;
}
