/** Words and codes of a synthetic provider directory. Names are visibly invented. */

const guide = 'http://hl7.org/fhir/us/davinci-pdex-plan-net';
export const nucc = 'http://nucc.org/provider-taxonomy';
export const npi = 'http://hl7.org/fhir/sid/us-npi';

export const profileOf = (name: string) => `${guide}/StructureDefinition/plannet-${name}|1.1.0`;
export const extensionOf = (name: string) => `${guide}/StructureDefinition/${name}`;
export const codeSystem = (name: string) => `${guide}/CodeSystem/${name}`;

export interface Specialty {
  /** Code of NUCC's Health Care Provider Taxonomy. */
  readonly code: string;
  readonly display: string;
  /** Code of Plan-Net's ProviderRoleCS. */
  readonly role: 'ph' | 'de' | 'ph' | 'bh' | 'py' | 'pt' | 'op' | 'crnp' | 'rx';
  /** Approximate percentage of the roles with this specialty. */
  readonly share: number;
}

export const specialties: readonly [Specialty, ...Specialty[]] = [
  { code: '207Q00000X', display: 'Family Medicine Physician', role: 'ph', share: 14 },
  { code: '207R00000X', display: 'Internal Medicine Physician', role: 'ph', share: 13 },
  { code: '208000000X', display: 'Pediatrics Physician', role: 'ph', share: 8 },
  { code: '363LF0000X', display: 'Family Nurse Practitioner', role: 'crnp', share: 9 },
  { code: '207V00000X', display: 'Obstetrics & Gynecology Physician', role: 'ph', share: 6 },
  { code: '2084P0800X', display: 'Psychiatry Physician', role: 'py', share: 5 },
  { code: '103TC0700X', display: 'Clinical Psychologist', role: 'bh', share: 5 },
  { code: '1223G0001X', display: 'General Practice Dentistry', role: 'de', share: 5 },
  { code: '225100000X', display: 'Physical Therapist', role: 'pt', share: 5 },
  { code: '207RC0000X', display: 'Cardiovascular Disease Physician', role: 'ph', share: 4 },
  { code: '207X00000X', display: 'Orthopaedic Surgery Physician', role: 'ph', share: 4 },
  { code: '152W00000X', display: 'Optometrist', role: 'op', share: 4 },
  { code: '207N00000X', display: 'Dermatology Physician', role: 'ph', share: 3 },
  { code: '207RG0100X', display: 'Gastroenterology Physician', role: 'ph', share: 3 },
  { code: '207RE0101X', display: 'Endocrinology, Diabetes & Metabolism Physician', role: 'ph', share: 2 },
  { code: '207W00000X', display: 'Ophthalmology Physician', role: 'ph', share: 2 },
  { code: '2084N0400X', display: 'Neurology Physician', role: 'ph', share: 2 },
  { code: '207RX0202X', display: 'Medical Oncology Physician', role: 'ph', share: 2 },
  { code: '207RN0300X', display: 'Nephrology Physician', role: 'ph', share: 1 },
  { code: '183500000X', display: 'Pharmacist', role: 'rx', share: 3 },
];

/** The specialties, each repeated by its share. */
export const weightedSpecialties = specialties.flatMap((specialty) =>
  Array<Specialty>(specialty.share).fill(specialty),
) as [Specialty, ...Specialty[]];

export const practitionerGivenNames: readonly [string, ...string[]] = [
  'Adaeze',
  'Amélie',
  'Amadou',
  'Bernice',
  'Bertram',
  'Carmen',
  'Cyrus',
  'Delia',
  'Desmond',
  'Élodie',
  'Esther',
  'Fatima',
  'Felix',
  'Gloria',
  'Gideon',
  'Hana',
  'Hector',
  'Imani',
  'Isaiah',
  'Jérôme',
  'Josefina',
  'Kenji',
  'Lakshmi',
  'Mårten',
  'Nadia',
  'Núria',
  'Oluwaseun',
  'Priya',
  'Quentin',
  'Renée',
  'Søren',
  'Thảo',
  'Uma',
  'Viktor',
  'Wanjiru',
  'Xiulan',
  'Yusuf',
  'Zofia',
];

const beginnings = [
  'Sample',
  'Test',
  'Mock',
  'Fixture',
  'Exempl',
  'Place',
  'Specimen',
  'Trial',
  'Demo',
  'Proto',
  'Stand',
  'Synth',
  'Pseudo',
  'Fictio',
  'Imagin',
  'Dummy',
  'Model',
  'Draft',
  'Stub',
  'Ersatz',
  'Façade',
  'Simul',
  'Facsi',
  'Phantom',
];
const endings = [
  'ton',
  'wood',
  'ridge',
  'ly',
  'ar',
  'holm',
  'n',
  'borough',
  'witz',
  'typo',
  'in',
  'field',
  'berg',
  'sen',
  'ova',
  'ez',
  'moto',
  'nen',
  'ides',
  'ski',
  'quist',
  'mann',
  'ley',
  'worth',
  'ström',
  'ić',
  'dóttir',
  'aux',
  'ini',
  'well',
];
const additions = ['', '', '', '', 'Mac', 'O’', 'von ', 'De ', 'Al-', 'Saint-', 'Van ', 'Ben-'];

/** Some thousands of family names, the most common first. */
export const practitionerFamilyNames: readonly string[] = additions.flatMap((addition) =>
  beginnings.flatMap((beginning) => endings.map((ending) => `${addition}${beginning}${ending}`)),
);

export const spokenLanguages: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ['es', 'Spanish'],
  ['am', 'Amharic'],
  ['fr', 'French'],
  ['zh', 'Chinese'],
  ['vi', 'Vietnamese'],
  ['ko', 'Korean'],
  ['ar', 'Arabic'],
];

export interface DirectoryPlace {
  readonly city: string;
  readonly state: string;
  /** First three digits of the city's ZIP codes. */
  readonly zip: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly areaCode: string;
}

/** Cities with approximate positions. */
export const directoryPlaces: readonly [DirectoryPlace, ...DirectoryPlace[]] = [
  { city: 'Washington', state: 'DC', zip: '200', latitude: 38.9, longitude: -77.03, areaCode: '202' },
  { city: 'Baltimore', state: 'MD', zip: '212', latitude: 39.29, longitude: -76.61, areaCode: '410' },
  { city: 'Silver Spring', state: 'MD', zip: '209', latitude: 39, longitude: -77.02, areaCode: '301' },
  { city: 'Rockville', state: 'MD', zip: '208', latitude: 39.08, longitude: -77.15, areaCode: '301' },
  { city: 'Frederick', state: 'MD', zip: '217', latitude: 39.41, longitude: -77.41, areaCode: '301' },
  { city: 'Annapolis', state: 'MD', zip: '214', latitude: 38.97, longitude: -76.49, areaCode: '410' },
  { city: 'Hagerstown', state: 'MD', zip: '217', latitude: 39.64, longitude: -77.72, areaCode: '301' },
  { city: 'Salisbury', state: 'MD', zip: '218', latitude: 38.36, longitude: -75.6, areaCode: '410' },
  { city: 'Cumberland', state: 'MD', zip: '215', latitude: 39.65, longitude: -78.76, areaCode: '301' },
  { city: 'Arlington', state: 'VA', zip: '222', latitude: 38.88, longitude: -77.1, areaCode: '703' },
];

export const practiceWords: readonly [string, ...string[]] = [
  'Harbor',
  'Lantern',
  'Meadow',
  'Pebble',
  'Orchard',
  'Thistle',
  'Willow',
  'Copper',
  'Garden',
  'Ribbon',
  'Saddle',
  'Candle',
];
export const practiceKinds: readonly [string, ...string[]] = [
  'Family Practice',
  'Medical Group',
  'Clinic',
  'Health Partners',
  'Specialists',
  'Community Health Center',
];
export const streets: readonly [string, ...string[]] = [
  'Oak',
  'Maple',
  'Example',
  'Church',
  'Mill',
  'Park',
  'Canal',
  'Sample',
];
