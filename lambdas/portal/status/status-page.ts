/** Renders the status page as HTML without scripts. Header and footer come from a static page of the portal's site. */

import { html } from 'hono/html';
import type { Environment } from '../../catalog/environments.ts';
import { linesOfBusiness } from '../../catalog/lines-of-business.ts';
import {
  componentKinds,
  type IncidentSeverity,
  incidentSeverities,
  measuredEveryMinutes,
  statusFeedPath,
  statusPath,
} from '../catalog/status.ts';
import { dayBars } from './day-bars.ts';
import { type ComponentNow, type IncidentNow, openSeverity, type Status } from './read-status.ts';
import { counted, scopeWords, timeWords } from './status-words.ts';

type Markup = ReturnType<typeof html>;

/** Production first: it is what most visitors ask about. */
const shownEnvironments = [
  ['production', 'Production'],
  ['sandbox', 'Sandbox'],
] as const satisfies readonly (readonly [Environment, string])[];

/** Renders the `main` element of the page. */
export function statusPage(status: Status): string {
  const { incidents, measuredAt } = status;
  const current = incidents.filter(({ state }) => state !== 'over');
  const past = incidents.filter(({ state }) => state === 'over');
  const markup = html`<div class="page status">
<h1>Status</h1>
<p class="page__lead">${summary(status)}</p>
<p>${measuredAt === undefined ? '' : html`Measured ${time(measuredAt)}. `}Every ${measuredEveryMinutes} minutes, each component is called at its public address. <a href="${statusPath}">Load the newest status</a>, subscribe to the <a href="${statusFeedPath}">feed of incidents</a>, or read the <a href="/api/status">status as JSON</a>.</p>
<section aria-labelledby="incidents"><h2 id="incidents">Incidents and maintenance</h2>
${current.length === 0 ? html`<p>No incident is open, and no maintenance is scheduled.</p>` : current.map(currentIncident)}
</section>
<section aria-labelledby="portal"><h2 id="portal">Developer portal</h2>
<ul class="status__list">${card(status, 'Pages and API', undefined, componentsAt(status, undefined, undefined), [])}</ul>
</section>
${shownEnvironments.map(([environment, name]) => environmentSection(status, environment, name))}
<section aria-labelledby="past"><h2 id="past">Past incidents</h2>
${past.length === 0 ? html`<p>No incident or maintenance ended in the last ${status.days.length} days.</p>` : past.map(pastIncident)}
</section>
</div>`;
  if (markup instanceof Promise) throw new TypeError('the page has nothing to wait for');
  return markup.toString();
}

/** One sentence about all components. */
function summary({ measuredAt, isStale, components, incidents }: Status): string {
  const open = incidents.filter(
    ({ state, severity }) => state === 'open' && severity !== 'maintenance',
  ).length;
  const reported = open === 0 ? '' : ` ${counted(open, 'incident is', 'incidents are')} open.`;
  if (measuredAt === undefined) return `The status is unknown: nothing has been measured yet.${reported}`;
  if (isStale)
    return `The status is unknown: the last measurement is of ${timeWords(measuredAt)}.${reported}`;
  const measured = components.filter(({ state }) => state !== 'unknown');
  const failing = measured.filter(({ state }) => state === 'fails');
  if (failing.length === 0) return `All ${measured.length} measured components answer.${reported}`;
  return `${failing.length} of ${measured.length} measured components ${failing.length === 1 ? 'does' : 'do'} not answer.${reported}`;
}

function componentsAt({ components }: Status, environment: string | undefined, lob: string | undefined) {
  return components.filter((component) => component.environment === environment && component.lob === lob);
}

function environmentSection(status: Status, environment: Environment, name: string): Markup {
  const lobs = Object.entries(linesOfBusiness).map(([lob, { name: plan }]) =>
    card(status, lob, plan, componentsAt(status, environment, lob), loaded(status, environment, lob)),
  );
  const shared = componentsAt(status, environment, undefined);
  return html`<section aria-labelledby="${environment}"><h2 id="${environment}">${name}</h2>
<ul class="status__list">${card(status, 'All lines of business', undefined, shared, [])}${lobs}</ul>
</section>`;
}

const stateTags = {
  answers: { color: 'good', name: 'Answers' },
  fails: { color: 'bad', name: 'Does not answer' },
  unknown: { color: 'neutral', name: 'Unknown' },
} as const;

const severityTags: Readonly<Record<IncidentSeverity, string>> = {
  degraded: 'waiting',
  outage: 'bad',
  maintenance: 'neutral',
};

function tag(color: string, name: string): Markup {
  return html`<span class="usa-tag tag--${color}">${name}</span>`;
}

/** A group of components that have one row of bars. */
function card(
  status: Status,
  name: string,
  about: string | undefined,
  components: readonly ComponentNow[],
  facts: readonly (readonly [string, Markup])[],
): Markup {
  const states = components.map(({ id, kind, state, latencyMs }): [string, Markup] => {
    const severity = openSeverity(status, [id]);
    const { color, name: says } = stateTags[state];
    return [
      componentKinds[kind].name,
      html`${tag(color, says)}${severity === undefined ? '' : html` ${tag(severityTags[severity], incidentSeverities[severity].name)}`}${latencyMs === undefined ? '' : html` <span class="quiet">${latencyMs.toLocaleString('en-US')} ms</span>`}`,
    ];
  });
  return html`<li class="status__card"><h3>${name}${about === undefined ? '' : html` <span class="quiet">${about}</span>`}</h3>
<dl class="status__facts">${[...states, ...facts].map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>
${dayBars(
  status,
  components.map(({ id }) => id),
)}</li>`;
}

/** The freshness of a LOB's data: of its members, and of its directory. */
function loaded(status: Status, environment: string, lob: string): readonly (readonly [string, Markup])[] {
  const isHere = (each: { readonly environment: string; readonly lob: string }) =>
    each.environment === environment && each.lob === lob;
  const data = status.data.find(isHere);
  const directory = status.directories.find(isHere);
  const hasDirectory = linesOfBusiness[lob as keyof typeof linesOfBusiness].providerDirectory;
  const members =
    data === undefined
      ? html`${tag('neutral', 'Unknown')} no load by a drop yet`
      : html`${data.late ? tag('bad', 'Late') : tag('good', 'On time')} ${data.reconciledAt === undefined ? '' : html`loaded ${time(data.reconciledAt)}, `}next due by ${time(data.freshUntil)}`;
  const published =
    directory === undefined
      ? html`${tag('neutral', 'Unknown')} none is published yet`
      : html`published ${time(directory.builtAt)}`;
  return [['Members’ data', members], ...(hasDirectory ? ([['Directory’s data', published]] as const) : [])];
}

const time = (at: string): Markup => html`<time datetime="${at}">${timeWords(at)}</time>`;

const alerts: Readonly<Record<IncidentSeverity, string>> = {
  degraded: 'warning',
  outage: 'error',
  maintenance: 'info',
};

function currentIncident(incident: IncidentNow): Markup {
  return html`<article class="usa-alert usa-alert--${alerts[incident.severity]}" id="${incident.id}"><div class="usa-alert__body">
<h3 class="usa-alert__heading">${incident.title}</h3>
${incidentText(incident)}</div></article>`;
}

function pastIncident(incident: IncidentNow): Markup {
  return html`<article id="${incident.id}"><h3>${incident.title}</h3>
${incidentText(incident)}</article>`;
}

function incidentText({
  severity,
  state,
  scope,
  startsAt,
  endsAt,
  resolvedAt,
  updates,
}: IncidentNow): Markup {
  const end = resolvedAt ?? endsAt;
  const period = html`${time(startsAt)}${end === undefined ? html`, not over` : html` to ${time(end)}`}`;
  return html`<p>${incidentSeverities[severity].name}${state === 'scheduled' ? ', scheduled' : ''}: ${period}. Touches: ${scopeWords(scope)}.</p>
<ol class="status__updates">${updates.toReversed().map(({ at, text }) => html`<li><p class="quiet">${time(at)}</p><p class="keep-lines">${text}</p></li>`)}</ol>`;
}
