/**
 * Generates reports of examinations: chest X-ray and electrocardiogram of a hospital stay for pneumonia, pathology of a colonoscopy, and an
 * X-ray that was not performed.
 */

import { internalPrefix } from '../record/internal-prefix.ts';
import type { PseudoRandom } from '../record/pseudo-random.ts';
import { type ClinicalRecord, clinical, coded, memberOf, refer, type Visit } from './clinical-record.ts';
import { absent, observation } from './observation.ts';

/** LOINC code of both the examination and its report. */
const chestXRay = ['loinc', '36643-5', 'Chest X-ray, two views'] as const;

export function imagingOf(random: PseudoRandom, visit: Visit): readonly ClinicalRecord[] {
  const { claim, encounter, organization, practitioner } = visit;
  const { service, start, decided, person } = claim;
  if (!service.diagnoses.some(({ code }) => code === 'J18.9')) return [];
  const finding = (rest: Readonly<Record<string, unknown>>) =>
    observation(random, visit, {
      profiles: ['us-core-observation-clinical-result'],
      categories: ['imaging'],
      code: coded(...chestXRay),
      rest,
    });
  if (service.kind !== 'inpatient') return [finding(absent('not-performed'))];
  const text = 'A shadow at the bottom of the right lung. No fluid around the lungs.';
  const result = finding({ valueString: text });
  const report = clinical(
    random,
    'DiagnosticReport',
    ['us-core-diagnosticreport-note'],
    {
      status: 'final',
      category: [coded('loinc', 'LP29684-5', 'Radiology')],
      code: coded(...chestXRay),
      subject: memberOf(person),
      encounter: refer(encounter),
      effectiveDateTime: start,
      issued: `${start}T21:40:00-05:00`,
      performer: [practitioner ?? organization],
      result: [refer(result.draft)],
      // The hospital keeps the image; the plan has only its number.
      media: [
        {
          link: {
            identifier: { system: `${internalPrefix}/identifier/picture`, value: `X${random.digits(9)}` },
            display: 'Chest X-ray of the hospital',
          },
        },
      ],
      presentedForm: [
        {
          contentType: 'text/plain',
          title: 'Chest X-ray',
          data: Buffer.from(`Chest X-ray, ${start}\n\n${text}\n`).toString('base64'),
        },
      ],
    },
    decided,
  );
  return [result, { draft: report, from: organization }, writtenReport(random, visit, electrocardiogram)];
}

/** A report in words: LOINC codes of its category and kind, and its text. */
interface WrittenReport {
  readonly category: readonly [code: string, text: string];
  readonly code: readonly [code: string, text: string];
  readonly words: string;
}

const electrocardiogram: WrittenReport = {
  category: ['LP29708-2', 'Cardiology'],
  code: ['11524-6', 'Electrocardiogram'],
  words: 'Regular rhythm. No sign of a heart attack.',
};
const tissue: WrittenReport = {
  category: ['LP7839-6', 'Pathology'],
  code: ['11526-1', 'Report on tissue'],
  words: 'A small polyp of the colon. No sign of cancer.',
};

/** The pathologist's report on the tissue from a colonoscopy. */
export function pathologyOf(random: PseudoRandom, visit: Visit): readonly ClinicalRecord[] {
  const { service } = visit.claim;
  const isColonoscopy = service.kind === 'outpatient' && service.lines.some(({ code }) => code === 'G0121');
  return isColonoscopy ? [writtenReport(random, visit, tissue)] : [];
}

function writtenReport(
  random: PseudoRandom,
  { claim: { start, decided, person }, encounter, organization, practitioner }: Visit,
  { category, code, words }: WrittenReport,
): ClinicalRecord {
  const [, title] = code;
  const draft = clinical(
    random,
    'DiagnosticReport',
    ['us-core-diagnosticreport-note'],
    {
      status: 'final',
      category: [coded('loinc', ...category)],
      code: coded('loinc', ...code),
      subject: memberOf(person),
      encounter: refer(encounter),
      effectiveDateTime: start,
      issued: `${start}T21:50:00-05:00`,
      performer: [practitioner ?? organization],
      presentedForm: [
        {
          contentType: 'text/plain',
          title,
          data: Buffer.from(`${title}, ${start}\n\n${words}\n`).toString('base64'),
        },
      ],
    },
    decided,
  );
  return { draft, from: organization };
}
