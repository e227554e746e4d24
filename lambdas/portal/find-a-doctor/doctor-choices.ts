/** The choices on the page "Find a doctor": specialties in plain words, languages, distances. */

/** Specialties people look for, with their codes (NUCC Health Care Provider Taxonomy). */
export const specialtyChoices = {
  primary: {
    label: 'Primary care (family or internal medicine)',
    codes: ['207Q00000X', '207R00000X', '363LF0000X'],
  },
  children: { label: 'Children’s doctor (pediatrics)', codes: ['208000000X'] },
  women: { label: 'Women’s health and pregnancy', codes: ['207V00000X'] },
  mental: { label: 'Mental health (psychiatry, psychology)', codes: ['2084P0800X', '103TC0700X'] },
  dental: { label: 'Dentist', codes: ['1223G0001X'] },
  eyes: { label: 'Eyes (optometry, ophthalmology)', codes: ['152W00000X', '207W00000X'] },
  heart: { label: 'Heart (cardiology)', codes: ['207RC0000X'] },
  bones: { label: 'Bones and joints (orthopedics)', codes: ['207X00000X'] },
  therapy: { label: 'Physical therapy', codes: ['225100000X'] },
  skin: { label: 'Skin (dermatology)', codes: ['207N00000X'] },
  digestion: { label: 'Stomach and digestion (gastroenterology)', codes: ['207RG0100X'] },
  diabetes: { label: 'Diabetes and hormones (endocrinology)', codes: ['207RE0101X'] },
  nerves: { label: 'Brain and nerves (neurology)', codes: ['2084N0400X'] },
  cancer: { label: 'Cancer (oncology)', codes: ['207RX0202X'] },
  kidneys: { label: 'Kidneys (nephrology)', codes: ['207RN0300X'] },
  pharmacist: { label: 'Pharmacist', codes: ['183500000X'] },
} as const satisfies Readonly<
  Record<string, { readonly label: string; readonly codes: readonly [string, ...string[]] }>
>;

/** Code system of the specialties. */
export const specialtySystem = 'http://nucc.org/provider-taxonomy';

/** Languages that practitioners state, by BCP 47 tag. */
export const languageChoices = {
  en: 'English',
  es: 'Spanish',
  zh: 'Chinese',
  vi: 'Vietnamese',
  tl: 'Tagalog',
  ko: 'Korean',
  ru: 'Russian',
  ar: 'Arabic',
  fr: 'French',
} as const;

/** Distances from a ZIP code, in miles. */
export const distanceChoices = [5, 10, 25, 50] as const;
