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
 * in no group can't be asked for (`lambdas/oauth/authorize/consent-decision.ts`), so one that is new must be put in a group first.
 *
 * - Organization is in `claims`: a scope can't tell the insurer from the hospital a claim came from, and which hospitals a member
 *   goes to is told by claims. Who shares the coverage alone shares the insurer's name with it (`Coverage.payor.display`).
 * - `claims` is no sensitive group: an app asks for claims because the member came to see them, and a box that must be found and
 *   ticked first would mostly stop those who want to share. It has a box of its own, and its text says what claims may tell of.
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
    resourceTypes: ['Coverage'],
    sensitive: false,
    words: {
      en: {
        name: 'Your coverage',
        detail:
          'Your plan and its start date, your insurer, the name on the plan, and your member and group numbers',
      },
      es: {
        name: 'Su cobertura',
        detail:
          'Su plan y la fecha en que comenzó, su aseguradora, el nombre del titular y sus números de miembro y de grupo',
      },
    },
  },
  {
    id: 'claims',
    resourceTypes: ['ExplanationOfBenefit', 'Organization', 'Practitioner', 'RelatedPerson'],
    sensitive: false,
    words: {
      en: {
        name: 'Your claims',
        detail:
          'Visits, care and drugs billed to your plan, who provided them, what they cost and who paid. Claims may show mental health, drug or alcohol care, HIV, or pregnancy',
      },
      es: {
        name: 'Sus reclamaciones',
        detail:
          'Visitas, atención y medicinas que se cobraron a su plan, quién las proporcionó, cuánto costaron y quién pagó. Pueden mostrar atención de salud mental, por alcohol o drogas, de VIH o de un embarazo',
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
          'Health problems, test results, drugs and shots. These records may show things you keep private',
      },
      es: {
        name: 'Su historial médico',
        detail:
          'Problemas de salud, resultados de pruebas, medicinas y vacunas. Puede mostrar información que usted mantiene en privado',
      },
    },
  },
];
