/** Codes and security labels of the sensitive categories: the value sets by which a resource is judged. */

import type { SensitiveCategory } from '../catalog/fhir/sensitive-categories.ts';

const icd10 = 'http://hl7.org/fhir/sid/icd-10-cm';
const icd9 = 'http://hl7.org/fhir/sid/icd-9-cm';
const icd10Procedures = [
  'http://hl7.org/fhir/sid/icd-10-pcs',
  'http://www.cms.gov/Medicare/Coding/ICD10',
] as const;
const cpt = 'http://www.ama-assn.org/go/cpt';
const hcpcs = [
  'http://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets',
  'https://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets',
] as const;
const diagnosisGroups =
  'https://www.cms.gov/Medicare/Medicare-Fee-for-Service-Payment/AcuteInpatientPPS/MS-DRG-Classifications-and-Software';
const revenue = 'https://www.nubc.org/CodeSystem/RevenueCodes';
const placeOfService = 'https://www.cms.gov/Medicare/Coding/place-of-service-codes/Place_of_Service_Code_Set';
const taxonomy = 'http://nucc.org/provider-taxonomy';
const loinc = 'http://loinc.org';
const snomed = 'http://snomed.info/sct';
export const actCode = 'http://terminology.hl7.org/CodeSystem/v3-ActCode';
const confidentiality = 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality';

/** Codes of a category, of one or more systems. */
export interface ValueSet {
  readonly systems: readonly string[];
  readonly holds: (code: string) => boolean;
}

/** The codes themselves. @param codes space-separated */
function exactly(systems: string | readonly string[], codes: string): ValueSet {
  const listed = new Set(codes.split(' '));
  return { systems: [systems].flat(), holds: (code) => listed.has(code) };
}

/**
 * Codes that begin as listed, and those of ranges: `F20..F99` has F20.0 and F99.9. Compared without dots.
 *
 * @param codes space-separated
 */
function within(systems: string | readonly string[], codes: string): ValueSet {
  const ranges = codes.split(' ').map((each) => {
    const [first = '', last = first] = each.split('..');
    return { first, last };
  });
  const holds = (code: string) => {
    const plain = code.replaceAll('.', '').toUpperCase();
    return ranges.some(({ first, last }) => {
      const begin = plain.slice(0, last.length);
      return first <= begin && begin <= last;
    });
  };
  return { systems: [systems].flat(), holds };
}

/**
 * The value sets of each category. Tobacco, dementia and the screening of everybody are in none. Labels are those of HL7's ActCode
 * (InformationSensitivityPolicy) and Confidentiality; `42CFRPart2` is judged by itself (`part-2-records.ts`). Drugs have too many codes for a
 * table: their category comes from a diagnosis beside them, or from a label.
 */
export const sensitiveCodes: Readonly<Record<SensitiveCategory, readonly ValueSet[]>> = {
  'mental-health': [
    within(icd10, 'F20..F99 R45851 T1491 X71..X83 Z915'),
    within(icd9, '295..302 306..319'),
    within(icd10Procedures, 'GZ'),
    within(cpt, '90785..90899 96130..96146 96156..96171 99484 99492..99494'),
    within(hcpcs, 'H0031..H0046 H2000..H2033 S9480..S9485'),
    within(diagnosisGroups, '876 880..887'),
    within(revenue, '0114 0124 0134 0144 0154 0204 0900..0905 0907..0919 0961'),
    within(placeOfService, '51..53 56'),
    within(taxonomy, '101YM 103T 1041C0700X 106H 2084P08 261QM08 273R 283Q 3208 323P'),
    exactly(loinc, '28628-6 34788-0 44249-1 44250-9 44255-8 44261-6 55757-9 55758-7 69737-5 70274-6 71354-5'),
    exactly(
      snomed,
      '13746004 197480006 21897009 35489007 36923009 370143000 371631005 406506008 408856003 47505003 58214004 66344007 72366004 74732009 191736004',
    ),
    exactly(actCode, 'BH MH PSY PSYTHPN'),
  ],
  'substance-use': [
    within(icd10, 'F10..F16 F18..F19 K70 T40 Z7141 Z7151 Z7142 Z7152'),
    within(icd9, '291..292 303..304 3050 3052..3059'),
    within(icd10Procedures, 'HZ'),
    within(cpt, '80305..80307 80320..80377 99408..99409'),
    within(
      hcpcs,
      'G0396..G0397 G2067..G2080 G2086..G2088 H0001..H0030 H0047..H0050 H2034..H2036 S9475 T1006..T1012',
    ),
    within(diagnosisGroups, '894..897'),
    within(revenue, '0116 0126 0136 0146 0156 0906 0944..0945 1002'),
    within(placeOfService, '55 57..58'),
    within(
      taxonomy,
      '101YA0400X 207LA0401X 207QA0401X 207RA0401X 2083A0300X 2084A0401X 2084P0802X 261QR0405X 2764 3245',
    ),
    exactly(loinc, '3397-7 3879-4 5640-8 5643-2 72109-2 75624-7 75626-2 82666-9 82667-7'),
    exactly(snomed, '15167005 191816009 26416006 5602001 66214007 66590003 7200002 75544000 78267003'),
    exactly(actCode, 'BH ETH ETHUD OPIOIDUD SUD'),
  ],
  'sexual-health': [
    within(icd10, 'A50..A64 B20 B9735 O987 R75 Z113 Z114 Z202 Z206 Z21 Z717 Z7251..Z7253'),
    within(icd9, '042 0795 090..099 V08'),
    within(
      cpt,
      '86592..86593 86689 86701..86703 86780 87389..87391 87490..87492 87534..87539 87590..87592 87806',
    ),
    within(hcpcs, 'G0432..G0435 G0445 G0475'),
    within(diagnosisGroups, '969..970 974..977'),
    exactly(
      loinc,
      '20447-9 20507-0 20508-8 21613-5 22587-0 24111-7 25836-8 29541-0 29893-5 31201-7 36902-5 43304-5 43305-2 5292-8 56888-1 75622-1 7917-8 7918-6',
    ),
    exactly(snomed, '105629000 15628003 33839006 62479008 76272004 86406008 91947003'),
    exactly(actCode, 'HIV SEX STD'),
  ],
  'reproductive-health': [
    within(icd10, 'N46 N96..N97 O00..O9A Z30..Z34 Z36..Z37 Z39 Z3A Z640 Z793 Z975 Z9851..Z9852'),
    within(icd9, '606 628..679 V22..V28'),
    within(icd10Procedures, '10'),
    within(
      cpt,
      '11976 11981..11983 55250 57170 58300..58301 58600..58615 58661 58670..58671 58970..58976 59000..59899 76801..76828 81025 84702..84704',
    ),
    within(hcpcs, 'G0101 H1000..H1011 J7294..J7307 S4005..S4042'),
    within(diagnosisGroups, '768 770 776..779 783..788 796..798 805..807 817..819 831..833'),
    within(revenue, '0112 0122 0132 0142 0152 0720..0729'),
    within(placeOfService, '25'),
    within(taxonomy, '207VE0102X 261QA0005X 261QB0400X 261QF0050X 282NW0100X 367A'),
    exactly(loinc, '11778-8 19080-1 2106-3 2110-5 2118-8 82810-3 86645-9'),
    exactly(snomed, '13197004 17369002 57797005 70317007 72892002 77386006 8619003'),
    exactly(actCode, 'SEX'),
  ],
  genetics: [
    within(icd10, 'D57 E84 G10 Q90..Q99 Z137 Z14..Z15 Z315 Z8481'),
    within(icd9, '2826 2770 3334 758 V83..V84'),
    within(cpt, '81105..81479 88230..88299 96040..96041'),
    within(hcpcs, 'S0265 S3800..S3870'),
    within(taxonomy, '1701 1703 207SG'),
    exactly(loinc, '48018-6 51968-6 51969-4 81247-9'),
    exactly(snomed, '32895009 409709004'),
    exactly(actCode, 'GDIS SICKLE'),
  ],
  violence: [
    within(icd10, 'O9A3..O9A5 T74 T76 Y07 Z044 Z047 Z6281 Z69 Z9141'),
    within(icd9, '9955 9958 E967 V154 V611'),
    exactly(loinc, '76499-3 76501-6 76504-0'),
    exactly(actCode, 'SDV VIO'),
  ],
  restricted: [exactly(confidentiality, 'R V')],
};
