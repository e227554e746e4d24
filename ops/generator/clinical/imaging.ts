/** Synthetic imaging: the chest X-ray of a hospital stay for pneumonia, and the one that its follow-up leaves out. */

import { internalPrefix } from '../internal-prefix.ts';
import type { PseudoRandom } from '../pseudo-random.ts';
import { type ClinicalRecord, clinical, coded, memberOf, refer, type Visit } from './clinical-record.ts';
import { absent, observation } from './observation.ts';

/** LOINC, for the examination and for its report. */
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
      // The picture stays with the hospital: the plan has its number alone.
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
  return [result, { draft: report, from: organization }];
}
