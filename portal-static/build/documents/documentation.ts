/** Renders the public documentation from Markdown and from the tables of the code. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked, type Tokens } from 'marked';
import type { PublishedService } from '../../../lambdas/catalog/published-service.ts';
import {
  type DocumentationPageName,
  documentationSections,
} from '../../../lambdas/portal/catalog/documentation-pages.ts';
import { headingId } from './heading-id.ts';
import { highlighted } from './highlighted.ts';
import { addressInserts } from './inserts/addresses.ts';
import { dataInserts } from './inserts/data.ts';
import { directoryInserts } from './inserts/directory.ts';
import { errorInserts } from './inserts/errors.ts';
import type { Inserts } from './inserts/insert.ts';
import { lifecycleInserts } from './inserts/lifecycle.ts';
import { limitInserts } from './inserts/limits.ts';
import { memberInserts } from './inserts/members.ts';
import { payerInserts } from './inserts/payer.ts';
import { requestInserts } from './inserts/requests.ts';
import { sampleInserts } from './inserts/samples.ts';

/** A page of the public documentation, ready to be framed. */
export interface RenderedPage {
  /** `/docs/errors` */
  readonly path: string;
  readonly title: string;
  /** Its name in the contents. @default the title */
  readonly label?: string;
  /** One sentence. */
  readonly description: string;
  /** The article below its title. */
  readonly html: string;
  /** Its second-level headings: "On this page". */
  readonly headings: readonly { readonly id: string; readonly text: string }[];
  /** The whole page for programs, at its path with `.md`. */
  readonly markdown: string;
}

export interface DocumentationSection {
  readonly title: string;
  readonly pages: readonly RenderedPage[];
}

const folder = join(import.meta.dirname, '../../docs');

const inserts: Inserts = {
  ...addressInserts,
  ...requestInserts,
  ...dataInserts,
  ...directoryInserts,
  ...sampleInserts,
  ...errorInserts,
  ...lifecycleInserts,
  ...limitInserts,
  ...memberInserts,
  ...payerInserts,
};

/**
 * The public documentation: texts from `portal-static/docs`, with `{{…}}` in them made from the tables that enforce them.
 *
 * @throws Error where a page has no title, or asks for an insert nobody makes.
 */
export function documentation(service: PublishedService): readonly DocumentationSection[] {
  return documentationSections.map(({ title, pages }) => ({
    title,
    pages: pages.map((name) => documentationPage(name, service)),
  }));
}

export function documentationPage(name: DocumentationPageName, service: PublishedService): RenderedPage {
  const file = join(folder, `${name}.md`);
  const { title, description, text } = frontMatter(file, readFileSync(file, 'utf8'));
  return renderedPage(`/docs/${name}`, { title, description }, fillIn(text, service, file));
}

/** @param text the page below its title, in Markdown */
export function renderedPage(
  path: string,
  head: Pick<RenderedPage, 'title' | 'description' | 'label'>,
  text: string,
): RenderedPage {
  const markdown = `# ${head.title}\n\n${head.description}\n\n${text.trim()}\n`;
  return { path, ...head, ...rendered(text), markdown };
}

function frontMatter(file: string, source: string) {
  const match = /^---\ntitle: (.+)\ndescription: (.+)\n---\n/.exec(source);
  const [whole, title, description] = match ?? [];
  if (whole === undefined || title === undefined || description === undefined) {
    throw new Error(`${file} must begin with its title and its description`);
  }
  return { title, description, text: source.slice(whole.length) };
}

/** `{{name}}` or `{{name argument}}` */
function fillIn(text: string, service: PublishedService, file: string): string {
  return text.replace(/\{\{([a-z-]+)(?: ([^}]+))?\}\}/g, (_, name: string, argument = '') => {
    const insert = inserts[name];
    if (insert === undefined) throw new Error(`${file}: no insert is called ${name}`);
    return insert(service, argument);
  });
}

/** Wide tables and long lines scroll by themselves, by keyboard too, so that the page never does. */
function rendered(markdown: string): Pick<RenderedPage, 'html' | 'headings'> {
  const headings: { id: string; text: string }[] = [];
  const counts = new Map<string, number>();
  const unique = (id: string) => {
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? id : `${id}-${count}`;
  };
  let section = '';
  let chapter = '';
  const scrolling = (kind: string) =>
    `tabindex="0" role="group" aria-label="${unique(`${kind}: ${section}`)}"`;
  const marked = new Marked({
    gfm: true,
    async: false,
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const id = unique(headingId(text));
        const words = text.replaceAll('"', '').replaceAll('`', '');
        if (depth === 2) {
          headings.push({ id, text: words });
          chapter = words;
        }
        section = depth === 2 ? words : `${chapter}, ${words}`;
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code({ text, lang = '' }: Tokens.Code) {
        return `<div class="code-frame"><pre ${scrolling('Code')}><code class="language-${lang}">${highlighted(text, lang)}</code></pre></div>\n`;
      },
      html({ text }: Tokens.HTML | Tokens.Tag) {
        const summary = /<summary>([^<]+)/.exec(text)?.[1]?.trim();
        // A folded part is a section of its own.
        if (summary !== undefined) section = `${chapter}, ${summary}`;
        return text;
      },
      table({ header, rows }: Tokens.Table) {
        const cells = (all: readonly Tokens.TableCell[], mark: (index: number) => string) =>
          all
            .map((cell, index) => {
              const tag = mark(index);
              const scope = tag === 'th' ? ' scope="col"' : '';
              return `<${tag}${scope}>${this.parser.parseInline(cell.tokens)}</${tag}>`;
            })
            .join('');
        const head = `<thead><tr>${cells(header, () => 'th')}</tr></thead>`;
        const body = rows.map((row) => `<tr>${cells(row, () => 'td')}</tr>`).join('');
        return `<div class="table-frame" ${scrolling('Table')}><table class="usa-table usa-table--borderless">${head}<tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const html = marked.parse(markdown) as string;
  return { html, headings };
}
