import { describe, expect, it } from 'vitest';
import { specialtyNamed, specialtyRows } from '../../../lambdas/catalog/fhir/specialty-words.ts';
import { specialtyConceptMap } from '../../../lambdas/provider-directory/search/specialty-concept-map.ts';
import { specialties } from '../../../ops/generator/directory/vocabulary.ts';

describe('the ConceptMap of specialties', () => {
  const { group = [] } = specialtyConceptMap('https://dsnp.api.example.org/extfhirproviderdir/v1');
  const elements = group.flatMap(({ element }) => element);

  it('has each word once, with the codes to search by', () => {
    const words = elements.map(({ code }) => code);
    expect(words).toEqual([...new Set(words)]);
    expect(elements.find(({ code }) => code === 'cardiologist')?.target).toEqual([
      { code: '207RC0000X', display: 'Cardiovascular Disease Physician', equivalence: 'narrower' },
      { code: '207RI0011X', display: 'Interventional Cardiology Physician', equivalence: 'narrower' },
    ]);
    for (const { target = [] } of elements)
      for (const { code } of target) expect(code).toMatch(/^[0-9]{3}[0-9A-Z]{6}X$/);
  });

  it('has words for every specialty of the synthetic directory, with the same display names', () => {
    const codes = Object.assign({}, ...specialtyRows.map(([, row]) => row.codes));
    for (const { code, display } of specialties) expect([code, codes[code]]).toEqual([code, display]);
  });
});

it('finds a specialty by any of its words, however they are written', () => {
  expect(specialtyNamed(' Cardiologist ')).toBe('heart');
  expect(specialtyNamed("Children's doctor")).toBe('children');
  expect(specialtyNamed('Smith')).toBeUndefined();
  expect(specialtyNamed('constructor')).toBeUndefined();
});
