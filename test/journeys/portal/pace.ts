import type { Page } from 'playwright-core';

/**
 * Seconds that a person takes for input on a page, by the Keystroke-Level Model (Card, Moran and Newell, 1980): for a key of an average
 * typist, for pointing at something and pressing it, and for thinking before each.
 */
const keySeconds = 0.28;
const pointSeconds = 1.1 + 0.2;
const thinkSeconds = 1.35;
/** Seconds to pick up a phone or open a mail program and find a code; a generous estimate of our own. */
const codeSeconds = 15;

export interface Pace {
  /** Addresses of the pages shown so far, without their queries. */
  pages(): readonly string[];
  /** Number of presses so far, and of the fields that were typed into, without codes pasted from a message. */
  presses(): number;
  fields(): number;
  /** Seconds that a person takes so far, including waits for answers. */
  seconds(): number;
  words(): string;
}

/** Counts input and time from now on, on every host that the page visits. */
export async function paceOf(page: Page): Promise<Pace> {
  const begun = performance.now();
  const pages: string[] = [];
  const count = { keys: 0, fields: 0, presses: 0, codes: 0 };
  await page.exposeBinding('portalJourneyDid', (_source, kind: 'press' | 'fill', text: string) => {
    if (kind === 'press') count.presses += 1;
    else {
      count.fields += 1;
      count.keys += text.length;
      if (/^\d{6}$/.test(text)) count.codes += 1;
    }
  });
  await page.addInitScript(`
    addEventListener('click', ({ target }) => portalJourneyDid('press', ''), true);
    addEventListener('input', ({ target }) => {
      if (!['radio', 'checkbox'].includes(target.type)) portalJourneyDid('fill', target.value);
    }, true);
  `);
  page.on('framenavigated', (frame) => {
    const { host, pathname } = new URL(frame.url());
    const shown = `${host}${pathname}`;
    if (frame === page.mainFrame() && pages.at(-1) !== shown) pages.push(shown);
  });
  const seconds = () => {
    const { keys, fields, presses, codes } = count;
    const acts = keys * keySeconds + (fields + presses) * (pointSeconds + thinkSeconds) + codes * codeSeconds;
    return acts + (performance.now() - begun) / 1_000;
  };
  return {
    pages: () => pages,
    presses: () => count.presses,
    fields: () => count.fields - count.codes,
    seconds,
    words: () =>
      `${Math.round(seconds())} s: ${count.keys} keys in ${count.fields} fields, ${count.presses} clicks, ${pages.length} pages`,
  };
}
