/** The place in the queue beside a decision: where this one is, the next and the one before, and the keys. */

import { useLocation } from 'preact-iso/router';
import type { QueuePlace } from './queue-place.ts';
import { type Shortcut, Shortcuts } from './shortcuts.tsx';

export function QueueLine(props: {
  readonly place: QueuePlace;
  /** Keys of the page's own. */
  readonly own?: readonly Shortcut[];
}) {
  const { place, own = [] } = props;
  const { route } = useLocation();
  const to = (key: string, words: string, href: string | undefined): readonly Shortcut[] =>
    href === undefined ? [] : [{ key, words, act: () => route(href) }];
  return (
    <nav class="console-line" aria-label="Queue">
      {place.words !== undefined && <span>{place.words} in the queue</span>}
      {place.previous !== undefined && <a href={place.previous}>Previous</a>}
      {place.next !== undefined && <a href={place.next}>Next</a>}
      <Shortcuts
        shortcuts={[
          ...own,
          ...to('n', 'Next in the queue', place.next),
          ...to('p', 'Previous in the queue', place.previous),
          ...to('q', 'Back to the queue', place.queue),
        ]}
      />
    </nav>
  );
}
