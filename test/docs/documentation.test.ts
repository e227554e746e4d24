import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  pageSizes,
  patientAccessTypes,
  recordSearchParameters,
  searchBounds,
  servedResource,
} from '../../lambdas/catalog/fhir/fhir-resources.ts';
import { fhirRoutes } from '../../lambdas/catalog/fhir/fhir-routes.ts';
import { authorizationParameters } from '../../lambdas/catalog/oauth/authorization-parameters.ts';
import {
  authorizationErrors,
  bearerErrors,
  tokenErrors,
  unredirectableReasons,
} from '../../lambdas/catalog/oauth/oauth-errors.ts';
import {
  accountStates,
  accountTransitions,
  type PortalTransition,
} from '../../lambdas/portal/catalog/account-states.ts';
import { agreements } from '../../lambdas/portal/catalog/agreements.ts';
import {
  applicationStates,
  applicationTransitions,
  changeStates,
  changeTransitions,
  decisionCriteria,
} from '../../lambdas/portal/catalog/application-states.ts';
import {
  type DocumentationPageName,
  documentationPages,
} from '../../lambdas/portal/catalog/documentation-pages.ts';
import { portalLimits } from '../../lambdas/portal/catalog/limits.ts';
import { portalProblems } from '../../lambdas/portal/catalog/problems.ts';
import { documentationPage } from '../../portal-static/build/documents/documentation.ts';
import { durationText } from '../../portal-static/build/documents/markdown-table.ts';
import {
  type DrawnMachine,
  drawnMachines,
  stateDiagram,
  undrawnActs,
} from '../../portal-static/build/documents/state-diagram.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import { service } from './documents.ts';

const made = new Map<DocumentationPageName, string>();
/** The HTML of a page, made once. */
function html(name: DocumentationPageName): string {
  const kept = made.get(name) ?? documentationPage(name, service).html;
  made.set(name, kept);
  return kept;
}
/** The visible text of a page. */
const text = (name: DocumentationPageName) =>
  html(name)
    .replace(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
const shown = (words: string) => words.replaceAll('`', '');

describe('the public documentation', () => {
  it('says where a token alone lets a call in, and nothing of it where it nowhere does', () => {
    const words = 'does not need the subscription key';
    const optional = { subscriptionKey: 'optional' } as const;
    const { sandbox, production } = service.environments;
    const said = (environments: typeof service.environments) =>
      documentationPage('interfaces', { ...service, environments }).html;
    expect(html('interfaces')).not.toContain(words);
    const one = said({ sandbox: { ...sandbox, ...optional }, production });
    expect(one).toContain(`In the sandbox a call with a member’s access token ${words}`);
    const both = said({ sandbox: { ...sandbox, ...optional }, production: { ...production, ...optional } });
    expect(both).toContain(`In both environments a call with a member’s access token ${words}`);
  });

  it('has a text for every page of the table, and none beside', () => {
    const files = readdirSync(join(repositoryRoot, 'portal-static', 'docs')).filter((name) =>
      name.endsWith('.md'),
    );
    expect(files.sort()).toEqual(documentationPages.map((name) => `${name}.md`).sort());
  });

  it.each(documentationPages)('fills everything in on %s, and keeps its headings in order', (name) => {
    const { title, description, html: body } = documentationPage(name, service);
    expect(title).not.toBe('');
    expect(description).toMatch(/\.$/);
    expect(body).not.toMatch(/\{\{[a-z-]|undefined|NaN|\[object/);
    const levels = [...body.matchAll(/<h(\d)/g)].map(([, level]) => Number(level));
    levels.forEach((level, index) => {
      expect(level).toBeGreaterThan(1);
      expect(level - (levels[index - 1] ?? 1)).toBeLessThanOrEqual(1);
    });
  });

  it('names no other deployment’s hosts', () => {
    const elsewhere = { ...service, portal: 'https://portal.elsewhere.example' };
    const page = documentationPage('hosts', elsewhere).html;
    expect(page).toContain('https://portal.elsewhere.example/api/status');
    expect(page).toContain(service.environments.production.origins.apiTemplate);
  });

  it('lists every error an application can meet, with what helps', () => {
    const errors = text('errors');
    const page = html('errors');
    const oauth = {
      token: tokenErrors,
      authorization: authorizationErrors,
      page: unredirectableReasons,
      bearer: bearerErrors,
    };
    for (const [kind, table] of Object.entries(oauth)) {
      for (const [code, { meaning, fix }] of Object.entries(table)) {
        expect(page).toContain(`<code id="${kind}-${code}">${code}</code>`);
        expect(errors).toContain(shown(meaning));
        expect(errors).toContain(shown(fix));
      }
    }
    // The text of each row and how its error occurs are tested in test/journeys/documented-errors.test.ts.
    expect(page.match(/id="fhir-/g)?.length).toBeGreaterThan(6);
    expect(page.match(/id="gateway-fhir-/g)?.length).toBeGreaterThan(8);
    for (const [code, { title, fix }] of Object.entries(portalProblems)) {
      expect(page).toContain(`<code id="${code}">${code}</code>`);
      expect(errors).toContain(title);
      expect(errors).toContain(shown(fix));
    }
  });

  it('lists every parameter, route, state, criterion and agreement of the tables', () => {
    for (const [name, { meaning }] of Object.entries(authorizationParameters)) {
      expect(text('authorization')).toContain(name);
      expect(text('authorization')).toContain(shown(meaning));
    }
    for (const { method, path } of fhirRoutes) expect(text('interfaces')).toContain(`${method} ${path}`);
    for (const states of [applicationStates, changeStates, accountStates]) {
      for (const [state, meaning] of Object.entries(states)) {
        expect(html('lifecycle')).toContain(`<code>${state}</code>`);
        expect(text('lifecycle')).toContain(meaning);
      }
    }
    for (const { name, meaning } of Object.values(decisionCriteria)) {
      expect(text('decision-criteria')).toContain(name);
      expect(text('decision-criteria')).toContain(meaning);
    }
    for (const { version, sections, acceptance } of Object.values(agreements)) {
      const all = [
        version,
        acceptance,
        ...sections.flatMap(({ heading, paragraphs }) => [heading, ...paragraphs]),
      ];
      for (const words of all) expect(text('agreements')).toContain(words);
    }
  });

  it.each([
    ['patient', 20],
    ['claims', 60],
  ] as const)('says of every field on %s what it is', (page, least) => {
    const rows = [
      ...html(page).matchAll(/<tr><td><code>([^<]+)<\/code><\/td><td>([^<]*)<\/td><td>(.*?)<\/td>/g),
    ];
    expect(rows.length).toBeGreaterThan(least);
    const leaves = rows.filter(([, , type = '']) => !type.startsWith('array of objects'));
    for (const [, name, , notes = ''] of leaves) expect(notes, name).toMatch(/\w/);
  });

  it('lists every parameter of every search, every include, and the sizes of a page', () => {
    for (const type of patientAccessTypes) {
      const { searchParameters, includes } = servedResource(type);
      for (const { name, documentation } of [...recordSearchParameters, ...searchParameters]) {
        expect(html('search')).toContain(`<code>${name}</code>`);
        expect(text('search')).toContain(shown(documentation));
      }
      if (type === 'ExplanationOfBenefit') {
        for (const include of includes) expect(text('search')).toContain(`${type}:${include}`);
      }
      expect(`${text('claims')} ${text('clinical')}`).toContain(type);
      expect(text('authorization')).toContain(`patient/${type}.read`);
    }
    for (const bound of [...Object.values(pageSizes), ...Object.values(searchBounds)]) {
      expect(text('limits')).toContain(bound.toLocaleString('en-US'));
    }
  });

  it('says the limits that are enforced and deployed', () => {
    const limits = text('limits');
    const rows = [...html('limits').matchAll(/<tr><td>/g)];
    const { sandbox, production } = service.environments;
    // Rows for the lifetimes, for each usage plan, and for each limit of the portal.
    const plans = [sandbox, production].flatMap(({ tiers }) => Object.values(tiers));
    expect(rows.length).toBeGreaterThanOrEqual(7 + plans.length + Object.keys(portalLimits).length);
    for (const { requestsPerDay } of plans) expect(limits).toContain(requestsPerDay.toLocaleString('en-US'));
    expect(limits).toContain(durationText(sandbox.memberAccessTokenSeconds));
    expect(limits).toContain(durationText(portalLimits.codeSeconds));
  });
});

describe('a duration in words', () => {
  it.each([
    [1, '1 second'],
    [60, '1 minute'],
    [90, '90 seconds'],
    [1800, '30 minutes'],
    [3600, '1 hour'],
    [86_400 * 395, '395 days'],
  ])('of %i seconds is %s', (seconds, words) => {
    expect(durationText(seconds)).toBe(words);
  });
});

describe('the pictures of the states', () => {
  const machines = {
    application: { drawn: Object.keys(applicationStates).length - 1, transitions: applicationTransitions },
    change: { drawn: Object.keys(changeStates).length, transitions: changeTransitions },
    account: { drawn: Object.keys(accountStates).length - 1, transitions: accountTransitions },
  } satisfies Readonly<Record<DrawnMachine, object>>;

  it.each(drawnMachines)('draw of the machine %s each state once, and each way between two', (name) => {
    const picture = stateDiagram(name);
    const acts = Object.entries<PortalTransition<string>>(machines[name].transitions).filter(
      ([act]) => !undrawnActs(name).includes(act),
    );
    const ways = acts.flatMap(([act, { from, to }]) =>
      from.filter((state) => state !== to).map((state) => ({ act, way: `${state} ${to}` })),
    );
    expect([...picture.matchAll(/class="diagram__way"/g)]).toHaveLength(
      new Set(ways.map(({ way }) => way)).size,
    );
    const words = picture.replace(/<\/tspan>/g, ' ').replace(/<[^>]+>/g, '');
    for (const { act } of ways) expect(words).toContain(act.replace(/_change(?!s)/, '').replaceAll('_', ' '));
    const boxes = [...picture.matchAll(/<rect class="diagram__state" x="([\d.]+)" y="([\d.]+)"/g)];
    expect(new Set(boxes.map(([, x, y]) => `${x} ${y}`)).size).toBe(boxes.length);
    // An end to which nearly every state leads is told in words.
    expect(boxes).toHaveLength(machines[name].drawn);
    expect(html('lifecycle')).toContain(picture);
  });

  it.each(drawnMachines)('name what the table says of each act of the machine %s', (name) => {
    for (const { condition = '' } of Object.values<PortalTransition<string>>(machines[name].transitions)) {
      expect(text('lifecycle')).toContain(condition);
    }
  });
});
