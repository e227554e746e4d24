/** Parses HTML pages for the demo's browser. */

import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';

/** A page as a person sees it: headings, text, and forms with labeled fields and buttons. */
export interface HtmlPage {
  readonly title: string;
  readonly headings: readonly string[];
  /** All visible text, with spaces collapsed. */
  readonly text: string;
  readonly forms: readonly HtmlForm[];
}

export interface HtmlForm {
  /** The action as written, to be resolved against the page's URL. */
  readonly action: string;
  readonly method: 'GET' | 'POST';
  readonly fields: readonly HtmlField[];
  readonly buttons: readonly HtmlButton[];
}

export interface HtmlField {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly checked: boolean;
  /** Text of the field's label; empty if there is none, as for a hidden field. */
  readonly label: string;
}

export interface HtmlButton {
  readonly text: string;
  /** Name that is sent with the form if this button is pressed. */
  readonly name?: string;
  readonly value: string;
}

type Parent = DefaultTreeAdapterTypes.ParentNode;
type Element = DefaultTreeAdapterTypes.Element;

/** Parses a page as a browser without scripts shows it. */
export function readPage(html: string): HtmlPage {
  const document = parse(html);
  return {
    title: elementsIn(document, 'title').map(textOf).join(' '),
    headings: elementsIn(document, 'h1', 'h2', 'h3', 'h4', 'h5', 'h6').map(textOf),
    text: elementsIn(document, 'body').map(textOf).join(' '),
    forms: elementsIn(document, 'form').map(readForm),
  };
}

/** Finds the form that has a button with this text. */
export function formWithButton(page: HtmlPage, text: string): HtmlForm | undefined {
  return page.forms.find(({ buttons }) => buttons.some((button) => button.text === text));
}

/**
 * The fields that a browser submits after a person filled in labeled fields and pressed a button: hidden fields, filled fields, and the
 * button's own value. A named checkbox is checked; others stay as the page has them.
 *
 * @throws Error with the label or button that doesn't exist.
 */
export function fillIn(
  form: HtmlForm,
  byLabel: Readonly<Record<string, string>>,
  buttonText: string,
): URLSearchParams {
  const labels = form.fields.map(({ label }) => label);
  for (const label of Object.keys(byLabel)) {
    if (!labels.includes(label)) throw new Error(`no field is labelled "${label}": ${labels.join(', ')}`);
  }
  const button = form.buttons.find(({ text }) => text === buttonText);
  if (button === undefined) throw new Error(`no button says "${buttonText}"`);
  const sent = new URLSearchParams();
  for (const { name, type, value, checked, label } of form.fields) {
    const optional = type === 'checkbox' || type === 'radio';
    const ticked = optional && Object.hasOwn(byLabel, label);
    if (name === '' || (optional && !checked && !ticked)) continue;
    sent.append(name, optional ? value : (byLabel[label] ?? value));
  }
  if (button.name !== undefined) sent.append(button.name, button.value);
  return sent;
}

function readForm(form: Element): HtmlForm {
  const labels = elementsIn(form, 'label');
  const fields = elementsIn(form, 'input').map((input): HtmlField => {
    const id = attribute(input, 'id');
    const label = labels.find(
      (each) =>
        (id !== undefined && attribute(each, 'for') === id) || elementsIn(each, 'input').includes(input),
    );
    return {
      name: attribute(input, 'name') ?? '',
      type: (attribute(input, 'type') ?? 'text').toLowerCase(),
      value: attribute(input, 'value') ?? '',
      checked: attribute(input, 'checked') !== undefined,
      label: label === undefined ? '' : textOf(label),
    };
  });
  return {
    action: attribute(form, 'action') ?? '',
    method: attribute(form, 'method')?.toUpperCase() === 'POST' ? 'POST' : 'GET',
    fields: fields.filter(({ type }) => type !== 'submit'),
    buttons: elementsIn(form, 'button').map(readButton),
  };
}

function readButton(button: Element): HtmlButton {
  const name = attribute(button, 'name');
  const value = attribute(button, 'value') ?? '';
  return { text: textOf(button), value, ...(name !== undefined && { name }) };
}

/** The elements with these tags below a node, in document order. */
function elementsIn(parent: Parent, ...tags: readonly string[]): Element[] {
  return parent.childNodes
    .filter((node) => defaultTreeAdapter.isElementNode(node))
    .flatMap((element) => [
      ...(tags.includes(element.tagName) ? [element] : []),
      ...elementsIn(element, ...tags),
    ]);
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((each) => each.name === name)?.value;
}

/** The visible text below an element, with spaces collapsed; tags separate words. */
function textOf(parent: Parent): string {
  return wordsIn(parent).join(' ').replace(/\s+/g, ' ').trim();
}

function wordsIn(parent: Parent): string[] {
  return parent.childNodes.flatMap((node) => {
    if (defaultTreeAdapter.isTextNode(node)) return [node.value];
    if (!defaultTreeAdapter.isElementNode(node) || ['script', 'style'].includes(node.tagName)) return [];
    return wordsIn(node);
  });
}
