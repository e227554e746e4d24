/** Renders the portal's public pages to HTML when the site is built. */

import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { EnvironmentOrigins } from '../../lambdas/catalog/addresses.ts';
import { changelogFeedPath } from '../../lambdas/portal/catalog/documentation-pages.ts';
import { framePath, frameTitle } from '../../lambdas/portal/catalog/find-a-doctor.ts';
import { portalPages } from '../../lambdas/portal/catalog/pages.ts';
import { statusFeedPath, statusFramePath } from '../../lambdas/portal/catalog/status.ts';
import { developerNavigation, publicNavigation, site } from '../app/site.ts';
import { Frame, SignedInLinks, SignInLinks } from '../application/frame.tsx';
import {
  type DocumentationArticle,
  type DocumentationChapter,
  DocumentationHome,
  DocumentationPage,
} from '../docs/documentation-page.tsx';
import { Accessibility } from '../pages/public/accessibility.tsx';
import { Home } from '../pages/public/home.tsx';
import { MissingPage } from '../pages/public/missing-page.tsx';
import { Privacy } from '../pages/public/privacy.tsx';
import { Terms } from '../pages/public/terms.tsx';
import type { PrerenderedPage } from './prerendered-page.ts';

interface PublicPage {
  /** Path from `portalPages.prerendered`. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly content: ComponentChildren;
  /** Content for a browser that is signed in, which needs no link to sign up; replaces `content`. */
  readonly signedInContent?: ComponentChildren;
  readonly script?: 'documentation' | 'home';
  readonly feed?: string;
}

const publicPages = (sandbox: EnvironmentOrigins): readonly PublicPage[] => [
  {
    path: '/',
    title: 'Build with the health plan data members choose to share',
    description:
      'FHIR interfaces for six lines of business. Test your application in a sandbox, then promote it to production.',
    content: <Home sandbox={sandbox} />,
    signedInContent: <Home sandbox={sandbox} signedIn />,
    script: 'home',
  },
  {
    path: statusFramePath,
    title: 'Status',
    description: 'Status of the sandbox, production and this portal, incidents and maintenance.',
    content: <div id="status" />,
    feed: statusFeedPath,
  },
  {
    path: '/terms',
    title: 'Terms of Use',
    description: 'The terms developers accept when they sign up.',
    content: <Terms />,
  },
  {
    path: '/privacy',
    title: 'Privacy',
    description: 'The information this portal keeps about developers, and for how long.',
    content: <Privacy />,
  },
  {
    path: '/accessibility',
    title: 'Accessibility',
    description: 'Accessibility of this portal, and how to report a problem.',
    content: <Accessibility />,
  },
  {
    path: framePath,
    title: frameTitle,
    description: 'Search the provider directories of the health plans.',
    content: <div id="find-a-doctor" />,
  },
];

type Chapters = readonly DocumentationChapter<DocumentationArticle>[];

/** The API reference as the build makes it. */
interface ReferencePages {
  readonly contents: DocumentationArticle;
  readonly chapters: Chapters;
}

/** The public documentation and the API reference, read by the build, and the hosts that the live sandbox calls. */
interface PageSources {
  readonly chapters: Chapters;
  readonly reference: ReferencePages;
  readonly sandbox: EnvironmentOrigins;
}

/**
 * Renders each public page twice: for visitors and for browsers that may be signed in. The edge function selects one.
 *
 * @param sources texts and tables from the build.
 */
export function prerenderedPages({ chapters, reference, sandbox }: PageSources): readonly PrerenderedPage[] {
  const read = [
    ...publicPages(sandbox),
    ...documentationPages(chapters, sandbox),
    ...referencePages(chapters, reference, sandbox),
  ];
  const bothWays = [false, true].flatMap((signedIn) => [
    ...read.map((it) => page(it, signedIn)),
    notFound(signedIn),
  ]);
  return [...bothWays, application];
}

function documentationPages(chapters: Chapters, sandbox: EnvironmentOrigins): readonly PublicPage[] {
  const home = {
    path: '/docs',
    title: 'Documentation',
    description: 'How to build an application, from the first call in the sandbox to production.',
    content: <DocumentationHome chapters={chapters} />,
    script: 'documentation',
  } as const;
  const articles = chapters.flatMap(({ pages }) => pages);
  return [home, ...articles.map((article) => articlePage(chapters, article, sandbox))];
}

/** Lists only the chapter of the page beside it, because the reference has nearly eighty pages. */
function referencePages(
  documentation: Chapters,
  { contents, chapters }: ReferencePages,
  sandbox: EnvironmentOrigins,
): readonly PublicPage[] {
  const first = { title: 'API reference', pages: [{ ...contents, label: 'All calls' }] };
  return [
    articlePage(documentation, contents, sandbox),
    ...chapters.flatMap((chapter) =>
      chapter.pages.map((article) => articlePage([first, chapter], article, sandbox)),
    ),
  ];
}

function articlePage(
  chapters: Chapters,
  article: DocumentationArticle,
  sandbox: EnvironmentOrigins,
): PublicPage {
  const { path, title, description } = article;
  return {
    path,
    title,
    description,
    content: <DocumentationPage chapters={chapters} article={article} sandbox={sandbox} />,
    script: 'documentation',
    ...(path === '/docs/changelog' ? { feed: changelogFeedPath } : {}),
  };
}

/** A page in the frame they all have. */
function framed(path: string, content: ComponentChildren, signedIn: boolean): string {
  return renderToString(
    <Frame
      path={path}
      navigation={signedIn ? [...developerNavigation, ...publicNavigation] : publicNavigation}
      account={signedIn ? <SignedInLinks /> : <SignInLinks />}
    >
      {content}
    </Frame>,
  );
}

/** Below the site's root. */
function fileAt(path: string, signedIn: boolean): string {
  return `${signedIn ? portalPages.signedInFolder : ''}${path}`.slice(1);
}

function page(it: PublicPage, signedIn: boolean): PrerenderedPage {
  const content = signedIn ? (it.signedInContent ?? it.content) : it.content;
  return {
    file: fileAt(it.path === '/' ? '/index.html' : `${it.path}/index.html`, signedIn),
    title: `${it.title} – ${site.name}`,
    description: it.description,
    body: framed(it.path, content, signedIn),
    ...(it.script === undefined ? {} : { script: it.script }),
    ...(it.feed === undefined ? {} : { feed: it.feed }),
    ...(signedIn ? { unlisted: true } : {}),
  };
}

function notFound(signedIn: boolean): PrerenderedPage {
  return {
    file: fileAt(portalPages.notFoundFile, signedIn),
    title: `Page not found – ${site.name}`,
    description: 'Check the address. The page may have moved.',
    body: framed('', <MissingPage />, signedIn),
    unlisted: true,
  };
}

const application: PrerenderedPage = {
  file: portalPages.applicationFile.slice(1),
  title: site.name,
  description: 'Sign up, register applications, and promote them to production.',
  body: renderToString(
    <div id="application">
      <noscript>
        <Frame path="" navigation={publicNavigation} account={<SignInLinks />}>
          <div class="page page--text prose">
            <h1>This page needs JavaScript</h1>
            <p>
              Sign-up, applications and the sandbox need JavaScript. Turn on JavaScript for this site and load
              the page again. The portal loads no scripts from other sites.
            </p>
            <p>
              Without JavaScript, you can read the <a href="/docs">documentation</a>, its{' '}
              <a href="/docs/openapi.json">OpenAPI document</a>, the <a href="/terms">Terms of Use</a> and the{' '}
              <a href="/privacy">privacy page</a>, or write to{' '}
              <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a>.
            </p>
          </div>
        </Frame>
      </noscript>
    </div>,
  ),
  script: 'application',
  unlisted: true,
};
