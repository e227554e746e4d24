/** Page frame of the public documentation. */

import type { ComponentChildren } from 'preact';
import type { EnvironmentOrigins } from '../../lambdas/catalog/addresses.ts';
import { LiveSandbox } from '../pages/demonstration/live-sandbox.tsx';
import { DocumentationSearch } from './documentation-search.tsx';

/** A page of the public documentation: where it is among the others, its text, and what comes before and after. */
export interface DocumentationEntry {
  readonly path: string;
  readonly title: string;
  /** Its name in the contents. @default the title */
  readonly label?: string;
  readonly description: string;
}

export interface DocumentationChapter<Entry extends DocumentationEntry = DocumentationEntry> {
  readonly title: string;
  readonly pages: readonly Entry[];
}

export interface DocumentationArticle extends DocumentationEntry {
  /** Made by the build from our own texts and tables, never from what somebody typed. */
  readonly html: string;
  readonly headings: readonly { readonly id: string; readonly text: string }[];
}

/** `/docs`: what there is to read. */
export function DocumentationHome(props: { readonly chapters: readonly DocumentationChapter[] }) {
  return (
    <div class="page">
      <h1>Documentation</h1>
      <p class="page__lead">
        How to build an application, from the first call in the sandbox to production. You do not need an
        account to read the documentation. What is new is in the <a href="/docs/changelog">changelog</a>.
      </p>
      <DocumentationSearch />
      {props.chapters.map((chapter) => (
        <section key={chapter.title} aria-labelledby={idOf(chapter.title)}>
          <h2 id={idOf(chapter.title)}>{chapter.title}</h2>
          <ul class="cards">
            {chapter.pages.map((entry) => (
              <li key={entry.path} class="card">
                <h3>
                  <a href={entry.path}>{entry.title}</a>
                </h3>
                <p>{entry.description}</p>
              </li>
            ))}
            {chapter.title === 'Interfaces' && <ReferenceCard />}
          </ul>
        </section>
      ))}
    </div>
  );
}

function ReferenceCard() {
  return (
    <li class="card">
      <h3>
        <a href="/reference">API reference</a>
      </h3>
      <p>Each call with its parameters, request, response and errors.</p>
    </li>
  );
}

export function DocumentationPage(props: {
  readonly chapters: readonly DocumentationChapter[];
  readonly article: DocumentationArticle;
  /** Hosts that the live sandbox calls. */
  readonly sandbox: EnvironmentOrigins;
}) {
  const { article, chapters } = props;
  const all = chapters.flatMap(({ pages }) => pages);
  const index = all.findIndex(({ path }) => path === article.path);
  return (
    <div class="page docs">
      <details class="docs__menu">
        <summary>All documentation pages</summary>
        <Contents chapters={chapters} path={article.path} label="All documentation pages" />
      </details>
      <div class="docs__side">
        <Contents chapters={chapters} path={article.path} label="Documentation" />
      </div>
      <div class="docs__search">
        <DocumentationSearch />
      </div>
      <article class="docs__article prose">
        <h1>{article.title}</h1>
        <p class="page__lead">{article.description}</p>
        {article.headings.length > 1 && (
          <nav class="docs__on-page" aria-label="On this page">
            <ul>
              {article.headings.map(({ id, text }) => (
                <li key={id}>
                  <a href={`#${id}`}>{text}</a>
                </li>
              ))}
            </ul>
          </nav>
        )}
        {article.path === '/docs/get-started' && <LiveSandbox origins={props.sandbox} isInGuide />}
        {/* Made by the build, from files of this repository. */}
        <div dangerouslySetInnerHTML={{ __html: article.html }} />
        <p class="docs__twin">
          This page as <a href={`${article.path}.md`}>Markdown</a>. What is new:{' '}
          <a href="/docs/changelog">changelog</a>
        </p>
        {index !== -1 && (
          <nav class="docs__turn" aria-label="Previous and next page">
            <Turn to={all[index - 1]}>Previous</Turn>
            <Turn to={all[index + 1]}>Next</Turn>
          </nav>
        )}
      </article>
    </div>
  );
}

function Contents(props: {
  readonly chapters: readonly DocumentationChapter[];
  readonly path: string;
  readonly label: string;
}) {
  return (
    <nav class="docs__contents" aria-label={props.label}>
      {props.chapters.map((chapter) => (
        <div key={chapter.title}>
          <p class="docs__chapter">{chapter.title}</p>
          <ul>
            {chapter.pages.map(({ path, title, label }) => (
              <li key={path}>
                <a href={path} {...(path === props.path ? { 'aria-current': 'page' as const } : {})}>
                  {label ?? title}
                </a>
              </li>
            ))}
            {chapter.title === 'Interfaces' && (
              <li>
                <a
                  href="/reference"
                  {...(props.path === '/reference' ? { 'aria-current': 'page' as const } : {})}
                >
                  API reference
                </a>
              </li>
            )}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function Turn(props: { readonly to: DocumentationEntry | undefined; readonly children: ComponentChildren }) {
  if (props.to === undefined) return <span />;
  return (
    <a href={props.to.path}>
      <span class="docs__turn-word">{props.children}</span> {props.to.title}
    </a>
  );
}

function idOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}
