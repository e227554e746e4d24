import { describe, expect, it } from 'vitest';
import { interfaceNames, interfaces } from '../../lambdas/catalog/fhir/interfaces.ts';
import {
  documentationDownloads,
  documentationPages,
} from '../../lambdas/portal/catalog/documentation-pages.ts';
import { portalPages } from '../../lambdas/portal/catalog/pages.ts';
import { referencePaths } from '../../lambdas/portal/catalog/reference-pages.ts';
import { documentationPage } from '../../portal-static/build/documents/documentation.ts';
import searchValues from '../../portal-static/build/documents/examples/search-values.json' with {
  type: 'json',
};
import { memberOpenApi } from '../../portal-static/build/documents/openapi.ts';
import {
  describedOperations,
  operationAddress,
} from '../../portal-static/build/reference/described-operations.ts';
import { apiReference } from '../../portal-static/build/reference/reference.ts';
import { readAskedCall, tryPath } from '../../portal-static/pages/sandbox/asked-call.ts';
import { pathFault } from '../../portal-static/pages/sandbox/path-fault.ts';
import { member, operationsOf, responsesOf, service } from './documents.ts';

const openApi = memberOpenApi(service);
const { contents, chapters } = apiReference(service, openApi);
const pages = new Map(chapters.flatMap((chapter) => chapter.pages.map((page) => [page.path, page] as const)));
const described = describedOperations(openApi);

/** The text of HTML that the build has made. */
const textOf = (html: string) =>
  html
    .replace(/<[^>]+>/g, '')
    .replace(
      /&(lt|gt|quot|#39|amp);/g,
      (_, name: string) => ({ lt: '<', gt: '>', quot: '"', '#39': "'" })[name] ?? '&',
    );

/** The section of an operation, and its whole page. */
function sectionOf(operationId: string) {
  const operation = described.find((each) => each.operationId === operationId);
  if (operation === undefined) throw new Error(`${operationId} is not described`);
  const [path = '', anchor = ''] = operationAddress(operation).split('#');
  const page = pages.get(path);
  const section = page?.html.split(/(?=<h2 id=)/).find((part) => part.startsWith(`<h2 id="${anchor}">`));
  return { operation, page, section: section ?? '', text: textOf(section ?? '') };
}

describe('the API reference', () => {
  it('has a page for each path of the table, and its contents', () => {
    expect([contents.path, ...pages.keys()]).toEqual(referencePaths);
    expect(portalPages.prerendered).toEqual(expect.arrayContaining([...referencePaths]));
  });

  it('has every operation of the OpenAPI document once, and the contents lead to each', () => {
    const operations = operationsOf(member);
    expect(described).toHaveLength(operations.length);
    const addresses = described.map(operationAddress);
    expect(new Set(addresses).size).toBe(operations.length);
    for (const address of addresses) expect(contents.html).toContain(`href="${address}"`);
    for (const { id, method, path } of operations) {
      const { text } = sectionOf(id);
      // A parameter with one value stands as that.
      expect(text, id).toContain(`${method} ${path.replace('{operation}', '$everything')}`);
    }
  });

  it('has the operations of an interface on pages of that interface', () => {
    for (const { path, chapter } of described) {
      const name = interfaceNames.find((each) => path.startsWith(`${interfaces[each].basePath}/`));
      if (name !== undefined) expect(chapter, path).toBe(name);
    }
  });

  it('says of each operation its parameters, credentials, request and responses', () => {
    for (const { id, operation } of operationsOf(member)) {
      const { text, section } = sectionOf(id);
      expect(text, id).toContain('Credentials:');
      expect(text, id).toContain('Request');
      const isSame = /headers as in/i.test(text);
      for (const { name, in: place } of operation.parameters ?? []) {
        if (!isSame || place === 'path') expect(section, `${id} ${name}`).toContain(`<code>${name}</code>`);
      }
      for (const [status, { description = '' }] of responsesOf(member, operation)) {
        if (Number(status) < 400) expect(text, id).toContain(`${status} ${description.replaceAll('`', '')}`);
      }
    }
  });

  it('opens each call of an interface in the workbench, with values that a path there can have', () => {
    for (const { operationId, chapter, method, path } of described) {
      const { section } = sectionOf(operationId);
      const [, query = ''] = /href="\/try(?:\?([^"]*))?">Try it/.exec(section) ?? [];
      const asked = readAskedCall(query.replaceAll('&amp;', '&'));
      const isBelow = chapter === 'authorization' || path.startsWith(`${interfaces[chapter].basePath}/`);
      if (chapter === 'authorization' || !isBelow) expect(asked, operationId).toBeUndefined();
      else {
        expect(asked, operationId).toMatchObject({ product: chapter, method });
        expect(pathFault((asked?.path ?? '').replace(/\{\w+\}/g, '1')), operationId).toBeUndefined();
      }
      expect(section.includes('Try it'), operationId).toBe(isBelow);
    }
    const { section } = sectionOf('searchCoverage');
    expect(section).toContain('path=Coverage%3F');
  });

  it('has every error of each operation, with a link to what helps', () => {
    const errors = documentationPage('errors', service).html;
    for (const { id, operation } of operationsOf(member)) {
      const { page } = sectionOf(id);
      const table = page?.html.split('<h2 id="errors">')[1] ?? '';
      for (const [status, { content = {} }] of responsesOf(member, operation)) {
        if (Number(status) < 400) continue;
        expect(table, id).toContain(`<td>${status}</td>`);
        for (const { examples = {} } of Object.values(content)) {
          for (const { summary } of Object.values(examples) as { summary?: string }[]) {
            expect(textOf(table), id).toContain((summary ?? '').replaceAll('`', ''));
          }
        }
      }
    }
    const links = [...pages.values()].flatMap(({ html }) => [
      ...html.matchAll(/href="\/docs\/errors#([^"]+)"/g),
    ]);
    expect(links.length).toBeGreaterThan(500);
    for (const [, id] of links) expect(errors).toContain(`id="${id}"`);
  });

  it('leads nowhere that is not there, and keeps headings in order', () => {
    const known = new Set([
      ...portalPages.prerendered,
      ...documentationDownloads.map((name) => `/docs/${name}`),
      tryPath,
    ]);
    for (const { path, html, title } of [contents, ...pages.values()]) {
      expect(title).not.toBe('');
      expect(html, path).not.toMatch(/undefined|NaN|\[object/);
      const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(ids).size, path).toBe(ids.length);
      for (const [, target = '', fragment] of html.matchAll(/href="([^"#?]*)[#?]?([^"]*)"/g)) {
        if (target === '') expect(ids, path).toContain(fragment);
        else expect(known.has(target), `${target} on ${path}`).toBe(true);
        const there = target.startsWith('/reference/') && fragment ? pages.get(target)?.html : undefined;
        if (there !== undefined) expect(there, `${target}#${fragment}`).toContain(`id="${fragment}"`);
      }
      const levels = [...html.matchAll(/<h(\d)/g)].map(([, level]) => Number(level));
      for (const [at, level] of levels.entries()) {
        expect(level - (levels[at - 1] ?? 1), path).toBeLessThanOrEqual(1);
      }
    }
  });

  it('names the pages of the documentation that exist', () => {
    const named = [...pages.values()].flatMap(({ html }) => [
      ...html.matchAll(/href="\/docs\/([\w-]+)#?[^"]*"/g),
    ]);
    for (const [, name = ''] of named) expect(documentationPages).toContain(name);
  });

  it.each(Object.entries(searchValues))('shows for %s the values that find something', (chapter, types) => {
    const ofType = Object.entries(types).filter(([, values]) => Object.keys(values).length > 1);
    expect(ofType.length).toBeGreaterThan(7);
    for (const [type, values] of ofType) {
      const rows = pages.get(`/reference/${chapter}/${type}`)?.html.split('<tr>') ?? [];
      for (const [name, value] of Object.entries(values)) {
        const own = rows.filter((row) => row.startsWith(`<td><code>${name}</code></td>`)).map(textOf);
        expect(
          own.some((row) => row.includes(value)),
          `${type} ${name}`,
        ).toBe(true);
      }
    }
  });

  it('cuts a resource that the page shows already', () => {
    const { section } = sectionOf('searchExplanationOfBenefit');
    expect(section).toContain('shown above');
    expect(section).not.toContain('adjudication');
    expect(sectionOf('readExplanationOfBenefit').section).toContain('adjudication');
  });

  it('sends the operation’s own method, and no variable in the place of a “$” of FHIR', () => {
    expect(sectionOf('cancelJob').text).toContain('curl -X DELETE');
    expect(sectionOf('exportGroupByPost').text).toContain('curl -X POST');
    expect(sectionOf('readEverything').text).toContain('/%24everything"');
    expect(sectionOf('exportGroupForPayer').text).toContain(
      'exportType=hl7.fhir.us.davinci-pdex#payertopayer',
    );
    expect(sectionOf('token').text).toContain('code=$CODE');
  });

  it('sends the IDs of members who are in the sandbox', () => {
    const pages = [
      'findDocumentsByPost',
      'searchMatchedPatientByForm',
      'readEverything',
      'readMatchedPatient',
    ];
    for (const id of pages) {
      const [, request = ''] = sectionOf(id).section.split('curl');
      const command = request.split('</pre>')[0];
      expect(command, id).not.toMatch(/8c0f6f2e-4d0b|0a1b2c3d/);
    }
  });
});
