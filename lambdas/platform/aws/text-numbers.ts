/** Decides which telephone numbers text messages are sent to, and normalizes them to E.164. */

import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** Types of numbers that text messages reach. A number in the United States does not say whether it is a mobile phone or a landline. */
const reachable: readonly unknown[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE'];

/** Reads a telephone number that text messages may be sent to. @returns E.164; undefined for every other number. */
export type ReadTextNumber = (written: string) => string | undefined;

/**
 * Creates the reader of telephone numbers.
 *
 * @param countries ISO 3166-1 codes of the countries that an environment sends text messages to. A number without a country code is taken
 * as one of the first country. The code +1 is shared by the United States, their territories, Canada and much of the Caribbean; the area
 * code distinguishes these.
 */
export function createReadTextNumber(countries: readonly string[]): ReadTextNumber {
  const [home] = countries as readonly CountryCode[];
  return (written) => {
    const number = parsePhoneNumberFromString(written, home === undefined ? {} : { defaultCountry: home });
    if (number?.country === undefined || !number.isValid()) return undefined;
    if (!countries.includes(number.country) || number.ext !== undefined) return undefined;
    return reachable.includes(number.getType()) ? number.number : undefined;
  };
}
