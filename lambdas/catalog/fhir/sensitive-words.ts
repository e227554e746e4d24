/** English and Spanish names of the sensitive categories on the consent page. */

import type { Language } from '../languages.ts';
import type { SensitiveCategory } from './sensitive-categories.ts';

export const sensitiveWords: Readonly<
  Record<SensitiveCategory, Readonly<Record<Language, { readonly name: string; readonly detail: string }>>>
> = {
  'mental-health': {
    en: {
      name: 'Mental health',
      detail: 'Visits, tests and claims about mood, worry or other mental health care',
    },
    es: {
      name: 'Salud mental',
      detail: 'Visitas, pruebas y reclamaciones sobre el ánimo, la ansiedad u otra atención de salud mental',
    },
  },
  'substance-use': {
    en: { name: 'Alcohol and drugs', detail: 'Visits, tests and claims about the use of alcohol or drugs' },
    es: {
      name: 'Alcohol y drogas',
      detail: 'Visitas, pruebas y reclamaciones sobre el uso de alcohol o drogas',
    },
  },
  'sexual-health': {
    en: { name: 'HIV and infections passed on by sex', detail: 'Tests for them, results and care' },
    es: { name: 'VIH e infecciones de transmisión sexual', detail: 'Sus pruebas, resultados y atención' },
  },
  'reproductive-health': {
    en: {
      name: 'Pregnancy and birth control',
      detail: 'Pregnancy, birth, abortion, birth control and help to have a child',
    },
    es: {
      name: 'Embarazo y anticonceptivos',
      detail: 'Embarazo, parto, aborto, anticonceptivos y ayuda para tener un hijo',
    },
  },
  genetics: {
    en: { name: 'Your genes', detail: 'Tests of your genes, and health problems that run in families' },
    es: { name: 'Sus genes', detail: 'Pruebas de sus genes y problemas de salud que vienen de familia' },
  },
  violence: {
    en: { name: 'Abuse and violence', detail: 'Care after abuse, neglect or an attack' },
    es: { name: 'Abuso y violencia', detail: 'Atención después de un abuso, un descuido o un ataque' },
  },
  restricted: {
    en: { name: 'Other private records', detail: 'What your plan or your doctor marked as private' },
    es: { name: 'Otros datos privados', detail: 'Lo que su plan o su médico marcó como privado' },
  },
};
