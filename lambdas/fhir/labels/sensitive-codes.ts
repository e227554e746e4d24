/** The codes and security labels of each sensitive category: the value sets that labels are made from. */

import type { SensitiveCategory } from '../../catalog/fhir/sensitive-categories.ts';
import type { CodeSystem } from './code-systems.ts';
import { mentalHealthConcepts, substanceUseConcepts } from './snomed-descendants.ts';

/** A set of codes of one system. */
export interface ValueSet {
  readonly system: CodeSystem;
  /** @param code as `plainCode` makes it */
  readonly holds: (code: string) => boolean;
}

/**
 * A value set of exactly these codes.
 *
 * @param codes space-separated
 */
function exactly(system: CodeSystem, codes: string): ValueSet {
  const listed = new Set(codes.toUpperCase().split(' '));
  return { system, holds: (code) => listed.has(code) };
}

/**
 * A value set of the codes that begin with one of the listed codes, or lie in a listed range: `F20..F99` includes F20.0 and F99.9. Dots are
 * ignored.
 *
 * @param codes space-separated
 */
function within(system: CodeSystem, codes: string): ValueSet {
  const ranges = codes.split(' ').map((each) => {
    const [first = '', last = first] = each.split('..');
    return { first, last };
  });
  const holds = (code: string) => {
    const plain = code.replaceAll('.', '');
    return ranges.some(({ first, last }) => {
      const begin = plain.slice(0, last.length);
      return first <= begin && begin <= last;
    });
  };
  return { system, holds };
}

/**
 * The value sets of each category. Tobacco, dementia and screenings that everyone gets are in none of them. Labels are those of HL7's
 * ActCode (InformationSensitivityPolicy) and Confidentiality; `42CFRPart2` is handled in `part-2-records.ts`. Drugs have too many codes for
 * a table: they get a category from the diagnosis they refer to, or from a security label.
 */
export const sensitiveCodes: Readonly<Record<SensitiveCategory, readonly ValueSet[]>> = {
  'mental-health': [
    within('icd-10-cm', 'F20..F99 R45851 T1491 X71..X83 Z915'),
    within('icd-9-cm', '295..302 306..319'),
    within('icd-10-pcs', 'GZ'),
    within('cpt', '90785..90899 96130..96146 96156..96171 99484 99492..99494'),
    within('hcpcs', 'H0031..H0046 H2000..H2033 S9480..S9485'),
    within('ms-drg', '876 880..887'),
    within('revenue', '0114 0124 0134 0144 0154 0204 0900..0905 0907..0919 0961'),
    within('place-of-service', '51..53 56'),
    within('provider-taxonomy', '101YM 103T 1041C0700X 106H 2084P08 261QM08 273R 283Q 3208 323P'),
    exactly(
      'loinc',
      '28628-6 34788-0 44249-1 44250-9 44255-8 44261-6 55757-9 55758-7 69737-5 70274-6 71354-5',
    ),
    exactly('snomed-ct', mentalHealthConcepts),
    exactly('act-code', 'BH MH PSY PSYTHPN'),
  ],
  'substance-use': [
    within('icd-10-cm', 'F10..F16 F18..F19 K70 T40 Z7141 Z7151 Z7142 Z7152'),
    within('icd-9-cm', '291..292 303..304 3050 3052..3059'),
    within('icd-10-pcs', 'HZ'),
    within('cpt', '80305..80307 80320..80377 99408..99409'),
    within(
      'hcpcs',
      'G0396..G0397 G2067..G2080 G2086..G2088 H0001..H0030 H0047..H0050 H2034..H2036 S9475 T1006..T1012',
    ),
    within('ms-drg', '894..897'),
    within('revenue', '0116 0126 0136 0146 0156 0906 0944..0945 1002'),
    within('place-of-service', '55 57..58'),
    within(
      'provider-taxonomy',
      '101YA0400X 207LA0401X 207QA0401X 207RA0401X 2083A0300X 2084A0401X 2084P0802X 261QR0405X 2764 3245',
    ),
    exactly('loinc', '3397-7 3879-4 5640-8 5643-2 72109-2 75624-7 75626-2 82666-9 82667-7'),
    exactly('snomed-ct', substanceUseConcepts),
    exactly('act-code', 'BH ETH ETHUD OPIOIDUD SUD'),
  ],
  'sexual-health': [
    within('icd-10-cm', 'A50..A64 B20 B9735 O987 R75 Z113 Z114 Z202 Z206 Z21 Z717 Z7251..Z7253'),
    within('icd-9-cm', '042 0795 090..099 V08'),
    within(
      'cpt',
      '86592..86593 86689 86701..86703 86780 87389..87391 87490..87492 87534..87539 87590..87592 87806',
    ),
    within('hcpcs', 'G0432..G0435 G0445 G0475'),
    within('ms-drg', '969..970 974..977'),
    exactly(
      'loinc',
      '20447-9 20507-0 20508-8 21613-5 22587-0 24111-7 25836-8 29541-0 29893-5 31201-7 36902-5 43304-5 43305-2 5292-8 56888-1 75622-1 7917-8 7918-6',
    ),
    exactly('snomed-ct', '105629000 15628003 33839006 62479008 76272004 86406008 91947003'),
    exactly('act-code', 'HIV SEX STD'),
  ],
  'reproductive-health': [
    within('icd-10-cm', 'N46 N96..N97 O00..O9A Z30..Z34 Z36..Z37 Z39 Z3A Z640 Z793 Z975 Z9851..Z9852'),
    within('icd-9-cm', '606 628..679 V22..V28'),
    within('icd-10-pcs', '10'),
    within(
      'cpt',
      '11976 11981..11983 55250 57170 58300..58301 58600..58615 58661 58670..58671 58970..58976 59000..59899 76801..76828 81025 84702..84704',
    ),
    within('hcpcs', 'G0101 H1000..H1011 J7294..J7307 S4005..S4042'),
    within('ms-drg', '768 770 776..779 783..788 796..798 805..807 817..819 831..833'),
    within('revenue', '0112 0122 0132 0142 0152 0720..0729'),
    within('place-of-service', '25'),
    within('provider-taxonomy', '207VE0102X 261QA0005X 261QB0400X 261QF0050X 282NW0100X 367A'),
    exactly('loinc', '11778-8 19080-1 2106-3 2110-5 2118-8 82810-3 86645-9'),
    exactly('snomed-ct', '13197004 17369002 57797005 70317007 72892002 77386006 8619003'),
    exactly('act-code', 'SEX'),
  ],
  genetics: [
    within('icd-10-cm', 'D57 E84 G10 Q90..Q99 Z137 Z14..Z15 Z315 Z8481'),
    within('icd-9-cm', '2826 2770 3334 758 V83..V84'),
    within('cpt', '81105..81479 88230..88299 96040..96041'),
    within('hcpcs', 'S0265 S3800..S3870'),
    within('provider-taxonomy', '1701 1703 207SG'),
    exactly('loinc', '48018-6 51968-6 51969-4 81247-9'),
    exactly('snomed-ct', '32895009 409709004'),
    exactly('act-code', 'GDIS SICKLE'),
  ],
  violence: [
    within('icd-10-cm', 'O9A3..O9A5 T74 T76 Y07 Z044 Z047 Z6281 Z69 Z9141'),
    within('icd-9-cm', '9955 9958 E967 V154 V611'),
    exactly('loinc', '76499-3 76501-6 76504-0'),
    exactly('act-code', 'SDV VIO'),
  ],
  restricted: [exactly('confidentiality', 'R V')],
};
