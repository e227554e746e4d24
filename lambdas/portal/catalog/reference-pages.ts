/** Pages of the API reference: their chapters and paths. */

import { directoryDefinitions, directoryTypes } from '../../catalog/fhir/directory-types.ts';
import { patientAccessTypes } from '../../catalog/fhir/fhir-resources.ts';

/** Path of the API reference; its pages are below it. */
export const referencePath = '/reference';

/** The pages of each chapter, in the order they are read: a resource type, or a group of operations. */
export const referenceChapters = {
  'patient-access': [...patientAccessTypes, 'metadata'],
  'payer-access': ['member-match', 'Group', 'export', ...patientAccessTypes, 'metadata'],
  'provider-directory': [...directoryTypes, ...directoryDefinitions, 'publication', 'metadata'],
  authorization: ['authorize', 'token', 'userinfo', 'machine-token', 'discovery'],
} as const;

export type ReferenceChapterName = keyof typeof referenceChapters;
export type ReferencePageName = (typeof referenceChapters)[ReferenceChapterName][number];

export const referenceChapterNames = Object.keys(referenceChapters) as readonly ReferenceChapterName[];

/** Path of a page: `/reference/patient-access/Coverage`. */
export function referencePagePath(chapter: ReferenceChapterName, page: ReferencePageName): string {
  return `${referencePath}/${chapter}/${page}`;
}

/** Paths of the reference: its contents and every page. */
export const referencePaths: readonly string[] = [
  referencePath,
  ...referenceChapterNames.flatMap((chapter) =>
    referenceChapters[chapter].map((page) => referencePagePath(chapter, page)),
  ),
];
