/** Decides which telephone numbers can get text messages, and normalizes them to E.164. */

import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** Kinds of numbers that a text message reaches; in the United States a number does not tell a mobile phone from a landline. */
const reachable: readonly unknown[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE'];

/** Reads a telephone number that text messages may be sent to. @returns E.164; undefined for every other number. */
export type ReadTextNumber = (written: string) => string | undefined;

/**
 * @param countries ISO 3166-1 codes of the countries an environment sends texts to. A number without a country code is one of the
 * first. The code +1 is shared by the United States, their territories, Canada and much of the Caribbean: the area code tells which.
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
