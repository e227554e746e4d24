/** The diagnoses and drugs of the synthetic treatments. */

import type { Diagnosis, Line } from './model.ts';

/** Diagnoses as codes of ICD-10-CM. */
export const diagnoses = {
  childCheckup: { code: 'Z00.129', text: 'Check-up of a child, nothing unusual found' },
  checkup: { code: 'Z00.00', text: 'General adult check-up, nothing unusual found' },
  cholesterol: { code: 'E78.5', text: 'High cholesterol' },
  pressure: { code: 'I10', text: 'High blood pressure' },
  diabetes: { code: 'E11.9', text: 'Type 2 diabetes' },
  onInsulin: { code: 'Z79.4', text: 'Long-term use of insulin' },
  lowOxygen: { code: 'R09.02', text: 'Low oxygen in the blood' },
  flu: { code: 'Z23', text: 'A vaccine is given' },
  afterKnee: { code: 'Z47.1', text: 'Care after a joint was replaced' },
  newKnee: { code: 'Z96.651', text: 'Artificial right knee' },
  bronchitis: { code: 'J20.9', text: 'Acute bronchitis' },
  ankle: { code: 'S93.401A', text: 'Sprained right ankle, first treatment' },
  pneumonia: { code: 'J18.9', text: 'Pneumonia' },
  knee: { code: 'M17.11', text: 'Arthritis of the right knee' },
  colon: { code: 'Z12.11', text: 'Screening for colon cancer' },
  dental: { code: 'Z01.20', text: 'Dental check-up, nothing unusual found' },
  gap: { code: 'K08.409', text: 'A missing tooth' },
  cut: { code: 'S91.011A', text: 'Cut on the right ankle, first treatment' },
  mouth: { code: 'K12.30', text: 'Sore lining of the mouth' },
  tilted: { code: 'M26.33', text: 'A tooth that stands askew' },
  caries: { code: 'K02.9', text: 'Tooth decay' },
} as const satisfies Readonly<Record<string, Diagnosis>>;

/** Drugs as codes of NDC. */
export const drugs = {
  atorvastatin: { code: '67877-512-90', text: 'Atorvastatin 20 mg tablets', cents: 6_200, quantity: 90 },
  lisinopril: { code: '68180-980-01', text: 'Lisinopril 10 mg tablets', cents: 1_800, quantity: 90 },
  metformin: { code: '65841-028-01', text: 'Metformin 500 mg tablets', cents: 2_400, quantity: 90 },
  insulin: { code: '0088-2219-05', text: 'Insulin glargine pen', cents: 34_000, quantity: 15 },
  albuterol: { code: '0173-0682-20', text: 'Albuterol inhaler', cents: 7_400, quantity: 1 },
  amoxicillin: { code: '70882-114-20', text: 'Amoxicillin 500 mg capsules', cents: 1_900, quantity: 20 },
  mouthwash: {
    // A compound is billed by its most expensive ingredient.
    code: '0603-1393-64',
    text: 'Mouthwash, mixed by the pharmacist',
    cents: 4_800,
    quantity: 200,
    ingredients: [
      { code: '0603-1393-64', text: 'Lidocaine 2% solution, in ml', quantity: 100 },
      { code: '57237-305-12', text: 'Diphenhydramine 12.5 mg/5 ml liquid, in ml', quantity: 100 },
    ],
  },
} as const satisfies Readonly<Record<string, Line>>;
