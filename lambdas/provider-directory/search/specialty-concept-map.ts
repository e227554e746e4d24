/** The ConceptMap of the Provider Directory: plain words for specialties, and the codes that providers state. */

import type { ConceptMap } from 'fhir/r4.js';
import { specialtyRows, specialtySystem } from '../../catalog/fhir/specialty-words.ts';

/** ID of the only ConceptMap. */
export const specialtyConceptMapId = 'specialty-words';

/**
 * Makes the ConceptMap from the table of specialties. Its source concepts are the table's keys with their labels, and each further word.
 *
 * @param base FHIR base URL.
 * @see https://hl7.org/fhir/R4/conceptmap.html
 */
export function specialtyConceptMap(base: string): ConceptMap {
  const element = specialtyRows.flatMap(([key, { label, words, codes }]) => {
    const targets = Object.entries(codes);
    // A word with several targets is wider than each of them.
    const equivalence = targets.length === 1 ? ('equivalent' as const) : ('narrower' as const);
    const target = targets.map(([code, display]) => ({ code, display, equivalence }));
    const source = [{ code: key, display: label }, ...words.map((word) => ({ code: word, display: word }))];
    return source.map((concept) => ({ ...concept, target }));
  });
  return {
    resourceType: 'ConceptMap',
    id: specialtyConceptMapId,
    url: `${base}/ConceptMap/${specialtyConceptMapId}`,
    name: 'SpecialtyWords',
    title: 'Specialties in plain words',
    status: 'active',
    description:
      'Words by which people look for a specialty, and the codes of the NUCC Health Care Provider Taxonomy to search PractitionerRole.specialty by.',
    group: [{ source: `${base}/CodeSystem/${specialtyConceptMapId}`, target: specialtySystem, element }],
  };
}
