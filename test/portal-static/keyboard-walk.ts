import type { Page } from 'playwright-core';

/** Uses a page by keyboard only. */

/** An element that had the focus after Tab was pressed. */
interface Stop {
  /** Position among all elements that Tab must reach, in document order; -1 for the document itself. */
  readonly index: number;
  readonly name: string;
  /** Whether the element looked different with the focus than without it. */
  readonly seen: boolean;
  /** Whether part of the element is inside the window. */
  readonly inView: boolean;
}

export interface Walk {
  /** Names of all elements that Tab must reach, in document order. */
  readonly expected: readonly string[];
  readonly stops: readonly Stop[];
}

/**
 * Functions that run in the page: the elements that Tab must reach, in document order, and the looks of an element. Tab reaches one radio
 * button of a group, and arrow keys reach the others. They are text, since the project's types have no browser.
 */
const helpers = `
  const isShown = (it) => it.checkVisibility({ visibilityProperty: true }) && it.closest('[inert]') === null;
  const isFirstRadio = (it) => {
    if (it.type !== 'radio') return true;
    const group = [...document.getElementsByName(it.name)].filter((one) => !one.disabled);
    return (group.find((one) => one.checked) ?? group[0]) === it;
  };
  const reachable = () =>
    [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')].filter(
      (it) => it.tabIndex >= 0 && it.disabled !== true && isShown(it) && isFirstRadio(it),
    );
  const nameOf = (it) =>
    (it.tagName + ' ' + (it.ariaLabel ?? it.labels?.[0]?.innerText ?? it.innerText ?? it.name ?? ''))
      .replace(/\\s+/g, ' ').trim().slice(0, 80);
  const parts = ['outline-style', 'outline-width', 'outline-color', 'box-shadow', 'border-color', 'background-color', 'text-decoration', 'left', 'top'];
  const look = (it) => {
    const of = (style) => parts.map((part) => style.getPropertyValue(part)).join('|');
    const label = it.labels?.[0];
    return of(getComputedStyle(it)) + (label ? of(getComputedStyle(label, '::before')) : '');
  };`;

/** Presses Tab from the beginning of the document to its end. */
export async function walk(page: Page): Promise<Walk> {
  const expected = (await page.evaluate(`(() => {
    ${helpers}
    document.activeElement?.blur?.();
    getSelection()?.removeAllRanges();
    scrollTo(0, 0);
    globalThis.walked = { before: undefined };
    const elements = reachable();
    return elements.map(nameOf);
  })()`)) as string[];
  const stops: Stop[] = [];
  for (let turn = 0; turn < expected.length + 20; turn += 1) {
    await page.keyboard.press('Tab');
    const stop = (await page.evaluate(`(() => {
      ${helpers}
      const { before } = globalThis.walked;
      const now = document.activeElement;
      const seen = before === undefined || look(before.element) !== before.look;
      globalThis.walked.before = now === document.body ? undefined : { element: now, look: look(now) };
      const { top, bottom } = now.getBoundingClientRect();
      return {
        index: reachable().indexOf(now),
        name: nameOf(now),
        seen,
        inView: bottom > 0 && top < innerHeight,
        end: now === document.body,
      };
    })()`)) as Stop & { readonly end: boolean };
    const last = stops.at(-1);
    // The looks are compared after the focus has moved on.
    if (last !== undefined) stops[stops.length - 1] = { ...last, seen: stop.seen };
    const again = stops.some(({ index }) => index === stop.index && index >= 0);
    if (stop.end || again) break;
    stops.push(stop);
  }
  return { expected, stops };
}

/** Lists the problems of a walk, a sentence each. Boxes that scroll are reached as well and count as part of the text. */
export function faultsOf({ expected, stops }: Walk): string[] {
  const reached = stops.filter(({ index }) => index >= 0);
  const order = reached.map(({ index }) => index);
  return [
    ...expected.flatMap((name, index) => (order.includes(index) ? [] : [`not reached: ${name}`])),
    ...reached.flatMap(({ index, name }, at) =>
      at > 0 && index < (order[at - 1] ?? 0) ? [`out of order: ${name}`] : [],
    ),
    ...stops.flatMap(({ name, seen }) => (seen ? [] : [`no visible focus: ${name}`])),
    ...stops.flatMap(({ name, inView }) => (inView ? [] : [`focus out of view: ${name}`])),
  ];
}

const mostTabs = 120;

/**
 * Presses Tab until an element with this name has the focus.
 *
 * @throws Error if Tab does not reach it.
 */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const pattern = typeof name === 'string' ? name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : name.source;
  for (let turn = 0; turn < mostTabs; turn += 1) {
    await page.keyboard.press('Tab');
    const at = (await page.evaluate(`(() => {
      ${helpers}
      return nameOf(document.activeElement);
    })()`)) as string;
    if (new RegExp(pattern).test(at)) return;
  }
  throw new Error(`Tab never came to ${name}`);
}

export async function pressAt(page: Page, name: string | RegExp, key = 'Enter'): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press(key);
}

export async function typeAt(page: Page, name: string | RegExp, text: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.type(text);
}

/** Scrolls a text to its end, ticks the box below it, and presses the button. */
export async function readAndAccept(page: Page, box: string | RegExp, button: string): Promise<void> {
  await tabTo(page, /^SECTION /);
  await page.keyboard.press('End');
  await page.getByText('You have reached the end of the text.').waitFor();
  await pressAt(page, box, 'Space');
  await pressAt(page, `BUTTON ${button}`);
}

/** The name of the element that has the focus. */
export async function focused(page: Page): Promise<string> {
  return (await page.evaluate(`(() => {
    ${helpers}
    return nameOf(document.activeElement);
  })()`)) as string;
}
