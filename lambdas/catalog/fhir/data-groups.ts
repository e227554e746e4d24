/** Data groups of the consent page, with their English and Spanish names. */

import type { Language } from '../languages.ts';
import { type SensitiveCategory, sensitiveCategories } from './sensitive-categories.ts';
import { sensitiveWords } from './sensitive-words.ts';

/** Data that a member shares or keeps together, in words for members. */
export interface DataGroup {
  /** Value in the consent form. */
  readonly id: string;
  /** FHIR resource types. A type is in one group only; the group of a sensitive category has none. */
  readonly resourceTypes: readonly string[];
  /** The sensitive category of the group, which selects resources of any type by their codes. */
  readonly category?: SensitiveCategory;
  /** Whether the group is shown separately, and shared only if the member ticks it. */
  readonly sensitive: boolean;
  readonly words: Readonly<Record<Language, { readonly name: string; readonly detail: string }>>;
}

/**
 * The data groups of the consent page. A group is shown if an application requests a served type of the group. A type in no group can't be
 * requested (`lambdas/authorization/authorize/consent-decision.ts`), so a new type must be added to a group.
 *
 * Organization is in `claims`: a scope can't distinguish the insurer from the hospital of a claim, and claims say which hospitals a member
 * goes to. A member who shares the coverage alone shares the insurer's name with it (`Coverage.payor.display`).
 *
 * Provenance, Location and PractitionerRole are in `visits`: they say who gave care, and where.
 *
 * `claims` is not sensitive: members use an application to see their claims, and a box to find and tick would mostly stop those who want to
 * share. The same holds for clinical data, except free text and forms, which may contain anything: `documents` is sensitive.
 *
 * Claims and clinical data of a sensitive category are shared if both their group and their category are ticked
 * (docs/decisions/0037-share-sensitive-categories-apart.md).
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
          'Visits, care and drugs billed to your plan, who gave them, what they cost and who paid. Care your doctor asked your plan to approve, and what it decided',
      },
      es: {
        name: 'Sus reclamaciones',
        detail:
          'Visitas, atención y medicinas que se cobraron a su plan, quién las proporcionó, cuánto costaron y quién pagó. Lo que su médico pidió que su plan aprobara y lo que decidió',
      },
    },
  },
  {
    id: 'visits',
    resourceTypes: [
      'Encounter',
      'Procedure',
      'CareTeam',
      'CarePlan',
      'Goal',
      'Device',
      'ServiceRequest',
      'Location',
      'PractitionerRole',
      'Provenance',
    ],
    sensitive: false,
    words: {
      en: {
        name: 'Your visits and care',
        detail:
          'Visits, surgeries and implants, what was ordered, where and by whom, your care team, your care plan and your goals',
      },
      es: {
        name: 'Sus visitas y su atención',
        detail:
          'Visitas, cirugías e implantes, lo que se ordenó, dónde y quién, su equipo de atención, su plan de atención y sus metas',
      },
    },
  },
  {
    id: 'problems',
    resourceTypes: ['Condition', 'AllergyIntolerance'],
    sensitive: false,
    words: {
      en: {
        name: 'Your health problems and allergies',
        detail: 'What doctors found and wrote down, now and in the past',
      },
      es: {
        name: 'Sus problemas de salud y alergias',
        detail: 'Lo que los médicos encontraron y anotaron, ahora y antes',
      },
    },
  },
  {
    id: 'medicines',
    resourceTypes: ['MedicationRequest', 'MedicationDispense', 'Medication', 'Immunization'],
    sensitive: false,
    words: {
      en: {
        name: 'Your medicines and shots',
        detail: 'Medicines you were prescribed, when you picked them up, and your shots',
      },
      es: {
        name: 'Sus medicinas y vacunas',
        detail: 'Las medicinas que le recetaron, cuándo las recogió y sus vacunas',
      },
    },
  },
  {
    id: 'tests',
    resourceTypes: ['Observation', 'DiagnosticReport', 'Specimen'],
    sensitive: false,
    words: {
      en: {
        name: 'Your test results and measures',
        detail:
          'Lab and other test results, blood pressure and weight, and what you said about smoking, mood and how you live',
      },
      es: {
        name: 'Sus resultados y mediciones',
        detail:
          'Resultados de laboratorio y otras pruebas, presión y peso, y lo que usted dijo sobre el tabaco, el ánimo y su forma de vivir',
      },
    },
  },
  {
    id: 'documents',
    resourceTypes: ['DocumentReference', 'Binary', 'QuestionnaireResponse'],
    sensitive: true,
    words: {
      en: {
        name: 'Your notes and documents',
        detail:
          'What doctors wrote about your visits, and your answers to their forms. They may show what you keep private, of any kind below',
      },
      es: {
        name: 'Notas y documentos sobre usted',
        detail:
          'Lo que los médicos escribieron sobre sus visitas y sus respuestas a los formularios. Pueden mostrar lo que usted mantiene en privado, de cualquier tipo de los que siguen',
      },
    },
  },
  // A group for each sensitive category. If it is not ticked, resources of the category are not shared, whatever their other group.
  ...sensitiveCategories.map((category) => ({
    id: category,
    resourceTypes: [],
    category,
    sensitive: true,
    words: sensitiveWords[category],
  })),
];

/** Names for the consent page of the categories that a scope can be limited to, by code. */
export const categoryWords: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  'encounter-diagnosis': { en: 'what was found at visits', es: 'lo que se encontró en las visitas' },
  'problem-list-item': { en: 'your list of health problems', es: 'su lista de problemas de salud' },
  'health-concern': { en: 'worries about your health', es: 'preocupaciones sobre su salud' },
  laboratory: { en: 'lab results', es: 'resultados de laboratorio' },
  'vital-signs': { en: 'blood pressure, weight and the like', es: 'presión, peso y medidas parecidas' },
  'social-history': { en: 'smoking, work and how you live', es: 'el tabaco, el trabajo y su forma de vivir' },
  survey: { en: 'your answers to questions', es: 'sus respuestas a preguntas' },
  imaging: { en: 'results of X-rays and scans', es: 'resultados de radiografías y otras imágenes' },
  procedure: { en: 'results of tests done on you', es: 'resultados de procedimientos' },
  exam: { en: 'what an exam showed', es: 'lo que mostró un examen' },
  therapy: { en: 'results of therapy', es: 'resultados de terapias' },
  activity: { en: 'exercise and steps', es: 'ejercicio y pasos' },
  sdoh: { en: 'needs for food, housing and money', es: 'necesidades de comida, vivienda y dinero' },
  'functional-status': { en: 'what you can do by yourself', es: 'lo que puede hacer sin ayuda' },
  'disability-status': { en: 'disabilities', es: 'discapacidades' },
  'cognitive-status': { en: 'memory and thinking', es: 'la memoria y el pensamiento' },
};

/** Whether the member has a choice: there are several groups, or one that must be ticked. */
export function isChoice(asked: readonly DataGroup[]): boolean {
  return asked.length > 1 || asked.some(({ sensitive }) => sensitive);
}
