import type { Page } from 'playwright-core';

/** Uses a page by keyboard only. */

/** Somewhere Tab came to. */
interface Stop {
  /** Its place among the elements that can be reached, in the order of the document; -1 for the document itself. */
  readonly index: number;
  readonly name: string;
  /** Whether it looked otherwise than it does without the focus. */
  readonly seen: boolean;
  /** Whether any of it is inside the window. */
  readonly inView: boolean;
}

export interface Walk {
  /** Everything that can be reached, in the order of the document. */
  readonly expected: readonly string[];
  readonly stops: readonly Stop[];
}

/**
 * Functions for the page: the elements Tab has to come to, in the order of the document, and how an element looks. Of the radio buttons of one
 * name one is reached, the arrows reach the others. A function's text, as the project's types know no browser.
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

/** Presses Tab from the document's beginning to its end. */
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
    // A look is compared once the focus has gone on.
    if (last !== undefined) stops[stops.length - 1] = { ...last, seen: stop.seen };
    const again = stops.some(({ index }) => index === stop.index && index >= 0);
    if (stop.end || again) break;
    stops.push(stop);
  }
  return { expected, stops };
}

/** The problems of a walk, a sentence each. Boxes that scroll are reached too, and count as part of the text. */
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

/** Presses Tab until the focus is on what has this name. @throws Error where it never comes there. */
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

/** The name of what has the focus. */
export async function focused(page: Page): Promise<string> {
  return (await page.evaluate(`(() => {
    ${helpers}
    return nameOf(document.activeElement);
  })()`)) as string;
}
