/** Table of the specialties that people look for, in plain words. */

/** Code system of specialties: NUCC Health Care Provider Taxonomy. */
export const specialtySystem = 'http://nucc.org/provider-taxonomy';

interface SpecialtyWords {
  readonly label: string;
  /** Other words for the same specialty, in lowercase. */
  readonly words: readonly string[];
  /** Codes of {@link specialtySystem} with their display names. */
  readonly codes: Readonly<Record<string, string>>;
}

/**
 * Specialties with the codes that providers state. The page "Find a doctor" lists them, and the Provider Directory serves them as a
 * ConceptMap.
 */
export const specialtyWords = {
  primary: {
    label: 'Primary care (family or internal medicine)',
    words: ['primary care', 'family doctor', 'general practitioner', 'internist', 'pcp'],
    codes: {
      '207Q00000X': 'Family Medicine Physician',
      '207R00000X': 'Internal Medicine Physician',
      '208D00000X': 'General Practice Physician',
      '363LF0000X': 'Family Nurse Practitioner',
      '363LP2300X': 'Primary Care Nurse Practitioner',
    },
  },
  children: {
    label: 'Children’s doctor (pediatrics)',
    words: ['pediatrician', 'children’s doctor', 'pediatrics'],
    codes: { '208000000X': 'Pediatrics Physician', '363LP0200X': 'Pediatrics Nurse Practitioner' },
  },
  women: {
    label: 'Women’s health and pregnancy',
    words: ['gynecologist', 'obstetrician', 'ob-gyn', 'obgyn', 'midwife', 'pregnancy'],
    codes: {
      '207V00000X': 'Obstetrics & Gynecology Physician',
      '207VG0400X': 'Gynecology Physician',
      '207VX0000X': 'Obstetrics Physician',
      '367A00000X': 'Advanced Practice Midwife',
    },
  },
  mental: {
    label: 'Mental health (psychiatry, psychology)',
    words: ['psychiatrist', 'psychologist', 'therapist', 'counselor', 'mental health'],
    codes: {
      '2084P0800X': 'Psychiatry Physician',
      '103TC0700X': 'Clinical Psychologist',
      '363LP0808X': 'Psychiatric/Mental Health Nurse Practitioner',
      '101YM0800X': 'Mental Health Counselor',
      '1041C0700X': 'Clinical Social Worker',
    },
  },
  dental: {
    label: 'Dentist',
    words: ['dentistry', 'teeth'],
    codes: {
      '122300000X': 'Dentist',
      '1223G0001X': 'General Practice Dentistry',
      '1223P0221X': 'Pediatric Dentist',
    },
  },
  eyes: {
    label: 'Eyes (optometry, ophthalmology)',
    words: ['eye doctor', 'optometrist', 'ophthalmologist', 'glasses'],
    codes: { '152W00000X': 'Optometrist', '207W00000X': 'Ophthalmology Physician' },
  },
  heart: {
    label: 'Heart (cardiology)',
    words: ['cardiologist', 'heart doctor', 'cardiology'],
    codes: {
      '207RC0000X': 'Cardiovascular Disease Physician',
      '207RI0011X': 'Interventional Cardiology Physician',
    },
  },
  bones: {
    label: 'Bones and joints (orthopedics)',
    words: ['orthopedist', 'orthopedic surgeon', 'orthopedics', 'bone doctor'],
    codes: { '207X00000X': 'Orthopaedic Surgery Physician' },
  },
  therapy: {
    label: 'Physical therapy',
    words: ['physical therapist', 'physiotherapist', 'physiotherapy'],
    codes: { '225100000X': 'Physical Therapist' },
  },
  skin: {
    label: 'Skin (dermatology)',
    words: ['dermatologist', 'skin doctor', 'dermatology'],
    codes: { '207N00000X': 'Dermatology Physician' },
  },
  digestion: {
    label: 'Stomach and digestion (gastroenterology)',
    words: ['gastroenterologist', 'stomach doctor', 'gastroenterology'],
    codes: { '207RG0100X': 'Gastroenterology Physician' },
  },
  diabetes: {
    label: 'Diabetes and hormones (endocrinology)',
    words: ['endocrinologist', 'diabetes doctor', 'endocrinology', 'thyroid'],
    codes: { '207RE0101X': 'Endocrinology, Diabetes & Metabolism Physician' },
  },
  nerves: {
    label: 'Brain and nerves (neurology)',
    words: ['neurologist', 'brain doctor', 'neurology'],
    codes: { '2084N0400X': 'Neurology Physician' },
  },
  cancer: {
    label: 'Cancer (oncology)',
    words: ['oncologist', 'cancer doctor', 'oncology'],
    codes: {
      '207RX0202X': 'Medical Oncology Physician',
      '207RH0003X': 'Hematology & Oncology Physician',
    },
  },
  kidneys: {
    label: 'Kidneys (nephrology)',
    words: ['nephrologist', 'kidney doctor', 'nephrology'],
    codes: { '207RN0300X': 'Nephrology Physician' },
  },
  pharmacist: {
    label: 'Pharmacist',
    words: ['pharmacy', 'druggist'],
    codes: { '183500000X': 'Pharmacist' },
  },
} as const satisfies Readonly<Record<string, SpecialtyWords>>;

/** A row of the table, by which an address names it. */
export type SpecialtyChoice = keyof typeof specialtyWords;

/** The rows of the table, as the general type. */
export const specialtyRows: readonly (readonly [SpecialtyChoice, SpecialtyWords])[] = Object.entries(
  specialtyWords,
) as [SpecialtyChoice, SpecialtyWords][];

/** The row that has a text as its key or among its words; case and surrounding spaces do not matter. */
export function specialtyNamed(text: string): SpecialtyChoice | undefined {
  const wanted = text.trim().toLowerCase().replaceAll("'", '’');
  return specialtyRows.find(([key, { words }]) => key === wanted || words.includes(wanted))?.[0];
}
