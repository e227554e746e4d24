import { describe, expect, it } from 'vitest';
import { isSimilar, namesProtected } from '../../../lambdas/portal/applications/similar-names.ts';

describe('a protected name', () => {
  it.each([
    ['Medicare', 'Medicare'],
    ['Medicare Official', 'Medicare'],
    ['MEDICARE', 'Medicare'],
    ['My-Medicare!', 'Medicare'],
    ['Medlcare', 'Medicare'],
    ['Med1care App', 'Medicare'],
    ['Мedicare', 'Medicare'],
    ['Ｍｅｄｉｃａｒｅ', 'Medicare'],
    ['Mèdicare', 'Medicare'],
    ['Medicaire', 'Medicare'],
    ['Care First', 'CareFirst'],
    ['CareFirst', 'CareFirst'],
    ['CMS Blue Button', 'CMS'],
    ['HealthCare.gov helper', 'HealthCare.gov'],
  ])('is seen in %s', (name, isProtected) => {
    expect(namesProtected(name, isProtected)).toBe(true);
  });

  it.each([
    ['Medication Reminder', 'Medicare'],
    ['Care Companion', 'CareFirst'],
    ['Acmsa Notes', 'CMS'],
    ['Claims Companion', 'Medicare'],
    ['…', 'Medicare'],
  ])('is not seen in %s', (name, isProtected) => {
    expect(namesProtected(name, isProtected)).toBe(false);
  });
});

describe('two names', () => {
  it.each([
    ['Claims Companion', 'claims companion'],
    ['Claims Companion', 'Claims-Companion'],
    ['Claims Companion', 'Clairns Companion'],
    ['Claims Companion', 'Claims Companion Pro'],
    ['Claims Companion', 'Claim Companions'],
    ['Sunrise', 'Sunrize'],
    ['Sunrise', 'Ѕunrise'],
  ])('are similar: %s and %s', (one, other) => {
    expect(isSimilar(one, other)).toBe(true);
    expect(isSimilar(other, one)).toBe(true);
  });

  it.each([
    ['Claims Companion', 'Care Companion'],
    ['Sunrise', 'Sunset'],
    ['Health', 'Health Records for Everybody'],
    ['One', 'Ones'],
    ['', ''],
  ])('are not: %s and %s', (one, other) => {
    expect(isSimilar(one, other)).toBe(false);
  });
});
