import type { Language } from './languages.ts';

/** Data a member shares or keeps as one, in words a person knows. */
export interface DataGroup {
  /** Stands in the consent form. */
  readonly id: string;
  /** FHIR resource types. A type is in one group only. */
  readonly resourceTypes: readonly string[];
  /** Shown apart, and shared only where the member ticks it. */
  readonly sensitive: boolean;
  readonly words: Readonly<Record<Language, { readonly name: string; readonly detail: string }>>;
}

/**
 * The data groups of the consent page. A group is shown where an application asks for a type of it that is served; a type
 * in no group can't be asked for (`lambdas/oauth/consent-choice.ts`), so one that is new must be put in a group first.
 */
export const dataGroups: readonly DataGroup[] = [
  {
    id: 'details',
    resourceTypes: ['Patient'],
    sensitive: false,
    words: {
      en: {
        name: 'Your details',
        detail: 'Name, gender, date of birth, address, member ID, and your plan and group numbers',
      },
      es: {
        name: 'Sus datos personales',
        detail:
          'Nombre, género, fecha de nacimiento, dirección, número de miembro y los números de su plan y grupo',
      },
    },
  },
  {
    id: 'coverage',
    resourceTypes: ['Coverage', 'Organization'],
    sensitive: false,
    words: {
      en: { name: 'Your coverage', detail: 'Which plan you have, since when, and what it is called' },
      es: { name: 'Su cobertura', detail: 'Qué plan tiene, desde cuándo y cómo se llama' },
    },
  },
  {
    id: 'claims',
    resourceTypes: ['ExplanationOfBenefit', 'Practitioner', 'RelatedPerson'],
    sensitive: false,
    words: {
      en: {
        name: 'Your claims',
        detail:
          'Visits, care and drugs your plan was billed for, who gave them and what they cost. They may tell of mental health, drug or alcohol care, HIV, or pregnancy',
      },
      es: {
        name: 'Sus reclamaciones',
        detail:
          'Visitas, atención y medicinas que se cobraron a su plan, quién las dio y cuánto costaron. Pueden hablar de salud mental, de alcohol o drogas, de VIH o de un embarazo',
      },
    },
  },
  {
    id: 'clinical',
    resourceTypes: [
      'AllergyIntolerance',
      'Condition',
      'DiagnosticReport',
      'Immunization',
      'MedicationRequest',
      'Observation',
      'Procedure',
    ],
    sensitive: true,
    words: {
      en: {
        name: 'Your health records',
        detail:
          'Health problems, test results, drugs and shots. They may tell of things you keep to yourself',
      },
      es: {
        name: 'Su historial médico',
        detail:
          'Problemas de salud, resultados, medicinas y vacunas. Puede hablar de cosas que usted no cuenta',
      },
    },
  },
];
