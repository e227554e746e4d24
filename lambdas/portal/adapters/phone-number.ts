/** Classifies a developer's telephone number, to refuse premium and foreign ones. */

import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** The United States and their territories, by ISO 3166-1; `CA` is Canada in ISO 3166-1 and is not listed. */
const countries: readonly (string | undefined)[] = ['US', 'AS', 'GU', 'MP', 'PR', 'VI'];

/**
 * Classifies a number in E.164. The United States, Canada and much of the Caribbean share the country code +1; the area code determines the
 * country. Premium and other numbers that charge the caller are `refused`.
 */
export function developerPhoneKind(e164: string): 'personal' | 'toll_free' | 'refused' {
  const number = parsePhoneNumberFromString(e164);
  if (number === undefined || !number.isValid()) return 'refused';
  if (!countries.includes(number.country)) return 'refused';
  const type = number.getType();
  if (type === 'TOLL_FREE') return 'toll_free';
  return type === 'FIXED_LINE_OR_MOBILE' || type === 'MOBILE' || type === 'FIXED_LINE'
    ? 'personal'
    : 'refused';
}
