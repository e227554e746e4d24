/**
 * Swagger UI's markup has selects nobody named and headings that skip a level, which are in the way of screen readers
 * (WCAG 2.2, 1.3.1 and 4.1.2). Mended whenever it renders.
 *
 * @returns stops mending.
 */
export function mendSwaggerUi(place: HTMLElement): () => void {
  const mend = () => {
    for (const [selector, name, value] of mended) {
      for (const element of place.querySelectorAll(selector)) {
        if (element.getAttribute(name) !== value) element.setAttribute(name, value);
      }
    }
    nameSelects(place);
  };
  const observer = new MutationObserver(mend);
  observer.observe(place, { childList: true, subtree: true });
  mend();
  return () => observer.disconnect();
}

const mended: readonly (readonly [selector: string, attribute: string, value: string])[] = [
  ['.scheme-container h4', 'role', 'none'],
  ['#servers, .servers select:not([data-variable])', 'aria-label', 'Server'],
  ['.examples-select-element', 'aria-label', 'Example'],
  // Long lines scroll by keyboard too.
  ['.highlight-code > pre, pre.microlight', 'tabindex', '0'],
];

/** Labels selects by what they stand beside: a server's variable, a parameter. */
function nameSelects(place: HTMLElement): void {
  for (const select of place.querySelectorAll('select:not([aria-label])')) {
    const variable = select.getAttribute('data-variable');
    const parameter = select.closest('[data-param-name]')?.getAttribute('data-param-name');
    const name = variable ?? parameter;
    if (name !== null && name !== undefined) select.setAttribute('aria-label', name);
  }
}

/** Swagger UI is dark by a class of the document's, which it would set by a button of its own. @returns stops following. */
export function followColorScheme(): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const { classList } = document.documentElement;
  const follow = () => void classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', follow);
  follow();
  return () => {
    dark.removeEventListener('change', follow);
    classList.remove('dark-mode');
  };
}
