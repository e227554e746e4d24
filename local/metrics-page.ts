/** The page of metrics: the dashboards of the templates with what this machine counted in the last hour, and the saved queries. */

import { html } from 'hono/html';
import type { AlarmState, CloudWatch } from './cloudwatch/cloudwatch.ts';
import { type Dashboard, type Graph, type LogQuery, shownMs } from './cloudwatch/dashboards.ts';
import { compileQuery, type QueryResult } from './cloudwatch/insights.ts';
import { lineChart, numberText } from './cloudwatch/line-chart.ts';
import { type Html, htmlPage, tabs } from './html-page.ts';

export interface MetricsPageDeps {
  readonly watch: Pick<CloudWatch, 'dashboards' | 'drawn'>;
  readonly alarms: () => readonly AlarmState[];
  readonly readLog: (group: string) => readonly { readonly timestamp: number; readonly message: string }[];
  readonly now: () => number;
}

/**
 * `GET /metrics?dashboard=sandbox`: the dashboard of an environment, by default the first. With `query=NAME` the result of a
 * saved query instead, in which `value` replaces the text in capitals that some queries ask for. Undefined if there is no such dashboard or query.
 */
export function metricsPage(deps: MetricsPageDeps, parameters: URLSearchParams): string | undefined {
  const { dashboards } = deps.watch;
  const wanted = parameters.get('dashboard') ?? dashboards[0]?.environment;
  const dashboard = dashboards.find(({ environment }) => environment === wanted);
  if (dashboard === undefined) return undefined;
  const name = parameters.get('query');
  if (name === null) return overview(deps, dashboard);
  const query = dashboard.saved.find(({ title }) => title === name);
  return query === undefined ? undefined : queryPage(deps, dashboard, query, parameters.get('value') ?? '');
}

/** The text of a query that a person replaces: `CLIENT-ID`. */
const placeholder = /[A-Z]+-ID/g;

function overview(deps: MetricsPageDeps, dashboard: Dashboard): string {
  const { watch, alarms } = deps;
  const ringing = alarms().filter(
    ({ name, state }) => state === 'ALARM' && name.startsWith(`${dashboard.environment}-`),
  );
  return htmlPage({
    title: `Metrics of ${dashboard.environment}`,
    styles,
    content: html`${tabs('/metrics')}
      <h1>Metrics of ${dashboard.environment}</h1>
      <p class="lead">The last hour on this machine, by the dashboard <code>${dashboard.name}</code> of the templates. In the cloud CloudWatch shows the same.</p>
      <nav class="toolbar" aria-label="Dashboards">${watch.dashboards.map(({ environment }) =>
        environment === dashboard.environment
          ? html`<b aria-current="page">${environment}</b>`
          : html`<a href="/metrics?dashboard=${environment}">${environment}</a>`,
      )}</nav>
      ${
        ringing.length === 0
          ? html`<p>No alarm of ${dashboard.environment} rings.</p>`
          : html`<h2>Alarms that ring</h2><ul>${ringing.map(({ description }) => html`<li>${description}</li>`)}</ul>`
      }
      <div class="graphs">${dashboard.graphs.map((graph) => graphArticle(graph, deps))}</div>
      ${dashboard.tables.map(
        (query) =>
          html`<article><h2>${query.title}</h2>${resultTable(query.title, resultOf(query, deps))}</article>`,
      )}
      <h2>Saved queries</h2>
      <ul>${dashboard.saved.map(
        ({ title }) =>
          html`<li><a href="/metrics?${new URLSearchParams({ dashboard: dashboard.environment, query: title }).toString()}">${title}</a></li>`,
      )}</ul>`,
  });
}

function graphArticle(graph: Graph, { watch, now }: MetricsPageDeps): Html {
  const { from, lines } = watch.drawn(graph);
  return html`<article>
    <h2>${graph.title}</h2>
    ${lineChart({ title: graph.title, unit: graph.unit, lines, from, until: now() })}
  </article>`;
}

function queryPage(
  deps: MetricsPageDeps,
  { environment }: Dashboard,
  query: LogQuery,
  value: string,
): string {
  const [asked] = query.text.match(placeholder) ?? [];
  // IDs have no quotation marks, which would end the text in the query.
  const text = query.text.replaceAll(placeholder, value.replaceAll(/[^\w.-]/g, ''));
  const isComplete = asked === undefined || value !== '';
  return htmlPage({
    title: `${query.title}: ${environment}`,
    styles,
    content: html`${tabs('/metrics')}
      <h1>${query.title}</h1>
      <p class="lead">A saved query over ${query.logGroups.length} log groups of ${environment}, the last hour.</p>
      <p><a href="/metrics?dashboard=${environment}">All metrics of ${environment}</a></p>
      ${
        asked === undefined
          ? ''
          : html`<form action="/metrics">
              <input type="hidden" name="dashboard" value="${environment}" /><input type="hidden" name="query" value="${query.title}" />
              <label for="value">${asked}</label> <input id="value" name="value" value="${value}" required /> <button>Run query</button>
            </form>`
      }
      <article><h2>Query</h2><pre>${isComplete ? text : query.text}</pre></article>
      ${
        isComplete
          ? html`<article><h2>Result</h2>${resultTable(query.title, resultOf({ ...query, run: compileQuery(text) }, deps))}</article>`
          : ''
      }`,
  });
}

function resultOf(query: LogQuery, { readLog, now }: MetricsPageDeps): QueryResult {
  const from = now() - shownMs;
  return query.run(
    query.logGroups.flatMap((log) =>
      readLog(log)
        .filter(({ timestamp }) => timestamp >= from)
        .map((event) => ({ ...event, log })),
    ),
  );
}

function resultTable(caption: string, { columns, rows }: QueryResult): Html {
  if (rows.length === 0) return html`<p class="none">No line of the last hour matches.</p>`;
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table>
    <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
    <tbody>${rows.map(
      (row) =>
        html`<tr>${row.map((value) => html`<td>${typeof value === 'number' ? numberText(value) : (value ?? '')}</td>`)}</tr>`,
    )}</tbody>
  </table></div>`;
}

const styles = `
main { max-width: 80rem; }
h1, h2 { overflow-wrap: anywhere; }
article { margin: 0 0 1rem; min-width: 0; }
.graphs { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 0 1rem; }
.chart { display: block; width: 100%; height: 9rem; border-bottom: 1px solid var(--line); border-top: 1px dotted var(--line); }
.chart path { fill: none; stroke-width: 3; stroke-linecap: round; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
.axis { display: flex; justify-content: space-between; color: var(--quiet); font-size: 0.85rem; }
.legend { list-style: none; margin: 0.5rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.125rem 1rem; font-size: 0.9rem; }
.legend svg { width: 1.75rem; height: 0.6rem; margin-right: 0.375rem; }
.legend path { fill: none; stroke-width: 3; }
form { margin: 0 0 1rem; }
input, button { font: inherit; padding: 0.25rem 0.5rem; max-width: 100%; }
.none { color: var(--quiet); }
.scroll { overflow-x: auto; }
.scroll:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
table { border-collapse: collapse; font-size: 0.9rem; }
th, td { text-align: left; padding: 0.25rem 1rem 0.25rem 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
td { font-variant-numeric: tabular-nums; }
.line0 { stroke: light-dark(#0b5394, #6cb6ff); } .line1 { stroke: light-dark(#a3360b, #ffab70); } .line2 { stroke: light-dark(#1d6b3a, #6fdd8b); }
.line3 { stroke: light-dark(#7a3ba8, #d2a8ff); } .line4 { stroke: light-dark(#8a6100, #e3b341); } .line5 { stroke: light-dark(#0b6e75, #56d4dd); }
.line6 { stroke: light-dark(#a11a5b, #ff9bce); } .line7 { stroke: light-dark(#4a5361, #b3bdca); }
.dashed { stroke-dasharray: 7 5; }
`;
