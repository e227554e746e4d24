/** Names, places and words for synthetic members. */

import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';

/** Given names, by gender. */
export const givenNames = {
  female: ['Adaeze', 'Bernice', 'Carmen', 'Delia', 'Esther', 'Fatima', 'Gloria', 'Hana', 'Imani', 'Josefina'],
  male: ['Amadou', 'Bertram', 'Cyrus', 'Desmond', 'Elias', 'Felix', 'Gideon', 'Hector', 'Isaiah', 'Jerome'],
} as const;

/** Family names invented for this project, which make it visible that the person is fictitious. */
export const familyNames = [
  'Sampleton',
  'Testwood',
  'Mockridge',
  'Fixturely',
  'Exemplar',
  'Placeholm',
  'Specimenn',
  'Trialborough',
  'Demowitz',
  'Prototypo',
  'Standin',
  'Synthfield',
] as const;

export interface Place {
  readonly city: string;
  /** County, FHIR's `district`. */
  readonly county: string;
  readonly state: string;
  readonly postalCode: string;
}

const district: readonly Place[] = [
  { city: 'Washington', county: 'District of Columbia', state: 'DC', postalCode: '20001' },
  { city: 'Washington', county: 'District of Columbia', state: 'DC', postalCode: '20009' },
  { city: 'Washington', county: 'District of Columbia', state: 'DC', postalCode: '20011' },
  { city: 'Washington', county: 'District of Columbia', state: 'DC', postalCode: '20019' },
  { city: 'Washington', county: 'District of Columbia', state: 'DC', postalCode: '20032' },
];

const state: readonly Place[] = [
  { city: 'Baltimore', county: 'Baltimore City', state: 'MD', postalCode: '21201' },
  { city: 'Silver Spring', county: 'Montgomery', state: 'MD', postalCode: '20910' },
  { city: 'Rockville', county: 'Montgomery', state: 'MD', postalCode: '20850' },
  { city: 'Frederick', county: 'Frederick', state: 'MD', postalCode: '21701' },
  { city: 'Annapolis', county: 'Anne Arundel', state: 'MD', postalCode: '21401' },
  { city: 'Hagerstown', county: 'Washington', state: 'MD', postalCode: '21740' },
];

/** Places where a LOB's members live: in one jurisdiction for Medicaid plans and the exchange, in both for Medicare plans. */
export const places: Readonly<Record<LineOfBusiness, readonly Place[]>> = {
  CHPDC: district,
  CHPMD: state,
  DSNP: district,
  MAPD: [...district, ...state],
  MHBE: state,
  EGWP: [...state, ...district],
};

/** First and last birth year that fit a LOB and its treatments: Medicare from 65 on, others adults below 65. */
export const birthYears: Readonly<Record<LineOfBusiness, readonly [number, number]>> = {
  CHPDC: [1962, 1975],
  CHPMD: [1962, 1975],
  DSNP: [1938, 1952],
  MAPD: [1938, 1952],
  MHBE: [1962, 1975],
  EGWP: [1938, 1952],
};

/** Area codes, by state. 555-0100 to 555-0199 of each are reserved for fictitious numbers. */
export const areaCodes: Readonly<Record<string, string>> = { DC: '202', MD: '410' };

/** Words of which test members' passwords are made. */
export const passwordWords = [
  'harbor',
  'lantern',
  'meadow',
  'pebble',
  'orchard',
  'thistle',
  'window',
  'velvet',
  'copper',
  'garden',
  'button',
  'ribbon',
  'saddle',
  'pocket',
  'candle',
  'willow',
] as const;
