/** The frame of every page of the portal: title, heading, lead, focus after a change of page. */

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { NotLoaded } from '../components/later.tsx';
import { site } from './site.ts';

let pagesShown = 0;

/** Moves the focus to the page's heading, after an action whose button has disappeared. */
export function focusHeading(): void {
  document.querySelector('h1')?.focus();
}

/**
 * The layout of a view: heading and document title. A view that replaces another moves the focus to its heading, as screen readers expect
 * of a new document; the first view after loading does not.
 */
export function Page(props: {
  readonly title: string;
  /** Text above the title: "Step 2 of 3". */
  readonly over?: ComponentChildren;
  /** One or two sentences below the title. */
  readonly lead?: ComponentChildren;
  /** `wide` for tables and consoles. */
  readonly width?: 'form' | 'text' | 'wide';
  readonly children?: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${props.title} – ${site.name}`;
    if (pagesShown > 0) heading.current?.focus();
    pagesShown += 1;
  }, [props.title]);
  return (
    <div class={`page page--${props.width ?? 'form'}`}>
      {props.over !== undefined && <p class="page__over">{props.over}</p>}
      <h1 ref={heading} tabIndex={-1}>
        {props.title}
      </h1>
      {props.lead !== undefined && <p class="page__lead">{props.lead}</p>}
      {props.children}
    </div>
  );
}

/** Shown if the code of a page could not be loaded. */
export function NotLoadedPage() {
  return (
    <Page title="This page did not load">
      <NotLoaded />
    </Page>
  );
}
