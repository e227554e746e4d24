/** The public documentation, in the order it is read. A page's text is `portal-static/docs/<name>.md`. */
export const documentationSections = [
  { title: 'Get started', pages: ['get-started', 'members', 'hosts'] },
  {
    title: 'Guides',
    pages: ['samples', 'single-page-app', 'mobile-app', 'payer', 'data-team', 'plan-finder', 'sign-out'],
  },
  {
    title: 'Interfaces',
    pages: [
      'interfaces',
      'authorization',
      'backend',
      'payer-access',
      'patient',
      'claims',
      'prior-authorizations',
      'clinical',
      'directory',
      'search',
      'errors',
      'limits',
    ],
  },
  { title: 'Production', pages: ['lifecycle', 'decision-criteria', 'agreements'] },
  { title: 'Service', pages: ['versioning', 'changelog', 'downloads', 'security'] },
] as const;

export type DocumentationPageName = (typeof documentationSections)[number]['pages'][number];

export const documentationPages: readonly DocumentationPageName[] = documentationSections.flatMap(
  ({ pages }) => pages,
);

/** Documents beside the pages, below `/docs`. */
export const documentationDownloads = [
  'openapi.json',
  'portal-openapi.json',
  'postman-collection.json',
  'payer-access.json',
] as const;

/** Path of the changelog as an Atom feed. */
export const changelogFeedPath = '/docs/changelog.xml';

/** Self-test of Payer Access, a program for Node below `/docs`. */
export const payerCheckFile = 'payer-check.mjs';
