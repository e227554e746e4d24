/** Files for programs that read the site: crawlers, language models, people who report a vulnerability. */

import type { PublishedService } from '../../../lambdas/catalog/published-service.ts';
import { documentationDownloads } from '../../../lambdas/portal/catalog/documentation-pages.ts';
import { framePaths, portalPages } from '../../../lambdas/portal/catalog/pages.ts';
import { statusPath } from '../../../lambdas/portal/catalog/status.ts';
import type { DocumentationSection } from './documentation.ts';

/**
 * Files below the site's root, by name: the Markdown of each page of the documentation, `llms.txt` (https://llmstxt.org), `sitemap.xml`
 * (https://www.sitemaps.org), `robots.txt` (RFC 9309) and `.well-known/security.txt` (RFC 9116).
 *
 * @param year in which the site is built: `security.txt` names a date until which it holds.
 */
export function siteDocuments(
  { portal, supportEmail }: Pick<PublishedService, 'portal' | 'supportEmail'>,
  chapters: readonly DocumentationSection[],
  year: number,
): Readonly<Record<string, string>> {
  const pages = chapters.flatMap((chapter) => chapter.pages);
  return {
    ...Object.fromEntries(pages.map(({ path, markdown }) => [`${path.slice(1)}.md`, markdown])),
    'llms.txt': llms(portal, chapters),
    'sitemap.xml': sitemap(portal),
    'robots.txt': `User-agent: *\nDisallow: ${portalPages.signedInFolder}/\nDisallow: /api/\n\nSitemap: ${portal}/sitemap.xml\n`,
    '.well-known/security.txt': [
      `Contact: mailto:${supportEmail}`,
      `Expires: ${year + 1}-12-31T00:00:00Z`,
      'Preferred-Languages: en',
      `Canonical: ${portal}/.well-known/security.txt`,
      `Policy: ${portal}/docs/security`,
      '',
    ].join('\n'),
  };
}

function llms(portal: string, chapters: readonly DocumentationSection[]): string {
  const link = (path: string, title: string, says: string) => `- [${title}](${portal}${path}): ${says}`;
  return [
    '# Member Data Developer Portal',
    '> FHIR interfaces of a health plan for applications that members choose, for other payers, and for its provider directory. OAuth 2.0 with SMART App Launch; a sandbox with fictional members.',
    ...chapters.map(({ title, pages }) =>
      [
        `## ${title}\n`,
        ...pages.map(({ path, title: name, description }) => link(`${path}.md`, name, description)),
      ].join('\n'),
    ),
    [
      '## Machine-readable\n',
      ...documentationDownloads.map((name) => link(`/docs/${name}`, name, downloadTexts[name])),
    ].join('\n'),
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}

const downloadTexts: Readonly<Record<(typeof documentationDownloads)[number], string>> = {
  'openapi.json': 'OpenAPI document of the interfaces of applications.',
  'portal-openapi.json': 'OpenAPI document of this portal.',
  'postman-collection.json': 'Postman collection, from the first token to the first Patient.',
  'payer-access.json': 'What Payer Access asks of a partner, as data.',
};

function sitemap(portal: string): string {
  const addresses = [...portalPages.prerendered.filter((path) => !framePaths.includes(path)), statusPath].map(
    (path) => `<url><loc>${portal}${path}</loc></url>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${addresses.join('\n')}\n</urlset>\n`;
}
