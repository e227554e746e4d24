/** Shows JSON in colors, foldable, with FHIR references as links that call a function. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { addressOf } from './fhir-address.ts';

/** Base and receiver of the addresses in a response. */
export interface Follow {
  /** FHIR base of relative references; if empty, references are not links. */
  readonly base: string;
  /** Called with an address below the base. */
  readonly onAddress: (url: string) => void;
}

/** Depth down to which parts are unfolded at first. */
const firstDepth = 3;

/** Shows a text: foldable and in colors if it is JSON, otherwise unchanged. */
export function JsonView(props: {
  readonly text: string;
  readonly label: string;
  readonly follow?: Follow | undefined;
}) {
  const [unfolded, setUnfolded] = useState(false);
  const value = parsed(props.text);
  const depth = unfolded ? Number.POSITIVE_INFINITY : firstDepth;
  return (
    <>
      {value !== undefined && (
        <p class="json__act">
          <button
            type="button"
            class="usa-button usa-button--unstyled"
            aria-pressed={unfolded}
            onClick={() => setUnfolded(!unfolded)}
          >
            Unfold all<span class="usa-sr-only"> of the {props.label}</span>
          </button>
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1). */}
      <section class="code-block json" tabIndex={0} aria-label={props.label}>
        {value === undefined ? (
          <pre>{props.text}</pre>
        ) : (
          // Renders anew when the depth changes, so that each part is unfolded to the new depth.
          <Part
            key={`${props.text.length} ${depth}`}
            value={value}
            depth={depth}
            follow={props.follow}
            isLast
          />
        )}
      </section>
    </>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface PartProps {
  readonly name?: string;
  readonly value: unknown;
  /** Number of levels below this one that are unfolded at first. */
  readonly depth: number;
  readonly follow: Follow | undefined;
  readonly isLast: boolean;
}

function Part(props: PartProps) {
  const { name, value, isLast } = props;
  const key = name !== undefined && (
    <>
      <span class="token property">{JSON.stringify(name)}</span>:{' '}
    </>
  );
  const comma = isLast ? '' : ',';
  if (typeof value !== 'object' || value === null) {
    return (
      <div class="json__line">
        {key}
        <Leaf {...props} />
        {comma}
      </div>
    );
  }
  const isList = Array.isArray(value);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const entries = Object.entries(value);
  if (entries.length === 0) {
    return (
      <div class="json__line">
        {key}
        {open}
        {close}
        {comma}
      </div>
    );
  }
  const count = `${entries.length} ${isList ? 'entries' : 'members'}`;
  return (
    <Fold isOpen={props.depth > 0} head={key} open={open} close={`${close}${comma}`} count={count}>
      {() =>
        entries.map(([entry, inner], index) => (
          <Part
            key={entry}
            {...(isList ? {} : { name: entry })}
            value={inner}
            depth={props.depth - 1}
            follow={props.follow}
            isLast={index === entries.length - 1}
          />
        ))
      }
    </Fold>
  );
}

/** A list or an object that folds. Its content is rendered when it is unfolded first: a page of claims has thousands of lines. */
function Fold(props: {
  readonly isOpen: boolean;
  readonly head: ComponentChildren;
  readonly open: string;
  readonly close: string;
  readonly count: string;
  readonly children: () => ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(props.isOpen);
  return (
    <details class="json__part" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {props.head}
        {props.open}
        {!isOpen && (
          <>
            <span class="json__count"> {props.count} </span>
            {props.close}
          </>
        )}
      </summary>
      {isOpen && (
        <>
          <div class="json__inside">{props.children()}</div>
          <div>{props.close}</div>
        </>
      )}
    </details>
  );
}

function Leaf({ name, value, follow }: PartProps) {
  if (typeof value !== 'string') {
    return <span class={`token ${typeof value === 'number' ? 'number' : 'boolean'}`}>{String(value)}</span>;
  }
  const url = follow === undefined || follow.base === '' ? undefined : addressOf(name, value, follow.base);
  const text = <span class="token string">{JSON.stringify(value)}</span>;
  if (url === undefined) return text;
  return (
    <button
      type="button"
      class="usa-button usa-button--unstyled json__follow"
      onClick={() => follow?.onAddress(url)}
    >
      {text}
    </button>
  );
}
