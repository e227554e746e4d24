/** Component: a text that must be scrolled to the end before it can be accepted. */

import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Agreement } from '../../lambdas/portal/catalog/agreements.ts';
import { AgreementText } from './agreement-text.tsx';

interface ScrollToAcceptProps {
  readonly agreement: Agreement;
  /** Label of the button: "Accept", "Submit". */
  readonly action: string;
  readonly pending?: boolean;
  readonly onAccept: () => void;
}

/** Pixels below the end of the text that rounding and zoom may leave unscrolled. */
const tolerance = 2;

/**
 * A text to read before accepting it: the button works after the whole text was scrolled and the box was selected. The text takes the
 * focus, so that arrow keys, Page Down and End scroll it. A text that fits its frame needs no scrolling.
 *
 * Source: docs/service.md S2.6, S3.3.
 */
export function ScrollToAccept(props: ScrollToAcceptProps) {
  const { agreement } = props;
  const id = useId();
  const text = useRef<HTMLElement>(null);
  const [read, setRead] = useState(false);
  const [ticked, setTicked] = useState(false);
  useEffect(() => {
    const element = text.current;
    if (element === null) return undefined;
    const look = () => {
      if (element.scrollTop + element.clientHeight >= element.scrollHeight - tolerance) setRead(true);
    };
    // The height of the text changes with the window, the zoom and the font.
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [agreement]);
  const ready = read && ticked && props.pending !== true;
  return (
    <div class="agreement">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1). */}
      <section ref={text} class="agreement__text" aria-label={agreement.title} tabIndex={0}>
        <AgreementText agreement={agreement} />
      </section>
      <p class="agreement__state" id={`${id}-state`} role="status">
        {read ? 'You have reached the end of the text.' : 'Scroll to the end of the text to continue.'}
      </p>
      <div class="usa-checkbox">
        <input
          class="usa-checkbox__input"
          type="checkbox"
          id={`${id}-box`}
          checked={ticked}
          onChange={(event) => setTicked(event.currentTarget.checked)}
        />
        <label class="usa-checkbox__label" for={`${id}-box`}>
          {agreement.acceptance}
        </label>
      </div>
      <button
        type="button"
        class="usa-button"
        disabled={!ready}
        aria-describedby={`${id}-state`}
        onClick={() => props.onAccept()}
      >
        {props.action}
      </button>
    </div>
  );
}
