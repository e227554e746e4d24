/** Rules by which a clinician or a claims examiner would judge the record of a member. */

import { daysAfter, lastMonth, monthAfter } from '../../../ops/generator/record/dates.ts';
import { codeOf, type Resource } from './claims/everybody.ts';

/** A member's parsed resources and the day on which they were loaded. */
export interface RecordOfMember {
  readonly resources: readonly Resource[];
  readonly loadedOn: string;
}

export interface Rule {
  readonly name: string;
  /** Lists where the record contradicts the rule. */
  readonly faults: (record: RecordOfMember) => readonly string[];
  /** Changes a record so that it breaks the rule. */
  readonly plant: (record: RecordOfMember) => RecordOfMember;
}

const endOfStory = daysAfter(`${monthAfter(lastMonth, 1)}-01`, -1);
const days = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;
const codesIn = (concept: Resource): readonly string[] =>
  (concept?.coding ?? []).map(({ code }: Resource) => code);
const ofType = ({ resources }: RecordOfMember, type: string) =>
  resources.filter(({ resourceType }) => resourceType === type);

/** Paid claims, oldest first. */
function paidClaims(record: RecordOfMember): readonly Resource[] {
  return ofType(record, 'ExplanationOfBenefit')
    .filter(({ use, status }) => use === 'claim' && status === 'active')
    .filter(({ payment }) => codeOf(payment?.type) !== 'denied')
    .sort((a, b) => (dayOf(a) < dayOf(b) ? -1 : 1));
}
const dayOf = (claim: Resource): string =>
  (claim.billablePeriod?.start ?? claim.item[0].servicedDate ?? claim.item[0].servicedPeriod.start).slice(
    0,
    10,
  );
const linesOf = (claim: Resource): readonly Resource[] => claim.item;
const lineCodes = (claim: Resource) =>
  linesOf(claim).flatMap(({ productOrService }) => codesIn(productOrService));
const diagnosesOf = (claim: Resource): readonly string[] =>
  (claim.diagnosis ?? []).flatMap(({ diagnosisCodeableConcept }: Resource) =>
    codesIn(diagnosisCodeableConcept),
  );
const isA = (claim: Resource, kind: string) => JSON.stringify(claim.meta.profile).includes(kind);

/**
 * Whether the record has pharmacy and professional claims. Some test members have only one kind, so rules about a member's whole care do
 * not apply to them.
 */
function isWhole(record: RecordOfMember): boolean {
  const claims = paidClaims(record);
  return claims.some((claim) => isA(claim, 'Pharmacy')) && claims.some((claim) => isA(claim, 'Professional'));
}

/** Whether the plan covers the time between two days, judged every two weeks. */
function isCovered(record: RecordOfMember, from: string, to: string): boolean {
  const periods = ofType(record, 'Coverage').map(({ period }) => period);
  const covers = (day: string) => periods.some(({ start, end = '9999' }) => start <= day && day <= end);
  return Array.from({ length: Math.ceil(days(from, to) / 14) }, (_, at) => daysAfter(from, at * 14)).every(
    covers,
  );
}

const problemsOf = (record: RecordOfMember) =>
  ofType(record, 'Condition').filter(({ category }) => codeOf(category[0]) === 'problem-list-item');
const problem = (record: RecordOfMember, code: string) =>
  problemsOf(record).find((each) => codesIn(each.code).includes(code));

/** Gaps between dates that are longer than `most` days, while the plan covered the member. */
function gaps(record: RecordOfMember, dates: readonly string[], most: number): readonly string[] {
  return [...dates].sort().flatMap((date, at, all) => {
    const before = all[at - 1];
    return before !== undefined && days(before, date) > most && isCovered(record, before, date)
      ? [`nothing from ${before} to ${date}`]
      : [];
  });
}

const changed = (
  record: RecordOfMember,
  change: (resource: Resource) => Resource | undefined,
): RecordOfMember => ({
  ...record,
  resources: structuredClone(record.resources).flatMap((each: Resource) => change(each) ?? []),
});

/** The record without the resources of a type whose JSON has the text. */
const without = (record: RecordOfMember, type: string, text: string) =>
  changed(record, (each) =>
    each.resourceType === type && JSON.stringify(each).includes(text) ? undefined : each,
  );

/** Goals of treatments: the disease, the LOINC code of its value, and the highest value at goal. */
const goals = [
  ['E11.9', '4548-4', 7],
  ['E78.5', '13457-7', 100],
  ['I10', '8480-6', 139],
  ['I10', '8462-4', 89],
] as const;
const answersWithin = 120;

function valuesOf(record: RecordOfMember, loinc: string): readonly { on: string; value: number }[] {
  return ofType(record, 'Observation').flatMap((each) =>
    [each, ...(each.component ?? [])].flatMap((part: Resource) =>
      codesIn(part.code).includes(loinc) && part.valueQuantity !== undefined
        ? [{ on: each.effectiveDateTime.slice(0, 10), value: part.valueQuantity.value }]
        : [],
    ),
  );
}

const isPriorAuthorization = ({ use }: Resource) => use === 'preauthorization';
const decisionOf = (authorization: Resource) =>
  /"system":"https:\/\/codesystem.x12.org\/005010\/306","code":"(A\d)"/.exec(
    JSON.stringify(authorization),
  )?.[1];
const extensionsOf = (item: Resource, name: string) =>
  (item.extension ?? []).filter(({ url }: Resource) => url.endsWith(name));

export const rules: readonly Rule[] = [
  {
    name: 'a disease that is treated has its medicine',
    faults: (record) =>
      !isWhole(record)
        ? []
        : problemsOf(record)
            .filter(({ clinicalStatus }) => codeOf(clinicalStatus) === 'active')
            .flatMap(({ code }) => codesIn(code))
            .filter((code) =>
              ofType(record, 'MedicationRequest').every(
                ({ status, reasonCode = [] }) =>
                  status !== 'active' ||
                  reasonCode.every((reason: Resource) => !codesIn(reason).includes(code)),
              ),
            ),
    plant: (record) => without(record, 'MedicationRequest', '"I10"'),
  },
  {
    name: 'values answer to the treatment within months',
    faults: (record) =>
      goals.flatMap(([code, loinc, most]) => {
        const since = problem(record, code)?.onsetDateTime;
        if (since === undefined || !isWhole(record)) return [];
        return valuesOf(record, loinc)
          .filter(({ on, value }) => days(since, on) > answersWithin && value > most)
          .map(({ on, value }) => `${loinc} is ${value} on ${on}`);
      }),
    plant: (record) =>
      changed(record, (each) => {
        if (each.valueQuantity !== undefined && codesIn(each.code).includes('4548-4'))
          each.valueQuantity.value = 8.4;
        return each;
      }),
  },
  {
    name: 'an operation that can be done once is done once, and ends its disease',
    faults: (record) => {
      const done = paidClaims(record).flatMap(({ procedure = [] }) =>
        procedure.flatMap(({ procedureCodeableConcept }: Resource) => codesIn(procedureCodeableConcept)),
      );
      const knee = problem(record, 'M17.11');
      const isOver = knee?.clinicalStatus === undefined || codeOf(knee.clinicalStatus) === 'resolved';
      return [
        ...done.filter((code, at) => done.indexOf(code) !== at),
        ...(done.includes('0SRC0J9') && !isOver ? ['M17.11 is active after the operation'] : []),
      ];
    },
    plant: (record) => ({
      ...record,
      resources: record.resources.flatMap((each) =>
        JSON.stringify(each).includes('0SRC0J9') ? [each, each] : [each],
      ),
    }),
  },
  {
    name: 'medicines are filled when the last fill is used up',
    faults: (record) => {
      const fills = paidClaims(record).filter((claim) => isA(claim, 'Pharmacy'));
      const byDrug = Map.groupBy(fills, (claim) => lineCodes(claim)[0] ?? '');
      return [...byDrug].flatMap(([drug, of]) => {
        const supply = of[0].supportingInfo.find(
          ({ category }: Resource) => codeOf(category) === 'dayssupply',
        );
        const isLasting = of.length > 3 && supply.valueQuantity.value >= 30;
        const dates = of.map(dayOf);
        if (!isLasting || lineCodes(of[0]).includes('0173-0682-20')) return [];
        return gaps(record, [...dates, endOfStory], supply.valueQuantity.value + 30).map(
          (gap) => `${drug}: ${gap}`,
        );
      });
    },
    plant: (record) =>
      changed(record, (each) =>
        each.use === 'claim' && lineCodes(each).includes('0088-2219-05') && dayOf(each).startsWith('2024')
          ? undefined
          : each,
      ),
  },
  {
    name: 'who takes insulin has the code for it beside the diabetes',
    faults: (record) => {
      const first = paidClaims(record).find((claim) => lineCodes(claim).includes('0088-2219-05'));
      if (first === undefined) return [];
      return paidClaims(record)
        .filter((claim) => dayOf(claim) > daysAfter(dayOf(first), 31) && diagnosesOf(claim).includes('E11.9'))
        .filter((claim) => !diagnosesOf(claim).includes('Z79.4'))
        .map(dayOf);
    },
    plant: (record) =>
      changed(record, (each) => JSON.parse(JSON.stringify(each).replaceAll('"Z79.4"', '"Z79.84"'))),
  },
  {
    name: 'a drug has its RxNorm code, but a mixture',
    faults: (record) =>
      [...ofType(record, 'MedicationRequest'), ...ofType(record, 'MedicationDispense')]
        .filter(({ medicationCodeableConcept: drug }) => drug !== undefined && !/mixed/.test(drug.text))
        .filter(({ medicationCodeableConcept: { coding } }) =>
          coding.every(({ system }: Resource) => !system.endsWith('/rxnorm')),
        )
        .map(({ id }) => id),
    plant: (record) =>
      changed(record, (each) => {
        if (each.resourceType !== 'MedicationRequest') return each;
        const coding = [{ system: 'http://hl7.org/fhir/sid/ndc', code: '0088-2219-05' }];
        return { ...each, medicationCodeableConcept: { coding, text: 'Insulin glargine pen' } };
      }),
  },
  {
    name: 'the story of a member who is covered lasts until the last month of the records',
    faults: (record) => {
      const last = paidClaims(record).at(-1);
      const isActive = ofType(record, 'Coverage').some(({ status }) => status === 'active');
      return last !== undefined && isActive && days(dayOf(last), endOfStory) > 100
        ? [`nothing since ${dayOf(last)}`]
        : [];
    },
    plant: (record) =>
      changed(record, (each) => (each.use === 'claim' && dayOf(each) > '2026' ? undefined : each)),
  },
  {
    name: 'flu shots are given in the season, once in it',
    faults: (record) => {
      const given = ofType(record, 'Immunization')
        .filter(({ status, vaccineCode }) => status === 'completed' && codeOf(vaccineCode) === '88')
        .map(({ occurrenceDateTime }) => occurrenceDateTime.slice(0, 10))
        .sort();
      return given.filter(
        (date, at) => /-0[4-8]-/.test(date) || days(given[at - 1] ?? '1990-01-01', date) < 300,
      );
    },
    plant: (record) =>
      changed(record, (each) =>
        each.resourceType === 'Immunization' ? { ...each, occurrenceDateTime: '2024-07-10' } : each,
      ),
  },
  {
    name: 'a wellness visit comes once a year, every year once it has begun',
    faults: (record) => {
      const visits = paidClaims(record)
        .filter((claim) => lineCodes(claim).includes('G0439'))
        .map(dayOf);
      return [
        ...visits.filter((date, at) => at > 0 && days(visits[at - 1] ?? '', date) < 330),
        ...gaps(record, visits, 400),
      ];
    },
    plant: (record) =>
      changed(record, (each) =>
        each.use === 'claim' && lineCodes(each).includes('G0439') && /^20(23|24)/.test(dayOf(each))
          ? undefined
          : each,
      ),
  },
  {
    name: 'eyes, kidneys and feet of a diabetic are examined each year',
    faults: (record) => {
      const since = problem(record, 'E11.9')?.onsetDateTime;
      if (since === undefined || !isWhole(record)) return [];
      const done = (code: string) =>
        ofType(record, 'Procedure').flatMap((each) =>
          codesIn(each.code).includes(code) ? [each.performedDateTime.slice(0, 10)] : [],
        );
      const examined = [
        ['eyes', done('S3000')],
        ['feet', done('S0390')],
        ['kidneys', valuesOf(record, '9318-7').map(({ on }) => on)],
      ] as const;
      return examined.flatMap(([what, dates]) =>
        gaps(record, [since, ...dates, endOfStory], 400).map((gap) => `${what}: ${gap}`),
      );
    },
    plant: (record) => without(record, 'Procedure', '"S3000"'),
  },
  {
    name: 'a prior authorization is for a disease that the record knew by then',
    faults: (record) =>
      ofType(record, 'ExplanationOfBenefit')
        .filter(isPriorAuthorization)
        .filter((authorization) =>
          diagnosesOf(authorization).every((code) => {
            const known = ofType(record, 'Condition').filter((each) => codesIn(each.code).includes(code));
            return known.every(({ recordedDate, abatementDateTime = '9999' }) => {
              const asked = authorization.billablePeriod.start;
              return recordedDate > asked || abatementDateTime < asked;
            });
          }),
        )
        .map((authorization) => diagnosesOf(authorization).join()),
    plant: (record) =>
      changed(record, (each) =>
        isPriorAuthorization(each) ? JSON.parse(JSON.stringify(each).replaceAll('E11.9', 'G47.33')) : each,
      ),
  },
  {
    name: 'units used of a prior authorization are units of claims',
    faults: (record) =>
      ofType(record, 'ExplanationOfBenefit')
        .filter((each) => isPriorAuthorization(each) && decisionOf(each) === 'A1')
        .flatMap((authorization) => {
          const [item] = authorization.item;
          const [{ valuePeriod }] = extensionsOf(item, 'itemPreAuthPeriod');
          const used = item.adjudication.find(
            ({ category }: Resource) => codeOf(category) === 'consumedunits',
          ).value;
          const claimed = paidClaims(record)
            .filter((claim) => valuePeriod.start <= dayOf(claim) && dayOf(claim) <= valuePeriod.end)
            .flatMap(linesOf)
            .filter(({ productOrService }) => codeOf(productOrService) === codeOf(item.productOrService))
            .reduce((sum, { quantity }) => sum + (quantity?.value ?? 1), 0);
          return used === Math.min(claimed, item.quantity.value) ? [] : [`${used} used, ${claimed} claimed`];
        }),
    plant: (record) =>
      changed(record, (each) => {
        for (const { category, ...units } of isPriorAuthorization(each) ? each.item[0].adjudication : []) {
          if (codeOf(category) === 'consumedunits')
            Object.assign(each.item[0], { adjudication: [{ category, ...units, value: 5 }] });
        }
        return each;
      }),
  },
  {
    name: 'a prior authorization that is decided has the date of it, and none waits longer than a week',
    faults: (record) =>
      ofType(record, 'ExplanationOfBenefit')
        .filter(isPriorAuthorization)
        .flatMap((authorization) => {
          const [item] = authorization.item;
          const asked = authorization.billablePeriod.start;
          const isPending = decisionOf(authorization) === 'A4';
          if (isPending) return days(asked, record.loadedOn) > 7 ? [`pending since ${asked}`] : [];
          return extensionsOf(item, 'itemPreAuthIssueDate').length === 1 ? [] : ['no date of the decision'];
        }),
    plant: (record) => ({ ...record, loadedOn: daysAfter(record.loadedOn, 26) }),
  },
  {
    name: 'nobody pays more for an emergency outside the network',
    faults: (record) =>
      paidClaims(record)
        .filter((claim) => JSON.stringify(claim).includes('"outofnetwork"'))
        .filter((claim) =>
          /"(0450|G0382)"|Place_of_Service_Code_Set","code":"(23|41)"/.test(JSON.stringify(claim)),
        )
        .map(dayOf),
    plant: (record) =>
      changed(record, (each) =>
        each.use === 'claim' && lineCodes(each).includes('G0382')
          ? JSON.parse(JSON.stringify(each).replaceAll('"innetwork"', '"outofnetwork"'))
          : each,
      ),
  },
  {
    name: 'a parent is older than the child',
    faults: (record) => {
      const [{ birthDate }] = ofType(record, 'Patient') as [Resource];
      return ofType(record, 'RelatedPerson')
        .filter(({ relationship = [] }) =>
          relationship.some((each: Resource) => /^(MTH|FTH|PRN)$/.test(codeOf(each))),
        )
        .filter((parent) => Number(parent.birthDate?.slice(0, 4)) > Number(birthDate.slice(0, 4)) - 14)
        .map(({ id }) => id);
    },
    plant: (record) => ({
      ...record,
      resources: [
        ...record.resources,
        {
          resourceType: 'RelatedPerson',
          id: 'm',
          birthDate: '2016-01-01',
          relationship: [{ coding: [{ code: 'MTH' }] }],
        },
      ],
    }),
  },
  {
    name: 'no code of CPT is carried',
    faults: (record) =>
      record.resources
        .map((each) => JSON.stringify(each))
        .flatMap((text) =>
          [...text.matchAll(/ama-assn\.org|HCPCSReleaseCodeSets","code":"\d{5}"/g)].map(([found]) => found),
        ),
    plant: (record) =>
      changed(record, (each) => JSON.parse(JSON.stringify(each).replaceAll('"T1015"', '"99213"'))),
  },
];
