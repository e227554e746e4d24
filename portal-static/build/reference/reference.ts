/** Builds the pages of the API reference from the OpenAPI document; they look like the documentation's pages. */

import { isDirectoryType } from '../../../lambdas/catalog/fhir/directory-types.ts';
import { isPatientAccessType } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import { interfaces } from '../../../lambdas/catalog/fhir/interfaces.ts';
import type { PublishedService } from '../../../lambdas/catalog/published-service.ts';
import {
  type ReferenceChapterName,
  type ReferencePageName,
  referenceChapterNames,
  referenceChapters,
  referencePagePath,
  referencePath,
} from '../../../lambdas/portal/catalog/reference-pages.ts';
import {
  type DocumentationSection,
  documentationPage,
  type RenderedPage,
  renderedPage,
} from '../documents/documentation.ts';
import { markdownTable } from '../documents/markdown-table.ts';
import type { OpenApiDocument } from '../documents/openapi.ts';
import {
  type DescribedOperation,
  describedOperations,
  namedSchemas,
  operationAddress,
} from './described-operations.ts';
import { errorTable } from './error-table.ts';
import { hostsOf, operationSection } from './operation-section.ts';

const chapterTitles: Readonly<Record<ReferenceChapterName, string>> = {
  'patient-access': interfaces['patient-access'].name,
  'payer-access': interfaces['payer-access'].name,
  'provider-directory': interfaces['provider-directory'].name,
  authorization: 'Authorization',
};

/** Titles of pages whose name is not their resource type. */
const pageTitles: Readonly<Partial<Record<ReferencePageName, string>>> = {
  metadata: 'Metadata',
  'member-match': 'Member match',
  export: 'Export and jobs',
  publication: 'Whole directory',
  authorize: 'Authorization request',
  token: 'Token, revocation, introspection',
  userinfo: 'UserInfo',
  'machine-token': 'Machine-to-machine token',
  discovery: 'Discovery',
};

/** Data that the examples of a chapter find. */
const examplesFrom: Readonly<Record<ReferenceChapterName, string>> = {
  'patient-access':
    'The examples find something for the [sandbox member](/docs/members) DSNP65691383. `$ACCESS_TOKEN` and `$SUBSCRIPTION_KEY` are from [Get started](/docs/get-started#5-or-make-the-calls-yourself).',
  'payer-access':
    'The examples find something for the sandbox member DSNP90000001, whom your application has [matched](/docs/payer-access). `$ACCESS_TOKEN` is a token of the [client credentials grant](/docs/backend).',
  'provider-directory': 'The examples find something in the sandbox’s directory of DSNP.',
  authorization:
    'The variables in the requests are from [Get started](/docs/get-started#5-or-make-the-calls-yourself).',
};

export interface ApiReference {
  /** The contents of the whole reference. */
  readonly contents: RenderedPage;
  readonly chapters: readonly DocumentationSection[];
}

/** @throws Error where an operation has no page, or a page no operation. */
export function apiReference(service: PublishedService, document: OpenApiDocument): ApiReference {
  const operations = describedOperations(document);
  const errors = documentationPage('errors', service).html;
  const anchors = new Set([...errors.matchAll(/<code id="([^"]+)">/g)].map(([, id = '']) => id));
  const schemas = namedSchemas(document);
  const chapters = referenceChapterNames.map((chapter) => ({
    title: chapterTitles[chapter],
    pages: referenceChapters[chapter].map((page) => {
      const own = operations.filter((each) => each.chapter === chapter && each.page === page);
      if (own.length === 0) throw new Error(`the page ${page} of ${chapter} has no operation`);
      const sections = own.map((each, at) => operationSection(each, own.slice(0, at), schemas));
      const text = [examplesFrom[chapter], hostsOf(own), ...sections, '## Errors', errorTable(own, anchors)];
      return renderedPage(referencePagePath(chapter, page), headOf(chapter, page), text.join('\n\n'));
    }),
  }));
  return { contents: contentsOf(operations), chapters };
}

function headOf(chapter: ReferenceChapterName, page: ReferencePageName) {
  const label = pageTitles[page] ?? page;
  const isType = isPatientAccessType(page) || isDirectoryType(page);
  return {
    label,
    title: chapter === 'authorization' ? label : `${label} in ${chapterTitles[chapter]}`,
    description: isType
      ? `Calls for the resource type ${page}: parameters, requests, responses and errors.`
      : 'Calls with their parameters, requests, responses and errors.',
  };
}

function contentsOf(operations: readonly DescribedOperation[]): RenderedPage {
  const tables = referenceChapterNames.map((chapter) => {
    const rows = referenceChapters[chapter].map((page) => {
      const own = operations.filter((each) => each.chapter === chapter && each.page === page);
      return [
        `[${pageTitles[page] ?? page}](${referencePagePath(chapter, page)})`,
        own.map((each) => `[${each.summary}](${operationAddress(each)})`).join(', '),
      ];
    });
    return `## ${chapterTitles[chapter]}\n\n${markdownTable(['Page', 'Calls'], rows)}`;
  });
  const lead = [
    'The same calls as files: [OpenAPI document](/docs/openapi.json), [Postman collection](/docs/postman-collection.json).',
    '**Try it** below a request makes the call in the sandbox: with an application of yours, or without an account for a fictional member.',
  ];
  return renderedPage(
    referencePath,
    {
      title: 'API reference',
      description: `All ${operations.length} calls with parameters, requests, responses and errors.`,
    },
    [...lead, ...tables].join('\n\n'),
  );
}
