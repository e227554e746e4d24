import type { ComponentChildren } from 'preact';

export { Steps } from './steps.tsx';

export function Tag(props: {
  readonly kind?: 'neutral' | 'good' | 'waiting' | 'bad';
  readonly children: ComponentChildren;
}) {
  return <span class={`usa-tag tag--${props.kind ?? 'neutral'}`}>{props.children}</span>;
}

/** A table with its caption. In a narrow window each row becomes a card, except in a table with few short columns. */
export function DataTable(props: {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly ComponentChildren[] }[];
  /** Shown if there is no row. */
  readonly empty?: ComponentChildren;
  readonly compact?: boolean;
  /** Set if every column but the first has numbers, which are aligned at their end. */
  readonly numbers?: boolean;
}) {
  if (props.rows.length === 0 && props.empty !== undefined) return <p class="empty">{props.empty}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1).
    <section class="table-frame" aria-label={props.caption} tabIndex={0}>
      <table
        class={`usa-table usa-table--borderless${props.compact === true ? '' : ' table--cards'}${props.numbers === true ? ' table--numbers' : ''}`}
      >
        <caption>{props.caption}</caption>
        <thead>
          <tr>
            {props.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr key={row.key}>
              {row.cells.map((cell, index) =>
                index === 0 ? (
                  <th key={props.columns[index]} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={props.columns[index]} data-label={props.columns[index]}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A description list of names and values. */
export function Facts(props: { readonly facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {props.facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export interface TimelineEntry {
  readonly id: string;
  /** ISO 8601 */
  readonly at: string;
  readonly title: string;
  readonly by?: string;
  readonly words?: ComponentChildren;
}

/** A timeline of events, in the caller's order. */
export function Timeline(props: { readonly entries: readonly TimelineEntry[] }) {
  return (
    <ol class="timeline">
      {props.entries.map((entry) => (
        <li key={entry.id}>
          <p class="timeline__title">{entry.title}</p>
          <p class="timeline__when">
            <Time at={entry.at} />
            {entry.by !== undefined && ` by ${entry.by}`}
          </p>
          {entry.words !== undefined && <div class="timeline__words">{entry.words}</div>}
        </li>
      ))}
    </ol>
  );
}

/** A time in the reader's time zone. Shows the zone, because members of a team may be in several. */
export function Time(props: { readonly at: string; readonly seconds?: boolean }) {
  const text = new Date(props.at).toLocaleString('en-US', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    ...(props.seconds === true ? { second: '2-digit' } : {}),
    timeZoneName: 'short',
  });
  return <time dateTime={props.at}>{text}</time>;
}

/** A date in UTC, whatever the reader's time zone; it names the zone. */
export function Day(props: { readonly at: string }) {
  const text = new Date(props.at).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
  return <time dateTime={props.at.slice(0, 10)}>{text} UTC</time>;
}

/** Tabs that are links: each view has a URL of its own. */
export function Tabs(props: {
  readonly label: string;
  readonly tabs: readonly { readonly href: string; readonly text: string }[];
  readonly path: string;
}) {
  return (
    <nav class="tabs" aria-label={props.label}>
      <ul>
        {props.tabs.map((tab) => (
          <li key={tab.href}>
            <a href={tab.href} {...(tab.href === props.path ? { 'aria-current': 'page' as const } : {})}>
              {tab.text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A table of differences with each field before and after. Marked by words and signs, not by color alone. */
export function Diff(props: {
  readonly caption: string;
  readonly before: string;
  readonly after: string;
  readonly rows: readonly { readonly name: string; readonly before: string; readonly after: string }[];
}) {
  return (
    <DataTable
      caption={props.caption}
      columns={['Field', props.before, props.after]}
      rows={props.rows.map((row) => ({
        key: row.name,
        cells: [
          row.name,
          <del key="before">{row.before || 'nothing'}</del>,
          <ins key="after">{row.after || 'nothing'}</ins>,
        ],
      }))}
    />
  );
}
