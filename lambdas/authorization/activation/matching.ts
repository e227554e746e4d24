/** Compares what a member typed to activate an account with the plan's data: birth date and postal code. */

import type { ContactData } from '../../platform/kernel/contact-data.ts';

/** Whether what a member typed is what the plan holds: all of the birth date that it knows, and one of the postal codes. */
export function matchesMember(
  typed: { readonly birthDate: string; readonly postalCode: string },
  { birthDate = '', postalCodes }: Pick<ContactData, 'birthDate' | 'postalCodes'>,
): boolean {
  const postal = plainPostalCode(typed.postalCode);
  const hasPostalCode = postal !== '' && postalCodes.some((code) => plainPostalCode(code) === postal);
  return hasPostalCode && matchesBirthDate(typed.birthDate, birthDate);
}

/** An unknown month or day is 00, or absent; the year is never. */
export function matchesBirthDate(typed: string, stored: string): boolean {
  const [year = '', month = '00', day = '00'] = stored.split('-');
  const [typedYear, typedMonth, typedDay] = typed.split('-');
  if (!/^\d{4}$/.test(year) || year === '0000' || year !== typedYear) return false;
  return (month === '00' || month === typedMonth) && (day === '00' || day === typedDay);
}

/** A ZIP code counts by its first five digits. */
function plainPostalCode(text: string): string {
  const plain = text.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return /^\d{9}$/.test(plain) ? plain.slice(0, 5) : plain;
}
