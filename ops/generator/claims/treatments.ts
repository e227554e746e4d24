/** The table of synthetic treatments with their codes. */

import { diagnoses, drugs } from './diagnoses-and-drugs.ts';
import type { Diagnosis, Line, PharmacyService, PlannedService } from './model.ts';

/** Courses of treatment, service by service. ICD-10-CM, HCPCS Level II, ICD-10-PCS, MS-DRG and NDC codes as published. */
export type Treatment = readonly PlannedService[];

const visit = { code: 'T1015', text: 'Clinic visit', cents: 18_500 } as const satisfies Line;

function dispensed(
  day: number,
  drug: Line,
  diagnosis: Diagnosis,
  rest: Pick<PharmacyService, 'daysSupply'> &
    Partial<Pick<PharmacyService, 'refill' | 'refillsAuthorized' | 'brand'>>,
): PharmacyService {
  return {
    kind: 'pharmacy',
    day,
    diagnoses: [diagnosis],
    lines: [drug],
    refill: 0,
    refillsAuthorized: 0,
    ...rest,
  };
}

function seen(day: number, reasons: readonly Diagnosis[], ...lines: readonly Line[]): PlannedService {
  return {
    kind: 'professional',
    by: 'primary care',
    place: '11',
    day,
    diagnoses: reasons,
    lines: [visit, ...lines],
  };
}

const checkup: Treatment = [
  {
    kind: 'professional',
    by: 'primary care',
    place: '11',
    day: 0,
    diagnoses: [diagnoses.checkup],
    preventive: true,
    lines: [
      { code: 'G0439', text: 'Yearly wellness visit', cents: 21_000 },
      { code: 'G0444', text: 'Screening for depression', cents: 3_500 },
      { code: 'G0008', text: 'Giving a flu shot', cents: 3_000 },
    ],
  },
  {
    kind: 'professional',
    by: 'laboratory',
    place: '81',
    day: 1,
    diagnoses: [diagnoses.checkup],
    preventive: true,
    lines: [{ code: 'G0306', text: 'Blood count', cents: 2_600 }],
  },
];

const cholesterol: Treatment = [seen(0, [diagnoses.cholesterol, diagnoses.pressure])];

/** Diagnoses of a diabetes visit. A patient on insulin has a code for that beside the code of the disease. */
const diabetic = (isOnInsulin: boolean): readonly Diagnosis[] => [
  diagnoses.diabetes,
  ...(isOnInsulin ? [diagnoses.onInsulin] : []),
  diagnoses.pressure,
];

const diabetesVisit = (isOnInsulin: boolean): Treatment => [
  seen(0, diabetic(isOnInsulin), {
    code: 'G0108',
    text: 'Lesson in living with diabetes, half an hour',
    cents: 6_000,
  }),
  {
    kind: 'professional',
    by: 'supplier',
    place: '12',
    day: 3,
    diagnoses: diabetic(isOnInsulin).slice(0, isOnInsulin ? 2 : 1),
    lines: [
      {
        ...{ code: 'A4253', text: 'Blood sugar test strips, 50', cents: 3_200, quantity: 2 },
        modifier: isOnInsulin ? 'KX' : 'KS',
      },
    ],
  },
];

/** Yearly examination for diabetes: lines for eyes and feet, and a laboratory result for the kidneys. */
const diabetesCheck = (isOnInsulin: boolean): Treatment => [
  seen(
    0,
    diabetic(isOnInsulin),
    { code: 'S3000', text: 'Examination of the retina of both eyes for diabetes', cents: 9_400 },
    { code: 'S0390', text: 'Examination and care of the feet for diabetes', cents: 5_200 },
  ),
];

const diabetes = diabetesVisit(false);
const diabetesOnInsulin = diabetesVisit(true);
const diabetesYear = diabetesCheck(false);
const diabetesYearOnInsulin = diabetesCheck(true);

/** A three-month supply, with a year of refills to a prescription. */
const quarter = { daysSupply: 90, refillsAuthorized: 3 };
const metformin: Treatment = [dispensed(0, drugs.metformin, diagnoses.diabetes, quarter)];
const statin: Treatment = [dispensed(0, drugs.atorvastatin, diagnoses.cholesterol, quarter)];
const antihypertensive: Treatment = [dispensed(0, drugs.lisinopril, diagnoses.pressure, quarter)];

/** A month's supply of insulin. */
const insulin: Treatment = [
  dispensed(0, drugs.insulin, diagnoses.diabetes, { daysSupply: 30, refillsAuthorized: 11, brand: true }),
];

const fluShot: Treatment = [
  {
    kind: 'professional',
    by: 'primary care',
    place: '11',
    day: 0,
    diagnoses: [diagnoses.flu],
    preventive: true,
    lines: [{ code: 'G0008', text: 'Giving a flu shot', cents: 3_000 }],
  },
];

/** A child's check-up. HCPCS has one code for it at every age. */
const childCheckup: Treatment = [
  {
    kind: 'professional',
    by: 'primary care',
    place: '11',
    day: 0,
    diagnoses: [diagnoses.childCheckup],
    preventive: true,
    lines: [{ code: 'S0302', text: 'Check-up of a child', cents: 12_500 }],
  },
];

const bronchitis: Treatment = [
  {
    kind: 'professional',
    by: 'urgent care',
    place: '20',
    day: 0,
    diagnoses: [diagnoses.bronchitis],
    lines: [{ code: 'S9083', text: 'Urgent care visit', cents: 22_500 }],
  },
  dispensed(0, drugs.albuterol, diagnoses.bronchitis, { daysSupply: 25, brand: true }),
];

const ankle: Treatment = [
  {
    kind: 'outpatient',
    day: 0,
    emergency: true,
    doctor: 'emergency medicine',
    diagnoses: [diagnoses.ankle, diagnoses.cut],
    lines: [
      { code: 'G0382', text: 'Emergency department visit, level 3', cents: 64_000, revenue: '0450' },
      { code: 'J1885', text: 'Injection against pain', cents: 2_800, revenue: '0636', quantity: 2 },
      { code: 'L4350', text: 'Ankle brace', cents: 9_800, revenue: '0274', modifier: 'RT' },
    ],
  },
  {
    kind: 'professional',
    by: 'emergency medicine',
    place: '23',
    day: 0,
    diagnoses: [diagnoses.cut, diagnoses.ankle],
    lines: [{ code: 'G0168', text: 'Closing a cut with tissue glue', cents: 16_500 }],
  },
  seen(7, [{ ...diagnoses.ankle, code: 'S93.401D', text: 'Sprained right ankle, healing' }]),
];

const pneumonia: Treatment = [
  {
    kind: 'inpatient',
    day: 0,
    nights: 4,
    emergency: true,
    drg: '195',
    diagnoses: [diagnoses.pneumonia, diagnoses.lowOxygen],
    lines: [
      { text: 'Room and board', cents: 740_000, revenue: '0120', quantity: 4 },
      { text: 'Drugs', cents: 64_000, revenue: '0250' },
      { text: 'Laboratory', cents: 41_000, revenue: '0300' },
    ],
  },
  {
    kind: 'professional',
    by: 'hospital',
    place: '21',
    day: 1,
    diagnoses: [diagnoses.pneumonia, diagnoses.lowOxygen],
    lines: [
      { code: 'S0220', text: 'Conference of the care team with the patient, half an hour', cents: 9_800 },
    ],
  },
  dispensed(4, drugs.amoxicillin, diagnoses.pneumonia, { daysSupply: 7 }),
  seen(14, [diagnoses.pneumonia]),
];

const knee: Treatment = [
  {
    kind: 'inpatient',
    day: 0,
    paidAsWhole: true,
    nights: 2,
    doctor: 'orthopedics',
    drg: '470',
    procedure: { code: '0SRC0J9', text: 'Replacement of the right knee joint' },
    diagnoses: [diagnoses.knee],
    lines: [
      { text: 'Room and board', cents: 390_000, revenue: '0120', quantity: 2 },
      { text: 'Operating room', cents: 780_000, revenue: '0360' },
      { code: 'C1776', text: 'Knee implant', cents: 620_000, revenue: '0278', modifier: 'RT' },
    ],
  },
  {
    kind: 'professional',
    by: 'ambulance',
    place: '41',
    day: 16,
    diagnoses: [diagnoses.afterKnee, diagnoses.newKnee],
    ride: {
      reason: 'A',
      pounds: 168,
      miles: 6,
      purpose: 'To the visit after the operation, and home again',
      stretcher: 'The knee can’t be bent yet',
    },
    lines: [
      { code: 'A0428', text: 'Ambulance, no emergency', cents: 52_000, quantity: 2 },
      { code: 'A0425', text: 'Miles by ambulance', cents: 14_400, quantity: 12 },
    ],
  },
  seen(16, [diagnoses.afterKnee, diagnoses.newKnee]),
];

const colon: Treatment = [
  {
    kind: 'outpatient',
    day: 0,
    paidAsWhole: true,
    preventive: true,
    doctor: 'gastroenterology',
    diagnoses: [diagnoses.colon],
    lines: [{ code: 'G0121', text: 'Colonoscopy, for screening', cents: 142_000, revenue: '0750' }],
  },
  {
    kind: 'professional',
    by: 'gastroenterology',
    place: '22',
    day: 0,
    preventive: true,
    diagnoses: [diagnoses.colon],
    lines: [
      { code: 'G0121', text: 'Colonoscopy, for screening', cents: 48_000 },
      { code: 'G0500', text: 'Sedation for it, a quarter of an hour', cents: 9_500 },
    ],
  },
];

const teeth: Treatment = [
  {
    kind: 'oral',
    day: 0,
    missingTooth: '17',
    preventive: true,
    diagnoses: [diagnoses.dental],
    lines: [
      { code: 'D0120', text: 'Looking at the teeth', cents: 6_500 },
      { code: 'D1110', text: 'Cleaning', cents: 11_500 },
    ],
  },
];

const filling: Treatment = [
  {
    kind: 'oral',
    day: 0,
    diagnoses: [diagnoses.caries],
    lines: [
      { code: 'D0220', text: 'X-ray of a tooth', cents: 3_800, tooth: '14' },
      { code: 'D2391', text: 'Filling', cents: 21_500, tooth: '14', surface: 'O' },
    ],
  },
];

const soreMouth: Treatment = [
  seen(0, [diagnoses.mouth]),
  dispensed(0, drugs.mouthwash, diagnoses.mouth, { daysSupply: 10 }),
];

/** Orthodontic treatment of a tooth before a bridge is fixed to it. */
const straightening: Treatment = [
  {
    kind: 'oral',
    day: 0,
    orthodonticMonths: 6,
    diagnoses: [diagnoses.tilted],
    lines: [{ code: 'D8040', text: 'Setting a tooth upright', cents: 96_000, tooth: '15', modifier: 'KX' }],
  },
];

const bridge: Treatment = [
  {
    kind: 'oral',
    day: 0,
    bridge: ['13', '15'],
    diagnoses: [diagnoses.gap],
    lines: [{ code: 'D6240', text: 'Bridge', cents: 118_000, tooth: '14' }],
  },
];

export const treatments = {
  checkup,
  childCheckup,
  cholesterol,
  diabetes,
  diabetesOnInsulin,
  diabetesYear,
  diabetesYearOnInsulin,
  metformin,
  statin,
  antihypertensive,
  insulin,
  fluShot,
  bronchitis,
  ankle,
  pneumonia,
  knee,
  colon,
  teeth,
  filling,
  soreMouth,
  straightening,
  bridge,
} as const satisfies Readonly<Record<string, Treatment>>;

export type TreatmentName = keyof typeof treatments;
